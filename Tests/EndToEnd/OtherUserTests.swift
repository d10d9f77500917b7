import Foundation
import Testing

/// What depends on the user needs the right to become another one.
@Suite("Other users", .enabled(if: geteuid() == 0, "only root can run the command as somebody else"))
struct OtherUserTests {
    private static let app = "com.example.aurora"
    private static let step = "com.example.aurora.tips"
    /// The user whose home doesn't exist.
    private static let nobody: uint = 65534
    /// A user that no passwd entry knows.
    private static let stranger: uint = 54321

    /// A user's directory that everybody may enter, with a command that everybody may run.
    private func openUser() throws -> TestUser {
        let user = try TestUser(.aurora())
        // By a process of its own: a program that is open for writing in this one, if only in a child that is about to
        // start, can't be run.
        let copy = try CommandRunner.run(
            ["/usr/bin/install", "--mode=755", CommandRunner.doorstep, user.directory + "/doorstep"],
            environment: user.environment, directory: "/")
        try #require(copy.status == 0, "\(copy.testDescription)")
        for path in ["", "/home", "/home/.local", "/home/.local/share", "/home/.local/share/doorstep"] {
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: user.directory + path)
        }
        return user
    }

    /// Runs the command as somebody else.
    private func run(
        _ user: TestUser, as id: uint = nobody, _ arguments: [String], environment changes: [String: String?] = [:]
    ) throws -> CommandResult {
        try CommandRunner.run(
            [
                "/usr/bin/setpriv", "--reuid=\(id)", "--regid=\(id)", "--clear-groups", user.directory + "/doorstep",
            ] + arguments, environment: user.variables(changes), directory: user.directory)
    }

    private func give(_ path: String, to id: uint) throws {
        try #require(chown(path, id, id) == 0)
    }

    @Test("a suite in a read-only place answers, and takes no answers")
    func readOnlyPlace() throws {
        let user = try openUser()
        try user.succeed("record", Self.app, Self.step, "true")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: user.suite)
        let names = try user.namesBesideSuite
        #expect(try run(user, ["value", Self.app, Self.step]).output == "true\n")
        #expect(try run(user, ["needs", Self.app]).status == 0)
        #expect(try run(user, ["status"]).status == 0)
        for command in [
            ["record", Self.app, Self.step, "false"], ["clear", Self.app, Self.step], ["reset", Self.app],
            ["sign-out", Self.app], ["unregister", Self.app],
        ] {
            let result = try run(user, command)
            #expect(result.status == 77, "\(command): \(result.testDescription)")
            #expect(result.errors.contains("can't be written"), "\(command): \(result.testDescription)")
            #expect(result.errorLines.count == 1)
        }
        #expect(try user.doorstep("value", Self.app, Self.step).output == "true\n")
        #expect(try user.namesBesideSuite == names)
    }

    @Test("answers that stand in the log alone can't be read where nothing may be written, which is said")
    func unwritableLog() throws {
        let user = try openUser()
        try user.succeed("record", Self.app, Self.step, "true")
        // Its owner is killed before the answer moves from the log into the suite.
        let script =
            #"printf '%s\n' "PRAGMA wal_autocheckpoint=0; DELETE FROM records;" ".shell kill -9 \$PPID" | sqlite3 "$0""#
        _ = try CommandRunner.run(["/bin/sh", "-c", script, user.suite], environment: user.environment, directory: "/")
        let names = try user.namesBesideSuite
        try #require(names.contains("suite.db-wal"), "\(names)")
        for name in names.filter({ $0.hasPrefix("suite.db") }) {
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o644], ofItemAtPath: user.home + "/.local/share/doorstep/" + name)
        }
        unlink(user.suite + "-shm")
        let result = try run(user, ["needs", Self.app])
        #expect(result.status == 77, "\(result.testDescription)")
        #expect(result.errors.contains("has answers in its log"), "\(result.testDescription)")
        #expect(result.errorLines.count == 1)
    }

    @Test("a suite that may not be read is never an empty one")
    func unreadable() throws {
        let user = try openUser()
        try user.succeed("record", Self.app, Self.step, "true")
        for command in [["needs", Self.app], ["value", Self.app, Self.step], ["status"], ["plan", Self.app]] {
            let result = try run(user, command)
            #expect(result.status == 77, "\(command): \(result.testDescription)")
            #expect(result.errorLines.count == 1 && result.output.isEmpty)
        }
    }

    @Test("a suite that belongs to somebody else is refused, with both users named")
    func foreignOwner() throws {
        let user = try openUser()
        try user.succeed("record", Self.app, Self.step, "true")
        try give(user.suite, to: Self.stranger)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: user.suite)
        for id in [0, Self.nobody] {
            let result = try run(user, as: id, ["needs", Self.app])
            #expect(result.status == 77, "\(result.testDescription)")
            #expect(result.errors.contains("belongs to user \(Self.stranger), and you are user \(id)"))
        }
    }

    @Test("a manifest that belongs to somebody else is refused, with both users named")
    func foreignManifest() throws {
        let user = try openUser()
        let manifest = user.registry + "/\(Self.app).json"
        try give(manifest, to: Self.stranger)
        for id in [0, Self.nobody] {
            let result = try run(user, as: id, ["needs", Self.app])
            #expect(result.status == 77, "\(result.testDescription)")
            #expect(result.errors.contains("it belongs to user \(Self.stranger), and you are user \(id)"))
        }
        #expect(try run(user, as: Self.stranger, ["needs", Self.app]).status == 0)
        try give(manifest, to: 0)
        try give(user.registry, to: Self.stranger)
        #expect(try run(user, as: 0, ["needs", Self.app]).status == 77)
        try give(user.registry, to: 0)
        #expect(try run(user, as: Self.stranger, ["needs", Self.app]).status == 0)
    }

    @Test("without HOME the passwd entry's home is used, and one that isn't there is told in one sentence")
    func noHome() throws {
        let user = try openUser()
        let bare: [String: String?] = ["HOME": nil, "XDG_DATA_DIRS": nil, "DOORSTEP_REGISTRY_PATH": user.registry]
        let needs = try run(user, ["needs", Self.app], environment: bare)
        #expect(needs.status == 0, "\(needs.testDescription)")
        let result = try run(user, ["record", Self.app, Self.step, "true"], environment: bare)
        #expect(result.status == 77, "\(result.testDescription)")
        #expect(result.errorLines.count == 1 && result.errors.contains("/nonexistent/"), "\(result.testDescription)")
    }

    @Test("without HOME and a passwd entry only what needs a suite fails, and it says what to set")
    func noPlaceAtAll() throws {
        let user = try openUser()
        try EveryCommand.prepare(user)
        let bare: [String: String?] = ["HOME": nil, "DOORSTEP_REGISTRY_PATH": user.registry]
        for command in EveryCommand.suiteless {
            let result = try run(user, as: Self.stranger, command, environment: bare)
            #expect(result.status == 0, "\(command): \(result.testDescription)")
        }
        for command in EveryCommand.reading + EveryCommand.writing + EveryCommand.reconciling {
            let result = try run(user, as: Self.stranger, command, environment: bare)
            #expect(result.status == 74, "\(command): \(result.testDescription)")
            #expect(result.errorLines.count == 1 && result.errors.contains("set DOORSTEP_SUITE"), "\(command)")
        }
        let named = bare.merging(["DOORSTEP_SUITE": "/nonexistent/suite.db"]) { $1 }
        #expect(try run(user, as: Self.stranger, ["needs", Self.app], environment: named).status == 0)
    }

    @Test("the passwd entry's home holds registry and suite where HOME is unset", .enabled(if: Unshare.isAllowed))
    func passwdHome() throws {
        let user = try openUser()
        try give(user.home, to: Self.stranger)
        for path in ["/.local", "/.local/share", "/.local/share/doorstep"] {
            try give(user.home + path, to: Self.stranger)
        }
        let entry = "aurora:x:\(Self.stranger):\(Self.stranger)::\(user.home):/bin/sh\n"
        let passwd = try user.write("root:x:0:0:root:/root:/bin/sh\n" + entry, to: "passwd")
        let script = """
            mount --bind "$0" /etc/passwd || exit 99
            exec setpriv --reuid=\(Self.stranger) --regid=\(Self.stranger) --clear-groups env -i "$1" "$2" "$3" "$4" true
            """
        let result = try CommandRunner.run(
            [
                "/usr/bin/unshare", "--mount", "/bin/sh", "-c", script, passwd, user.directory + "/doorstep", "record",
                Self.app, Self.step,
            ], environment: user.environment, directory: user.directory)
        #expect(result.status == 0, "\(result.testDescription)")
        #expect(try user.rows("SELECT step, value FROM records") == [[Self.step, "1"]])
    }

    @Test("a manifest that a package brought stays where it is")
    func packagedManifest() throws {
        let user = try TestUser()
        let path = try user.write(
            TestManifest.aurora().text, to: "system/doorstep/registry/com.example.aurora.json")
        #expect(try user.doorstep("needs", Self.app).status == 0)
        let result = try user.doorstep("unregister", Self.app)
        #expect(result.status == 77 && result.errors.contains(path), "\(result.testDescription)")
        #expect(FileManager.default.fileExists(atPath: path))
    }
}
