import DoorstepJSON
import Foundation
import Testing

@Suite("The audit")
struct AuditTests {
    private static let app = "com.example.aurora"

    /// The codes of an audit's findings, in order.
    private func codes(_ user: TestUser, _ arguments: String...) throws -> [String] {
        let result = try user.doorstep(["audit", "--json"] + arguments)
        let findings = try #require(try TestUser.object(result.output)["findings"] as? [[String: Any]])
        let counted = findings.filter { $0["note"] as? Bool == false }
        #expect(result.status == (counted.isEmpty ? 0 : 1))
        return findings.compactMap { $0["code"] as? String }
    }

    @Test("a family without faults is clean, and each step is told")
    func clean() throws {
        let user = try TestUser(.aurora())
        try user.succeed("record", Self.app, "\(Self.app).tips", "true")
        let audit = try user.succeed("audit", "--utc")
        #expect(audit.output.contains("STEP ") && audit.output.contains("1 app, 4 steps, 3 unanswered; 1 needed"))
        #expect(audit.output.contains("Z\n") && audit.output.contains("profile"))
        let json = try user.json("audit")
        let totals = try #require(json["totals"] as? [String: Any])
        #expect(totals["needed"] as? Int == 1 && totals["satisfied"] as? Int == 0 && totals["stuck"] as? Int == 0)
        let csv = try user.succeed("audit", "--csv").lines
        #expect(csv.count == 5 && csv[0].hasPrefix("suite,app,step,plugin"))
        #expect(try user.succeed("audit", "--step", "\(Self.app).tips", "--csv").lines.count == 2)
        #expect(try user.succeed("audit", "--since", "1h", "--csv").lines.count == 2)
        #expect(try user.succeed("audit", "--since", "2999-01-01", "--csv").lines.count == 1)
    }

    @Test("each kind of fault is found, with a code, a sentence and a remedy")
    func findings() throws {
        let user = try TestUser(.aurora())
        try user.succeed("record", Self.app, "\(Self.app).tips", "true")
        try user.succeed("record", Self.app, "\(Self.app).profile.name", "false")
        #expect(try codes(user) == ["required-declined"])
        var later = TestManifest.aurora()
        later.steps[0]["revision"] = 2
        later.steps.removeLast()
        later.steps.append(["id": "com.example.aurora.new", "plugin": "no-such-kind"])
        try user.drop(later)
        #expect(Set(try codes(user)) == ["unknown-plugin", "manifest-changed", "old-revision", "orphan-record"])
        #expect(try codes(user, "--finding", "orphan-record") == ["orphan-record"])
        // Only the rows that the findings are about are shown: a record that no step is left of has none.
        #expect(try user.doorstep("audit", "--finding", "orphan-record", "--csv").lines.count == 1)
        #expect(try user.doorstep("audit", "--finding", "old-revision", "--csv").lines.count == 2)
        let shown = try user.doorstep("audit", "--finding", "unknown-plugin")
        #expect(shown.lines.contains { $0.hasPrefix("unknown-plugin: ") }, "\(shown.testDescription)")
        #expect(
            shown.lines.last?.hasPrefix("1 app, 1 step") == true && shown.lines.last?.hasSuffix(": 1 finding") == true)
        try FileManager.default.removeItem(atPath: "\(user.registry)/\(Self.app).json")
        #expect(try codes(user).last == "unregistered-app")
        try user.drop(TestManifest("com.example.dusk", prefix: "com.example.aurora.dusk.", steps: []))
        try user.drop(TestManifest("com.example.dawn", prefix: "com.example.aurora.", steps: []))
        #expect(Set(try codes(user)).contains("prefix-overlap"))
        try user.write("{", to: "\(user.registry)/com.example.broken.json")
        #expect(Set(try codes(user)).contains("invalid-manifest"))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: user.suite)
        #expect(Set(try codes(user)).contains("suite-permissions"))
        let findings = try #require(
            try TestUser.object(user.doorstep("audit", "--json").output)["findings"] as? [[String: Any]])
        for finding in findings {
            #expect(
                (finding["message"] as? String)?.isEmpty == false && (finding["remedy"] as? String)?.isEmpty == false)
        }
    }

    @Test func `a manifest that was written again with the same flow is a note, and nothing is found`() throws {
        let user = try TestUser(.aurora())
        try user.succeed("record", Self.app, "\(Self.app).tips", "true")
        try user.drop(.aurora())
        #expect(try codes(user) == ["manifest-changed"])
        let audit = try user.succeed("audit")
        #expect(audit.output.contains("note: manifest-changed: ") && audit.output.contains(": nothing found, 1 note\n"))
        let totals = try #require(try user.json("audit")["totals"] as? [String: Any])
        #expect(totals["findings"] as? Int == 0 && totals["notes"] as? Int == 1)
        // The flow that is another is a finding.
        var other = TestManifest.aurora()
        other.steps.removeLast()
        try user.drop(other)
        #expect(try user.doorstep("audit", "--finding", "manifest-changed").status == 1)
    }

    @Test("several suites are read in one go, and a broken one hides no other")
    func several() throws {
        let user = try TestUser(.aurora())
        try user.succeed("record", Self.app, "\(Self.app).tips", "true")
        try FileManager.default.copyItem(atPath: user.suite, toPath: user.directory + "/b.db")
        try user.write("this is no database, but it is long enough to look like one", to: "broken.db")
        let result = try user.doorstep("audit", "--suite", "broken.db", "--suite", user.suite, "--suite", "b.db")
        #expect(result.status == 1 && result.output.contains("broken.db: can't be read: "))
        #expect(result.output.contains("in 2 suites (1 more can't be read): 1 finding"))
        let json = try TestUser.object(
            user.doorstep("audit", "--json", "--suite", "broken.db", "--suite", user.suite, "--suite", "b.db").output)
        #expect((json["suites"] as? [Any])?.count == 3 && (json["apps"] as? [Any])?.count == 2)
        let totals = try user.succeed("audit", "--totals", "--suite", "b.db").lines
        #expect(totals.count == 2 && totals[1].hasPrefix("com.example.aurora."))
    }

    @Test("history tells newest first what changed, by whom and when, and follows other processes")
    func history() throws {
        let user = try TestUser(.aurora())
        try user.succeed("record", Self.app, "\(Self.app).tips", "true")
        try user.succeed("record", Self.app, "\(Self.app).tips", "false", "--origin", "admin")
        let events = try #require(try user.json("history")["events"] as? [[String: Any]])
        #expect(events.map { $0["new"] as? Bool } == [false, true] && events[0]["origin"] as? String == "admin")
        #expect(events[0]["program"] as? String == "doorstep" && events[0]["uid"] as? Int == Int(geteuid()))
        #expect(try user.succeed("history", "--step", "\(Self.app).tips", "--limit", "1").lines.count == 2)
        var following = try CommandRunner.Running(
            [CommandRunner.doorstep, "history", "--follow", "--json"], environment: user.environment,
            directory: user.directory, output: nil)
        // It waits to be woken: from then on a change is told because it is made, not because time has passed.
        let descriptors = "/proc/\(following.process.id)/fd"
        let deadline = ContinuousClock.now + .seconds(30)
        func isWatching() -> Bool {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: descriptors)) ?? []
            return names.contains {
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(descriptors)/\($0)")
                return target == "anon_inode:inotify"
            }
        }
        while !isWatching(), ContinuousClock.now < deadline { sched_yield() }
        #expect(isWatching())
        // The first look may still be to come: changes are made until one is told.
        var count = 0
        repeat {
            count += 1
            try user.succeed("record", Self.app, "\(Self.app).profile.age", count % 2 == 0 ? "true" : "false")
        } while try !following.hasOutput(#""step":"com.example.aurora.profile.age""#) && ContinuousClock.now < deadline
        try user.succeed("clear", Self.app, "\(Self.app).tips")
        try following.waitForOutput(#""new":null"#)
        following.process.signal(SIGTERM)
        let told = try following.finish().lines.map { try TestUser.object($0)["sequence"] as? Int }
        // Each is told once and in order.
        #expect(told.count > 1 && zip(told, told.dropFirst()).allSatisfy { ($0 ?? 0) + 1 == $1 }, "\(told)")
    }

    @Test func `what is followed is told once, also behind an erasure and in a suite that took the place of another`()
        throws
    {
        let other = "com.example.basalt"
        let user = try TestUser(.aurora(), TestManifest(other, steps: [TestManifest.info("\(other).a")]))
        for value in ["true", "false", "true"] { try user.succeed("record", Self.app, "\(Self.app).tips", value) }
        var following = try CommandRunner.Running(
            [CommandRunner.doorstep, "history", "--follow", "--json"], environment: user.environment,
            directory: user.directory, output: nil)
        let deadline = ContinuousClock.now + .seconds(60)
        var count = 0
        // When it looks is its own: changes are made until one is told.
        func record(
            _ app: String, _ step: String, untilToldBy following: inout CommandRunner.Running, _ text: String
        ) throws {
            repeat {
                count += 1
                try user.succeed("record", app, step, count % 2 == 0 ? "true" : "false")
            } while try !following.hasOutput(text) && ContinuousClock.now < deadline
        }
        try record(other, "\(other).a", untilToldBy: &following, #""step":"\#(other).a""#)
        // What is left is older than what was told last.
        try user.succeed("erase", other)
        try record(Self.app, "\(Self.app).profile.age", untilToldBy: &following, #""step":"\#(Self.app).profile.age""#)
        try user.succeed("clear", Self.app, "\(Self.app).profile.age")
        try following.waitForOutput(#""new":null"#)
        for suffix in ["", "-wal", "-shm"] { unlink(user.suite + suffix) }
        try record(Self.app, "\(Self.app).welcome", untilToldBy: &following, #""step":"\#(Self.app).welcome""#)
        following.process.signal(SIGTERM)
        let told = try following.finish().lines.map { try TestUser.object($0) }
        #expect(told.allSatisfy { $0["step"] as? String != "\(Self.app).tips" }, "\(told)")
        let sequences = told.compactMap { $0["sequence"] as? Int }
        let restart = try #require(sequences.firstIndex(of: 1), "\(sequences)")
        for part in [sequences[..<restart], sequences[restart...]] { #expect(part.elementsEqual(Set(part).sorted())) }
    }

    @Test func `a suite that is named and isn't there is refused by whatever only reads or erases`() throws {
        let user = try TestUser(.aurora())
        for command in [
            ["export"], ["history"], ["report"], ["erase", "--everything"], ["erase", Self.app, "--dry-run"],
            ["history", "prune", "--before", "1d"], ["audit", "--totals"], ["backup", "copy.db"],
        ] {
            let result = try user.doorstep(command + ["--suite", "typo.db"])
            #expect(result.status == 66 && result.output.isEmpty, "\(command): \(result.testDescription)")
            #expect(result.errors.contains("there is no suite \"\(user.directory)/typo.db\""))
            // One's own may be still to come.
            if command[0] != "backup" { #expect(try user.doorstep(command).status == 0, "\(command)") }
        }
        #expect(!user.hasSuite && !FileManager.default.fileExists(atPath: user.directory + "/typo.db"))
    }

    @Test(arguments: [["audit"], ["history"], ["history", "prune"]])
    func `help and errors say how a moment is written`(command: [String]) throws {
        let user = try TestUser(.aurora())
        let option = command.count == 2 ? "--before" : "--since"
        let help = try user.doorstep(command + ["--help"], environment: ["COLUMNS": "400"])
        let error = try user.doorstep(command + [option, "soon"], environment: ["COLUMNS": "400"])
        #expect(error.status == 64)
        for text in [help.output, error.errors] {
            let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            for form in ["2026-03-01T09:30", "7d", "units s, m, h, d and w"] {
                #expect(words.contains(form), "\(text)")
            }
        }
    }

    @Test("--since also chooses among the findings, but hides nothing that is of no record")
    func since() throws {
        let user = try TestUser(.aurora())
        try user.succeed("record", Self.app, "\(Self.app).profile.name", "false")
        try TestDatabase(user.suite).run(
            "UPDATE records SET at = 1; INSERT INTO records VALUES ('com.x.', 's', 1, 1, 'user', 1, NULL)")
        #expect(try Set(codes(user)) == ["required-declined", "unregistered-app"])
        #expect(try codes(user, "--since", "2020-01-01") == [])
        #expect(try user.succeed("audit", "--since", "2020-01-01").output.contains("0 apps, 0 steps"))
        try user.succeed("record", Self.app, "\(Self.app).profile.name", "false")
        #expect(try codes(user, "--since", "2020-01-01") == ["required-declined"])
        try user.write("{", to: "\(user.registry)/com.example.broken.json")
        #expect(try codes(user, "--since", "2999-01-01") == ["invalid-manifest"])
    }

    @Test("a name that neither the registry nor the suite knows is refused with the nearest that they know")
    func unknownNames() throws {
        let user = try TestUser(.aurora())
        try user.succeed("record", Self.app, "\(Self.app).tips", "true")
        for command in ["audit", "history"] {
            for (arguments, hint) in [
                (["--app", "com.example.aurorra"], "no app \"com.example.aurorra\" is registered; did you mean"),
                (["--step", "\(Self.app).tipps"], "no app has a step \"\(Self.app).tipps\"; did you mean"),
                (["--app", Self.app, "--step", "\(Self.app).tipps"], "\"\(Self.app)\" has no step"),
                (["--app", Self.app, "--step", "elsewhere"], "; doorstep show \(Self.app) lists"),
            ] {
                let result = try user.doorstep([command] + arguments)
                #expect(
                    result.status == 66 && result.output.isEmpty && result.errors.contains(hint),
                    "\(result.testDescription)")
            }
            // What is known without an answer or a change is only nothing.
            #expect(try user.doorstep(command, "--app", Self.app, "--step", "\(Self.app).profile.age").status == 0)
        }
        // What only the suite knows is known.
        try FileManager.default.removeItem(atPath: "\(user.registry)/\(Self.app).json")
        #expect(try codes(user, "--app", Self.app) == ["unregistered-app"])
        #expect(try user.succeed("audit", "--step", "\(Self.app).tips", "--csv").lines.count == 2)
        try user.succeed("history", "--app", Self.app)
        try user.succeed("erase", Self.app)
        try user.succeed("history", "--app", Self.app)
    }

    @Test("of several suites, a name that none of them knows is told at the end")
    func unknownNameInSeveral() throws {
        let user = try TestUser(.aurora())
        try user.succeed("record", Self.app, "\(Self.app).tips", "true")
        try FileManager.default.copyItem(atPath: user.suite, toPath: user.directory + "/b.db")
        try TestDatabase(user.directory + "/b.db").run(
            "INSERT INTO records VALUES ('com.example.other.', 's', 1, 1, 'user', 1, NULL)")
        let both = ["audit", "--suite", user.suite, "--suite", "b.db"]
        #expect(try user.doorstep(both + ["--app", "com.example.other"]).status == 1)
        let result = try user.doorstep(both + ["--app", "com.example.absent", "--json"])
        #expect(result.status == 66, "\(result.testDescription)")
        #expect(result.errors.contains("no app \"com.example.absent\" is registered, or in any of 2 suites"))
        #expect((try TestUser.object(result.output)["suites"] as? [Any])?.count == 2)
        let step = try user.doorstep(both + ["--step", "absent", "--app", Self.app])
        #expect(step.status == 66 && step.errors.contains("no step \"absent\", in the registry or in any of 2 suites"))
    }

    @Test("a suite that is named and isn't there is a finding, while one's own may be still to come")
    func absentSuite() throws {
        let user = try TestUser(.aurora())
        #expect(try user.doorstep("audit").status == 0)
        let result = try user.doorstep("audit", "--suite", "absent.db")
        #expect(result.status == 1 && result.output.contains("there is no suite"), "\(result.testDescription)")
        #expect(try codes(user, "--suite", "absent.db") == ["suite-unreadable"])
        #expect(try user.doorstep("audit", "--totals", "--suite", "absent.db").status == 66)
        #expect(!FileManager.default.fileExists(atPath: user.directory + "/absent.db"))
    }

    @Test("no filter hides that a suite can't be read, or that a policy file can't")
    func unreadableUnderFilters() throws {
        let user = try TestUser(.aurora())
        try user.write("no database", to: user.suite)
        for filter in [
            ["--app", Self.app], ["--step", "x"], ["--finding", "orphan-record"], ["--since", "2999-01-01"],
        ] {
            #expect(try user.doorstep(["audit"] + filter).status == 1, "\(filter)")
        }
        try FileManager.default.removeItem(atPath: user.suite)
        try user.write("{", to: "policy.d/1.json")
        let variables = ["DOORSTEP_POLICY_PATH": user.directory + "/policy.d"]
        for arguments in [["audit", "--app", Self.app], ["audit", "--csv"]] {
            let result = try user.doorstep(arguments, environment: variables)
            #expect(
                result.status == 1 && (result.output + result.errors).contains("1.json"), "\(result.testDescription)")
        }
    }

    /// Whether the suite itself refuses a statement.
    private func isRefused(_ sql: String, _ user: TestUser) throws -> Bool {
        let result = try CommandRunner.run(
            ["/usr/bin/sqlite3", user.suite, sql], environment: user.environment, directory: user.directory)
        return result.status != 0 && result.errors.contains("never")
    }

    @Test("pruning is explicit and stays on record, and nothing else removes history")
    func prune() throws {
        let user = try TestUser(.aurora())
        try user.succeed("record", Self.app, "\(Self.app).tips", "true")
        #expect(try isRefused("DELETE FROM history", user))
        #expect(try isRefused("UPDATE history SET new = 0", user))
        #expect(try user.succeed("history", "prune", "--before", "1d").output == "removed 0 changes from the history\n")
        #expect(
            try user.succeed("history", "prune", "--before", "2999-01-01").output
                == "removed 1 changes from the history\n")
        let json = try user.json("history")
        #expect((json["events"] as? [Any])?.isEmpty == true)
        let removals = try #require(json["removals"] as? [[String: Any]])
        #expect(removals.count == 1 && removals[0]["kind"] as? String == "prune" && removals[0]["events"] as? Int == 1)
        #expect(try isRefused("DELETE FROM removals", user))
        try user.succeed("record", Self.app, "\(Self.app).tips", "false")
        #expect(try isRefused("DELETE FROM history", user))
    }
}
