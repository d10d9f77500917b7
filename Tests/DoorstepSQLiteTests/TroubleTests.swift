import Doorstep
import DoorstepSQLite
import Foundation
import Synchronization
import Testing

@Suite struct `When the system gets in the way` {
    @Test func `A lock that another process holds is waited for, then told of with the time`() throws {
        let directory = try TemporaryDirectory()
        let path = try makeSuite(in: directory)
        let other = try RawDatabase(path)
        #expect(other.run("BEGIN IMMEDIATE") == 0)
        let suite = try OnboardingSuite.open(at: path, busyTimeout: .milliseconds(300))
        let storage = try suite.storage(prefix: auroraPrefix)
        let clock = ContinuousClock()
        let start = clock.now
        let error = failure { _ = try storage.commit([answer("com.example.aurora.b")]) }
        let waited = start.duration(to: clock.now)
        #expect(error?.code == .busy)
        #expect(error?.message.contains("another process held it for 0.3 s") == true || waited > .milliseconds(400))
        #expect(waited >= .milliseconds(250))
        #expect(waited < .seconds(20))
        // Reading goes on meanwhile, and writing once the lock is gone.
        #expect(try storage.records().count == 1)
        #expect(other.run("COMMIT") == 0)
        _ = try storage.commit([answer("com.example.aurora.b")])
        #expect(try storage.records().count == 2)
    }

    @Test func `Many threads that find a lock wait no longer than one does`() throws {
        let directory = try TemporaryDirectory()
        let path = try makeSuite(in: directory)
        let other = try RawDatabase(path)
        #expect(other.run("BEGIN IMMEDIATE") == 0)
        let suite = try OnboardingSuite.open(at: path, busyTimeout: .seconds(1))
        let codes = Mutex<[OnboardingStorageError.Code]>([])
        let clock = ContinuousClock()
        let start = clock.now
        let group = DispatchGroup()
        for _ in 0..<20 {
            group.enter()
            Thread.detachNewThread {
                do throws(OnboardingStorageError) {
                    try suite.register(aurora2)
                } catch {
                    codes.withLock { $0.append(error.code) }
                }
                group.leave()
            }
        }
        group.wait()
        // One after the other they would take 20 seconds.
        #expect(start.duration(to: clock.now) < .seconds(10))
        #expect(codes.withLock { $0 } == Array(repeating: .busy, count: 20))
    }

    @Test func `With no wait at all a lock is told of at once`() throws {
        let directory = try TemporaryDirectory()
        let path = try makeSuite(in: directory)
        let other = try RawDatabase(path)
        #expect(other.run("BEGIN IMMEDIATE") == 0)
        for wait in [Duration.zero, .seconds(-3)] {
            let suite = try OnboardingSuite.open(at: path, busyTimeout: wait)
            #expect(failure { try suite.register(aurora2) }?.code == .busy)
        }
    }

    @Test func `A file size limit is told of as full, and nothing has changed`() throws {
        let directory = try TemporaryDirectory()
        let path = try makeSuite(in: directory)
        let before = try OnboardingSuite.open(at: path).history()
        let result = try SuiteWriter.run("--file-limit", "8192", "record", path, auroraPrefix, "com.example.aurora.b")
        #expect(result.lines.first?.hasPrefix("error full suite \"\(path)\"") == true, "\(result.lines)")
        #expect(try OnboardingSuite.open(at: path).history() == before)
        #expect(try RawDatabase(path).rows("PRAGMA integrity_check") == ["ok"])
    }

    @Test func `A new suite that doesn't fit leaves nothing`() throws {
        let directory = try TemporaryDirectory()
        let result = try SuiteWriter.run(
            "--file-limit", "8192", "record", directory.path + "/suite.db", auroraPrefix, "com.example.aurora.b")
        #expect(result.lines.first?.hasPrefix("error full") == true, "\(result.lines)")
        #expect(try directory.names == [])
    }

    @Test(.needsRoot) func `A full disk is told of, nothing has changed, and writing goes on afterwards`()
        throws
    {
        let directory = try TemporaryDirectory()
        let mount = directory.path + "/mount"
        try #require(try shell("mkdir \(mount) && mount -t tmpfs -o size=400k,mode=0700 none \(mount)") == 0)
        defer { _ = try? shell("umount -l \(mount)") }
        let path = mount + "/suite.db"
        let suite = try OnboardingSuite.open(at: path)
        let storage = try suite.storage(prefix: auroraPrefix)
        _ = try storage.commit([answer()])
        let (records, history) = (try storage.records(), try suite.history())
        try #require(try shell("dd if=/dev/zero of=\(mount)/filler bs=4k count=1000; true") == 0)
        let error = failure {
            _ = try storage.commit([
                answer("com.example.aurora.b", inputs: ["n": .text(String(repeating: "x", count: 100_000))])
            ])
        }
        #expect(error?.code == .full, "\(error?.message ?? "")")
        #expect(error?.message.contains("xxx") == false)
        #expect(try storage.records() == records)
        #expect(try suite.history() == history)
        unlink(mount + "/filler")
        _ = try storage.commit([answer("com.example.aurora.b")])
        #expect(try storage.records().count == 2)
        #expect(try RawDatabase(path).rows("PRAGMA integrity_check") == ["ok"])
    }

    @Test func `A suite that is replaced while it is open is the new one from then on`() throws {
        let (directory, other) = (try TemporaryDirectory(), try TemporaryDirectory())
        let path = try makeSuite(in: directory)
        let suite = try OnboardingSuite.open(at: path)
        let storage = try suite.storage(prefix: auroraPrefix)
        _ = try storage.commit([answer("com.example.aurora.b")])
        let replacement = try makeSuite(in: other)
        for name in ["suite.db-wal", "suite.db-shm"] { unlink(directory.path + "/" + name) }
        #expect(rename(replacement, path) == 0)
        #expect(Set(try storage.records().keys) == [auroraStep])
        #expect(unlink(path) == 0)
        #expect(try storage.records() == [:])
        _ = try storage.commit([answer("com.example.aurora.c")])
        #expect(try OnboardingSuite.open(at: path).registrations().map(\.app) == ["com.example.aurora"])
    }

    @Test func `The log of a suite that was moved away doesn't get into the next one, and is kept beside it`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/suite.db"
        let old: OnboardingStepID = "com.example.aurora.old"
        #expect(try SuiteWriter.run("record-and-die", path, auroraPrefix, old.rawValue).status == -SIGKILL)
        let log = try Data(contentsOf: URL(fileURLWithPath: path + "-wal"))
        #expect(rename(path, directory.path + "/away.db") == 0)
        #expect(try directory.names == ["away.db", "suite.db-shm", "suite.db-wal"])
        let suite = try OnboardingSuite.open(at: path)
        let storage = try suite.storage(prefix: auroraPrefix)
        #expect(try storage.records() == [:])
        _ = try storage.commit([answer()])
        try suite.close()
        #expect(Set(try storage.records().keys) == [auroraStep])
        try suite.close()
        #expect(try RawDatabase(path).rows("PRAGMA integrity_check") == ["ok"])

        let aside = try #require(try directory.names.first { $0.hasPrefix("suite.db-wal.orphan-") })
        #expect(try directory.names == ["away.db", "suite.db", aside])
        #expect(try Data(contentsOf: URL(fileURLWithPath: directory.path + "/" + aside)) == log)
        #expect(rename(directory.path + "/" + aside, directory.path + "/away.db-wal") == 0)
        let back = try OnboardingSuite.open(at: directory.path + "/away.db")
        #expect(Set(try back.storage(prefix: auroraPrefix).records().keys) == [old])
    }

    @Test func `A journal that is left alone is kept, and what is empty is not`() throws {
        let directory = try TemporaryDirectory()
        for (name, text) in [("-journal", "answers"), ("-wal", ""), ("-shm", "index")] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: directory.path + "/suite.db" + name))
        }
        try OnboardingSuite.open(at: directory.path + "/suite.db").register(aurora)
        let names = try directory.names
        #expect(names.count == 2 && names[1].hasPrefix("suite.db-journal.orphan-"), "\(names)")
        let kept = try Data(contentsOf: URL(fileURLWithPath: directory.path + "/" + (names.last ?? "")))
        #expect(kept == Data("answers".utf8))
    }

    @Test func `Threads share one suite`() async throws {
        let directory = try TemporaryDirectory()
        let suite = try OnboardingSuite.open(at: directory.path + "/suite.db")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask {
                    let storage = try suite.storage(prefix: "com.example.app\(number % 4).")
                    _ = try storage.commit([answer(OnboardingStepID("step.\(number)"))])
                    _ = try storage.records()
                }
            }
            try await group.waitForAll()
        }
        #expect(try suite.history().count == 40)
        #expect(try suite.registrations().count == 4)
        #expect(try suite.prefixes().count == 4)
    }
}

let aurora2 = FlowRegistration(app: "com.example.other", prefix: "com.example.other.")
