import Foundation
import Glibc
import Testing

@Suite("Exit statuses")
struct ExitStatusTests {
    private static let app = "com.example.aurora"
    private static let step = "com.example.aurora.tips"

    private func user() throws -> TestUser {
        let user = try TestUser(.aurora())
        try EveryCommand.prepare(user)
        return user
    }

    @Test(
        "wrong usage is 64, says what was meant, and prints nothing as a result",
        arguments: [
            (["neds", app], "'needs'"), (["needs", app, "--reconcil"], "'--reconcile'"), (["needs"], "'<app>'"),
            (["record", app, step, "yes"], "yes"), (["record", app, step], "'<answer>'"), (["status", "more"], "more"),
            (["run", app, "--ui", "curses"], "curses"), (["run", app, "--answers"], "'--answers"),
            (["reconcile"], "--all"), (["reconcile", app, "--all"], "--all"), (["completions", "tcsh"], "tcsh"),
            (["plan", app, "--timeout", "soon"], "soon"), ([], "<subcommand>"),
            (["plan", app, "--timeout", "0ms"], "0ms"), (["reconcile", app, "--timeout", "0s"], "more than none"),
        ])
    func usage(arguments: [String], hint: String) throws {
        let result = try user().doorstep(arguments)
        #expect(result.status == (arguments.isEmpty ? result.status : 64), "\(result.testDescription)")
        #expect((result.errors + (arguments.isEmpty ? result.output : "")).contains(hint), "\(result.testDescription)")
        if !arguments.isEmpty { #expect(result.output.isEmpty) }
    }

    @Test(
        "what isn't there is 66, and the nearest spelling is offered",
        arguments: [
            (["needs", "com.example.auror"], "\"com.example.aurora\""), (["value", app, "\(step)s"], "\"\(step)\""),
            (["record", app, "tips", "true"], step), (["plugins", "profil"], "\"profile\""),
            (["probe", "wellcome"], "\"welcome\""), (["validate", "nowhere.json"], "nowhere.json"),
            (["register", "nowhere.json"], "nowhere.json"),
            (["run", app, "--answers", "nowhere.json"], "nowhere.json"),
            (["unregister", "org.example.absent"], "org.example.absent"), (["show", "../aurora"], "../aurora"),
            (["reconcile", app, "org.example.absent"], "org.example.absent"),
        ])
    func absent(arguments: [String], hint: String) throws {
        let user = try user()
        let result = try user.doorstep(arguments)
        #expect(result.status == 66, "\(result.testDescription)")
        #expect(result.errorLines.count == 1 && result.errors.hasPrefix("error: "), "\(result.testDescription)")
        #expect(result.errors.contains(hint), "\(result.testDescription)")
        #expect(result.output.isEmpty && !user.hasSuite)
    }

    @Test("a registry that already has the app is 77 without --replace")
    func alreadyRegistered() throws {
        let user = try user()
        #expect(try user.succeed("register", "com.example.aurora.json").output.hasPrefix("unchanged"))
        var changed = TestManifest.aurora()
        changed.steps.removeLast()
        try user.write(changed.text, to: "com.example.aurora.json")
        let result = try user.doorstep("register", "com.example.aurora.json")
        #expect(result.status == 77 && result.errors.contains("--replace"), "\(result.testDescription)")
        #expect(try user.succeed("register", "com.example.aurora.json", "--replace").output.hasPrefix("replaced"))
        #expect(try user.doorstep("value", Self.app, Self.step).status == 66)
        try user.succeed("unregister", Self.app)
        #expect(try user.doorstep("needs", Self.app).status == 66)
        #expect(try user.succeed("register", "com.example.aurora.json").output.hasPrefix("registered"))
    }

    @Test("a file that is there but can't be used isn't called absent")
    func unusableFiles() throws {
        let user = try user()
        func status(_ file: String) throws -> [Int32] {
            try [["validate", file], ["register", file], ["run", Self.app, "--answers", file]].map {
                let result = try user.doorstep($0)
                #expect(result.errorLines.count == 1 && result.errors.contains(file), "\(result.testDescription)")
                return result.status
            }
        }
        #expect(try status("nowhere.json") == [66, 66, 66])
        try FileManager.default.createDirectory(
            atPath: user.directory + "/com.example.d.json", withIntermediateDirectories: true)
        #expect(try status("com.example.d.json") == [65, 65, 65])
        try #require(FileManager.default.createFile(atPath: user.directory + "/com.example.l.json", contents: nil))
        try #require(truncate(user.directory + "/com.example.l.json", 5 << 20) == 0)
        #expect(try status("com.example.l.json") == [65, 65, 65])
    }

    @Test("unregistering changes nothing of a package's app, and forgets one whose manifest is gone")
    func unregister() throws {
        let user = try user()
        try user.succeed("record", Self.app, Self.step, "true")
        let system = user.directory + "/system/doorstep/registry"
        try FileManager.default.createDirectory(atPath: system, withIntermediateDirectories: true)
        try FileManager.default.moveItem(
            atPath: user.registry + "/\(Self.app).json", toPath: system + "/\(Self.app).json")
        let known = [["1"]]
        let result = try user.doorstep("unregister", Self.app)
        #expect(result.status == 77 && result.errors.contains(system), "\(result.testDescription)")
        #expect(try user.rows("SELECT count(*) FROM apps") == known)

        try FileManager.default.removeItem(atPath: system + "/\(Self.app).json")
        #expect(try user.succeed("unregister", Self.app).output.contains("forgotten"))
        #expect(try user.rows("SELECT count(*) FROM flow_steps") == [["0"]])
        // While its record is there, the prefix stays the app's.
        #expect(try user.rows("SELECT app, source_path FROM apps") == [[Self.app, "NULL"]])
        #expect(try user.rows("SELECT count(*) FROM records") == [["1"]])
        #expect(try user.doorstep("unregister", Self.app).status == 66)
    }

    @Test("a check of a kind that has none is 69")
    func noCheck() throws {
        let result = try user().doorstep("probe", "info")
        #expect(result.status == 69 && result.errors.contains("has no check"), "\(result.testDescription)")
    }

    @Test("a standard output that can't be written is an error, not a silent success")
    func fullOutput() throws {
        let user = try user()
        try user.succeed("run", Self.app, "--answers", "answers.json")
        let printing =
            EveryCommand.suiteless + EveryCommand.reading.filter { !["run", "needs"].contains($0[0]) }
            + [["needs", Self.app, "--json"], ["needs", Self.app, "-v"], ["reconcile", Self.app]]
        for command in printing {
            let result = try user.doorstep(command, output: "/dev/full")
            #expect(result.status == 74, "\(command): \(result.testDescription)")
            #expect(result.errors == "error: standard output can't be written: No space left on device\n")
        }
        // The gate prints nothing, so it loses nothing.
        #expect(try user.doorstep(["needs", Self.app], output: "/dev/full").status == 1)
    }

    @Test(
        "on a full disk everything can still be read, whatever a failed write has left", .enabled(if: Unshare.isAllowed)
    )
    func readsOnFullDisk() throws {
        let user = try user()
        // A writer that died has left its answers in the log alone, and nobody the log's index.
        let crash =
            "import sqlite3, os; suite = sqlite3.connect('disk/suite.db'); suite.execute('UPDATE records SET value = 0'); "
            + "suite.commit(); os._exit(0)"
        let script = """
            mkdir disk && mount -t tmpfs -o size=768k,mode=700 tmpfs disk || exit 99
            export DOORSTEP_SUITE=disk/suite.db
            "$0" record \(Self.app) \(Self.step) true > /dev/null || exit 98
            for log in empty full; do
                if [ $log = full ]; then rm disk/filler; python3 -c "\(crash)" && rm disk/suite.db-shm || exit 97; fi
                cat /dev/zero > disk/filler 2>/dev/null
                "$0" record \(Self.app) \(Self.app).welcome true; echo $?
                ls disk
                "$0" value \(Self.app) \(Self.step)
                for command in "needs \(Self.app)" "show \(Self.app)" "status" "audit" "history" "export" "report"\
                    "backup copy-$log.db" "doctor"; do
                    "$0" $command > /dev/null; echo "$command: $?"
                done
            done
            "$0" value \(Self.app) \(Self.step) --suite copy-full.db
            umount disk
            """
        let result = try CommandRunner.run(
            ["/usr/bin/unshare", "--mount", "/bin/sh", "-c", script, CommandRunner.doorstep],
            environment: user.environment, directory: user.directory)
        func answers(_ value: String, _ log: String) -> [String] {
            ["74", "filler", "suite.db", "suite.db-shm", "suite.db-wal", value, "needs \(Self.app): 0"]
                + ["show \(Self.app)", "status", "audit", "history", "export", "report", "backup copy-\(log).db"].map {
                    "\($0): 0"
                } + ["doctor: 1"]
        }
        #expect(
            result.lines == answers("true", "empty") + answers("false", "full") + ["false"], "\(result.testDescription)"
        )
        #expect(result.errorLines.count == 2, "\(result.testDescription)")
        for line in result.errorLines { #expect(line.contains("no space is left") && line.contains("free some")) }
    }

    @Test("streams that are closed get nothing into the suite, and a result that they lose is an error")
    func closedStreams() throws {
        let user = try user()
        let script = #"exec 2>errors; "$0" "$@" <&- >&-; echo $? >status; exec "$0" "$@" <&- >&- 2>&-"#
        for command in [["record", Self.app, Self.step, "true"], ["status"], ["register", "com.example.aurora.json"]] {
            let result = try CommandRunner.run(
                ["/bin/sh", "-c", script, CommandRunner.doorstep] + command, environment: user.environment,
                directory: user.directory)
            #expect(result.status == 74, "\(command): \(result.testDescription)")
            #expect(try String(contentsOfFile: user.directory + "/status", encoding: .utf8) == "74\n")
            let errors = try String(contentsOfFile: user.directory + "/errors", encoding: .utf8)
            #expect(errors == "error: standard output can't be written: Bad file descriptor\n")
        }
        #expect(try user.rows("PRAGMA integrity_check") == [["ok"]])
        #expect(try user.doorstep("value", Self.app, Self.step).output == "true\n")
        #expect(try user.doorstep("plan", Self.app).status == 0)
    }

    @Test("a suite that another process keeps locked is 75 after a bounded wait, for readers and writers")
    func busy() throws {
        let user = try user()
        try user.succeed("record", Self.app, Self.step, "true")
        var other: TestDatabase? = try TestDatabase(user.suite)
        try other?.run("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; UPDATE records SET at = 0")
        let start = ContinuousClock.now
        let commands = [
            ["record", Self.app, Self.step, "false"], ["needs", Self.app], ["status"], ["sign-out", Self.app],
        ]
        var running: [ChildProcess] = []
        for command in commands {
            running.append(
                try ChildProcess(
                    [CommandRunner.doorstep] + command, environment: user.environment, directory: user.directory
                ) {
                    let errors = user.directory + "/\(command[0]).errors"
                    return [.nothing, .nothing, .file(errors, flags: O_WRONLY | O_CREAT)]
                })
        }
        for (command, process) in zip(commands, running) {
            #expect(process.wait() == 75, "\(command)")
            let errors = try String(contentsOfFile: user.directory + "/\(command[0]).errors", encoding: .utf8)
            #expect(errors.contains("try again") && errors.split(separator: "\n").count == 1, "\(errors)")
        }
        #expect(start.duration(to: .now) < .seconds(40))
        other = nil
        #expect(try user.doorstep("value", Self.app, Self.step).output == "true\n")
    }

    @Test("a writer that is only in the middle of something is waited for")
    func waits() throws {
        let user = try user()
        try user.succeed("record", Self.app, Self.step, "true")
        let other = try TestDatabase(user.suite)
        try other.run("BEGIN IMMEDIATE; UPDATE records SET at = 0")
        // Readers aren't held up at all.
        #expect(try user.doorstep("value", Self.app, Self.step).output == "true\n")
        let writer = try CommandRunner.Running(
            [CommandRunner.doorstep, "record", Self.app, Self.step, "false"], environment: user.environment,
            directory: user.directory, output: nil)
        try other.run("ROLLBACK")
        #expect(try writer.finish().status == 0)
        #expect(try user.doorstep("value", Self.app, Self.step).output == "false\n")
    }

    @Test("what is erased where there is no room to rewrite the file is told so", .enabled(if: Unshare.isAllowed))
    func erasesOnFullDisk() throws {
        let user = try user()
        let records = (0..<2000).map { number in
            #"{"kind":"record","prefix":"com.example.old.","step":"com.example.old.\#(number)","value":true,"#
                + #""revision":1,"origin":"user","at":1700000000000}"#
        }
        try user.write(
            ([#"{"doorstep":"export","format":1}"#] + records).joined(separator: "\n") + "\n", to: "many.jsonl")
        let script = """
            mkdir disk && mount -t tmpfs -o size=1m,mode=700 tmpfs disk || exit 99
            export DOORSTEP_SUITE=disk/suite.db
            "$0" record \(Self.app) \(Self.step) true > /dev/null && "$0" import many.jsonl > /dev/null || exit 98
            room=$(stat -f -c %a disk)
            head -c $((room * 4096 - 131072)) /dev/zero > disk/filler
            "$0" erase \(Self.app); echo $?
            rm disk/filler
            "$0" erase \(Self.app); echo $?
            umount disk
            """
        let result = try CommandRunner.run(
            ["/usr/bin/unshare", "--mount", "/bin/sh", "-c", script, CommandRunner.doorstep],
            environment: user.environment, directory: user.directory)
        #expect(result.lines.filter { $0.count < 3 } == ["74", "0"], "\(result.testDescription)")
        #expect(result.errors.contains("couldn't be rewritten") && result.errors.contains("no space is left"))
    }

    @Test("a full disk is 74 and takes nothing away", .enabled(if: Unshare.isAllowed))
    func fullDisk() throws {
        let user = try user()
        let script = """
            mkdir disk && mount -t tmpfs -o size=512k,mode=700 tmpfs disk || exit 99
            export DOORSTEP_SUITE=disk/suite.db
            "$0" record \(Self.app) \(Self.step) true || exit 98
            cat /dev/zero > disk/filler 2>/dev/null
            "$0" record \(Self.app) \(Self.app).welcome true; echo $?
            rm disk/filler
            "$0" value \(Self.app) \(Self.step)
            "$0" value \(Self.app) \(Self.app).welcome
            "$0" record \(Self.app) \(Self.app).welcome true
            umount disk
            mount -t tmpfs -o size=16k,mode=700 tmpfs disk
            "$0" record \(Self.app) \(Self.step) true; echo $?
            ls -A disk
            umount disk
            """
        let result = try CommandRunner.run(
            ["/usr/bin/unshare", "--mount", "/bin/sh", "-c", script, CommandRunner.doorstep],
            environment: user.environment, directory: user.directory)
        #expect(
            result.lines == [
                "recorded \(Self.step): true", "74", "true", "unrecorded", "recorded \(Self.app).welcome: true", "74",
            ], "\(result.testDescription)")
        #expect(result.errorLines.count == 2 && result.errors.contains("space"), "\(result.testDescription)")
    }
}
