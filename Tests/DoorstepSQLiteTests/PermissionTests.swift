import Doorstep
import DoorstepSQLite
import Foundation
import Testing

private let nobody = "65534"

extension Trait where Self == ConditionTrait {
    /// For tests that only root can set up.
    static var needsRoot: Self {
        .enabled(
            if: geteuid() == 0, "only root can give files to other users, mount, and run as somebody else; run as root")
    }
}

@Suite struct `A suite is for its owner` {
    @Test(arguments: [0o620, 0o602, 0o666])
    func `A file that others may write is refused`(bits: Int) throws {
        let directory = try TemporaryDirectory()
        let path = try makeSuite(in: directory)
        chmod(path, mode_t(bits))
        try expectRefusal(
            path, words: bits == 0o620 ? "it can be written by its group" : "it can be written by everybody")
        chmod(path, 0o600)
        #expect(try OnboardingSuite.open(at: path).history().count == 1)
    }

    @Test(arguments: [0o770, 0o777, 0o1777])
    func `A directory that others may write is refused`(bits: Int) throws {
        let directory = try TemporaryDirectory()
        let path = try makeSuite(in: directory)
        chmod(directory.path, mode_t(bits))
        try expectRefusal(path, words: bits == 0o770 ? "its directory can be written by its group" : "by everybody")
        chmod(directory.path, 0o700)
    }

    @Test func `A new suite isn't made in a directory that others may write`() throws {
        let directory = try TemporaryDirectory()
        chmod(directory.path, 0o777)
        let storage = try OnboardingSuite.open(at: directory.path + "/suite.db").storage(prefix: auroraPrefix)
        #expect(try storage.records() == [:])
        #expect(failure { _ = try storage.commit([answer()]) }?.code == .notPermitted)
        #expect(try directory.names == [])
    }

    @Test(.needsRoot) func `A new suite isn't made in somebody else's directory, not by root either`() throws {
        let directory = try TemporaryDirectory()
        chown(directory.path, 65534, 65534)
        let suite = try OnboardingSuite.open(at: directory.path + "/share/doorstep/suite.db")
        let error = failure { _ = try suite.storage(prefix: auroraPrefix).commit([answer()]) }
        #expect(error?.code == .notPermitted)
        #expect(error?.message.contains("its place, \(directory.path), belongs to user 65534") == true)
        #expect(try directory.names == [])
    }

    @Test(.needsRoot) func `Somebody else's suite is refused for writing and read on request`() throws {
        let directory = try TemporaryDirectory()
        let path = try makeSuite(in: directory)
        chown(directory.path, 65534, 65534)
        chown(path, 65534, 65534)
        try expectRefusal(path, words: "belongs to user 65534")

        let before = try contents(of: directory)
        let audit = try OnboardingSuite.open(at: path, access: .readOnly)
        #expect(try audit.history().count == 1)
        #expect(failure { try audit.register(aurora) }?.code == .notPermitted)
        try audit.close()
        #expect(try contents(of: directory) == before)

        chmod(path, 0o606)
        #expect(failure { _ = try audit.history() }?.code == .notPermitted)
    }

    @Test(.needsRoot) func `Root's suite is readable for others and not writable`() throws {
        let directory = try TemporaryDirectory()
        let path = try makeSuite(in: directory)
        chmod(directory.path, 0o755)
        chmod(path, 0o644)
        let before = try contents(of: directory)
        let read = try SuiteWriter.run("--uid", nobody, "read", path, auroraPrefix)
        #expect(read.lines == ["com.example.aurora.profile true"])
        let gate = try SuiteWriter.run("--uid", nobody, "gate", path, "com.example.aurora")
        #expect(gate.lines.last == "gate 3 1")
        let write = try SuiteWriter.run("--uid", nobody, "record", path, auroraPrefix, "com.example.aurora.b")
        #expect(write.lines.first?.hasPrefix("error notPermitted suite \"\(path)\"") == true, "\(write.lines)")
        #expect(try contents(of: directory) == before)
    }

    @Test(.needsRoot) func `While its owner has it open, others read also what is only in the log`() throws {
        let directory = try TemporaryDirectory()
        let path = try makeSuite(in: directory)
        chmod(directory.path, 0o755)
        chmod(path, 0o644)
        let suite = try OnboardingSuite.open(at: path)
        _ = try suite.storage(prefix: auroraPrefix).commit([answer("com.example.aurora.z", false)])
        let read = try SuiteWriter.run("--uid", nobody, "read", path, auroraPrefix)
        #expect(read.lines == ["com.example.aurora.profile true", "com.example.aurora.z false"])
    }

    @Test(.needsRoot) func `A log that a killed process left can't be read where nothing may be written`()
        throws
    {
        let directory = try TemporaryDirectory()
        let path = try makeSuite(in: directory)
        #expect(try SuiteWriter.run("record-and-die", path, auroraPrefix, "com.example.aurora.b").status == -SIGKILL)
        unlink(path + "-shm")
        chmod(directory.path, 0o755)
        chmod(path, 0o644)
        chmod(path + "-wal", 0o644)
        let before = try contents(of: directory)
        let read = try SuiteWriter.run("--uid", nobody, "read", path, auroraPrefix)
        #expect(
            read.lines.first?.hasPrefix("error notPermitted suite \"\(path)\" has answers in its log") == true,
            "\(read.lines)")
        #expect(try contents(of: directory) == before)
    }

    @Test(.needsRoot) func `A suite that may not be read is not an empty one`() throws {
        let directory = try TemporaryDirectory()
        let path = try makeSuite(in: directory)
        chmod(directory.path, 0o755)
        let file = try SuiteWriter.run("--uid", nobody, "read", path, auroraPrefix)
        #expect(file.lines.first?.hasPrefix("error notPermitted") == true, "\(file.lines)")
        chmod(directory.path, 0o700)
        let hidden = try SuiteWriter.run("--uid", nobody, "read", path, auroraPrefix)
        #expect(hidden.lines.first?.hasPrefix("error notPermitted") == true, "\(hidden.lines)")
    }

    @Test(.needsRoot) func `A suite on a read-only mount is readable and not writable`() throws {
        let directory = try TemporaryDirectory()
        let mount = directory.path + "/mount"
        try #require(try shell("mkdir \(mount) && mount -t tmpfs -o size=2m,mode=0700 none \(mount)") == 0)
        defer { _ = try? shell("umount -l \(mount)") }
        let path = mount + "/suite.db"
        let suite = try OnboardingSuite.open(at: path)
        try suite.register(aurora)
        try suite.close()
        try #require(try shell("mount -o remount,ro \(mount)") == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: mount)
        #expect(try suite.flowSnapshot(app: "com.example.aurora")?.registration == aurora)
        #expect(try suite.flowSnapshot(app: "com.example.aurora")?.registration == aurora)
        #expect(failure { _ = try suite.storage(prefix: auroraPrefix).commit([answer()]) }?.code == .notPermitted)
        #expect(try FileManager.default.contentsOfDirectory(atPath: mount) == names)
        let absent = try OnboardingSuite.open(at: mount + "/other/suite.db")
        #expect(try absent.registrations() == [])
        #expect(failure { try absent.register(aurora) }?.code == .notPermitted)
    }

    private func expectRefusal(_ path: String, words: String) throws {
        let suite = try OnboardingSuite.open(at: path)
        let storage = try suite.storage(prefix: auroraPrefix)
        for call in [
            { _ = try storage.records() }, { _ = try suite.history() }, { _ = try storage.commit([answer()]) },
        ] as [() throws -> Void] {
            let error = failure(call)
            #expect(error?.code == .notPermitted)
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
        }
    }
}

@Suite struct `Links to a suite` {
    @Test func `A link of one's own is followed, and the suite stays where it is`() throws {
        let (directory, other) = (try TemporaryDirectory(), try TemporaryDirectory())
        let path = try makeSuite(in: directory)
        let link = other.path + "/suite.db"
        #expect(symlink(path, link) == 0)
        let suite = try OnboardingSuite.open(at: link)
        _ = try suite.storage(prefix: auroraPrefix).commit([answer("com.example.aurora.b")])
        #expect(try other.names == ["suite.db"])
        try suite.close()
        #expect(try OnboardingSuite.open(at: path).history().count == 2)
    }

    @Test func `A link to nothing is an error for reading and writing, and nothing is made`() throws {
        let directory = try TemporaryDirectory()
        let link = directory.path + "/suite.db"
        #expect(symlink(directory.path + "/away/suite.db", link) == 0)
        let storage = try OnboardingSuite.open(at: link).storage(prefix: auroraPrefix)
        #expect(failure { _ = try storage.records() }?.code == .io)
        #expect(
            failure { _ = try storage.commit([answer()]) }?.message.contains("is a link to a file that isn't there")
                == true)
        #expect(try directory.names == ["suite.db"])
    }

    @Test(.needsRoot) func `Somebody else's link is refused`() throws {
        let (directory, other) = (try TemporaryDirectory(), try TemporaryDirectory())
        let link = other.path + "/suite.db"
        #expect(symlink(try makeSuite(in: directory), link) == 0)
        #expect(lchown(link, 65534, 65534) == 0)
        let error = failure { _ = try OnboardingSuite.open(at: link).history() }
        #expect(error?.code == .notPermitted)
        #expect(error?.message.contains("the link belongs to user 65534") == true)
    }

    @Test func `A linked directory is followed`() throws {
        let (directory, other) = (try TemporaryDirectory(), try TemporaryDirectory())
        _ = try makeSuite(in: directory)
        #expect(symlink(directory.path, other.path + "/doorstep") == 0)
        #expect(try OnboardingSuite.open(at: other.path + "/doorstep/suite.db").history().count == 1)
    }

    @Test func `What isn't a file is refused without being opened`() throws {
        let directory = try TemporaryDirectory()
        #expect(mkfifo(directory.path + "/fifo", 0o600) == 0)
        #expect(mkdir(directory.path + "/folder", 0o700) == 0)
        for name in ["fifo", "folder"] {
            let suite = try OnboardingSuite.open(at: directory.path + "/" + name)
            #expect(failure { _ = try suite.history() }?.code == .foreign)
            #expect(failure { try suite.register(aurora) }?.code == .foreign)
        }
    }
}
