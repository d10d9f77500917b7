import DoorstepPluginHost
import DoorstepPluginKit
import Foundation
import Testing

/// One way to misbehave, and what its step is told.
struct Misbehaviour: Sendable, CustomTestStringConvertible {
    var what: String
    /// Nil where the plugin gave its answer before it went wrong, which counts.
    var reason: String?
    var timeout = "10m"

    var testDescription: String { what }

    static let all: [Misbehaviour] = [
        Misbehaviour(what: "never", reason: "no answer within ", timeout: "800ms"),
        Misbehaviour(what: "late", reason: "no answer within ", timeout: "800ms"),
        Misbehaviour(what: "stop", reason: "no answer within ", timeout: "800ms"),
        Misbehaviour(what: "close input", reason: "no answer within ", timeout: "800ms"),
        Misbehaviour(what: "die before", reason: "it exited with status 3 before it answered"),
        Misbehaviour(what: "die during", reason: "signal 9 ended it before it answered"),
        Misbehaviour(what: "die in a line", reason: "status 4 before it answered; its log ends: it went wrong"),
        Misbehaviour(what: "die after", reason: nil),
        Misbehaviour(what: "wrong id", reason: "it answered request 4711, which nobody asked"),
        Misbehaviour(what: "twice", reason: nil),
        Misbehaviour(what: "garbage", reason: "the line is not JSON"),
        Misbehaviour(what: "binary", reason: "the line is not JSON"),
        Misbehaviour(what: "invalid utf-8", reason: "the line is not JSON"),
        Misbehaviour(what: "another answer", reason: "answered a check with something else"),
        Misbehaviour(what: "no evidence", reason: "\"evidence\" must be one line of text"),
        Misbehaviour(what: "100 MB", reason: "a line is longer than 1048576 bytes"),
        Misbehaviour(what: "the limit", reason: nil),
        Misbehaviour(what: "over the limit", reason: "a line is longer than 1048576 bytes"),
        Misbehaviour(what: "close output", reason: "it closed its output"),
        Misbehaviour(what: "ignore SIGTERM", reason: nil),
        Misbehaviour(what: "grandchild", reason: nil),
        Misbehaviour(what: "setsid", reason: nil),
        Misbehaviour(what: "10 MB of log", reason: nil),
        Misbehaviour(what: "flood before hello", reason: "before hello"),
        Misbehaviour(what: "unknown protocol", reason: "it speaks protocol 7, and this doorstep 1"),
        Misbehaviour(what: "another kind", reason: "it serves other, not \"misbehaving\""),
    ]

    /// A number that no other process has among its arguments.
    static func marker() -> String { "98\(UInt32.random(in: 1_000_000...9_999_999))" }

    /// Runs the misbehaving plugin beside a good one: what both said.
    func run(marker: String, in house: PluginHouse) async throws -> (bad: Satisfaction, good: Satisfaction) {
        try house.installMisbehaving(timeout: timeout)
        let answer = #""satisfied":true,"evidence":"good""#
        try house.install("good", program: PluginHouse.shell(kind: "good", answer: answer))
        let plugins = house.plugins()
        let answers = try await TestPass().run([
            (try plugins.plugin("misbehaving"), ["do": .string(what), "marker": .string(marker)]),
            (try plugins.plugin("good"), [:]),
        ])
        return (answers[0], answers[1])
    }
}

@Suite("A misbehaving plugin")
struct MisbehaviourTests {
    @Test("costs only its own step, with a reason, and leaves nobody behind", arguments: Misbehaviour.all)
    func costsOnlyItsOwn(_ misbehaviour: Misbehaviour) async throws {
        let house = try PluginHouse()
        let marker = Misbehaviour.marker()
        let (bad, good) = try await misbehaviour.run(marker: marker, in: house)
        if let reason = misbehaviour.reason {
            #expect(bad.isSatisfied == nil)
            #expect(bad.status == .unknown)
            #expect(bad.evidence.contains(reason), "\(bad.evidence)")
        } else {
            #expect(bad.isSatisfied == true, "\(bad.evidence)")
        }
        #expect(good.isSatisfied == true && good.evidence == "good", "\(good.evidence)")
        #expect(Leftovers.processes(marked: marker).isEmpty)
        #expect(Leftovers.processes(marked: house.directory + "/misbehaving").isEmpty)
    }

    /// How a plugin goes wrong: what it says of itself, and what it does when it is asked.
    struct Illness: Sendable {
        var hello = #""protocol":1,"kinds":["ill"]"#
        var check = ""
        var reason: String

        static let all = [
            Illness(
                check: "echo 'it went wrong' >&2; exit 4",
                reason: "it exited with status 4 before it answered; its log ends: it went wrong"),
            Illness(check: "kill -9 $$", reason: "signal 9 ended it before it answered"),
            Illness(check: "exec >&-; sleep 1000", reason: "it closed its output"),
            Illness(hello: #""protocol":7,"kinds":["ill"]"#, reason: "it speaks protocol 7, and this doorstep 1"),
            Illness(hello: #""protocol":1,"kinds":["other"]"#, reason: "it serves other, not \"ill\""),
            Illness(
                hello: #""protocol":1,"kinds":["a\u001b[31mb","c","\#(String(repeating: "d", count: 4000))","e","f"]"#,
                reason: "it serves a [31mb, c, \(String(repeating: "d", count: 80))… and 2 more, not \"ill\""),
        ]
    }

    @Test("has one reason, in its step and in a conformance run", arguments: Illness.all)
    func reasons(_ illness: Illness) async throws {
        let house = try PluginHouse()
        try house.install(
            "ill",
            program: PluginHouse.shell(
                """
                *'"hello":'*) echo '{"id":0,"hello":{\(illness.hello)}}' ;;
                *) \(illness.check.isEmpty ? ":" : illness.check) ;;
                """))
        let answer = try await TestPass().run([(try house.plugins().plugin("ill"), [:])])[0]
        #expect(answer.evidence.contains(illness.reason), "\(answer.evidence)")
        let run = PluginConformance(try InstalledPlugin(kind: "ill", in: house.directory))
        let verdict = try #require(run.verdict(on: "answers a check in time, with evidence"))
        guard case .failed(let reason) = verdict.outcome else {
            Issue.record("the check passed")
            return
        }
        #expect(reason.contains(illness.reason), "\(reason)")
    }

    @Test("leaves no process, zombie, descriptor, thread or file: counted in a process of its own")
    func leavesNothing() async {
        await #expect(processExitsWith: .success) {
            let house = try PluginHouse()
            let warm = Misbehaviour(what: "fine", reason: nil)
            _ = try await warm.run(marker: "1", in: house)
            #expect(await Leftovers.threadsEnd())
            let before = Leftovers.descriptors()
            let names = house.names
            for misbehaviour in Misbehaviour.all {
                _ = try await misbehaviour.run(marker: "1", in: house)
                let children = Leftovers.children()
                #expect(children == [], "\(misbehaviour.what): \(children)")
                #expect(await Leftovers.threadsEnd(), "\(misbehaviour.what)")
                let more = Leftovers.descriptors().symmetricDifference(before)
                #expect(more.isEmpty, "\(misbehaviour.what): \(more)")
                #expect(house.names == names, "\(misbehaviour.what): \(house.names)")
            }
        }
    }

    @Test("that never reads while the host has much to write is told so, and holds nobody up")
    func neverReads() async throws {
        let house = try PluginHouse()
        // It must have started by then, also on a busy machine: what it hasn't been sent, it can't leave unread.
        try house.installMisbehaving(timeout: "10s")
        let filler = JSONValue.string(String(repeating: "x", count: 4000))
        let questions = Array(repeating: JSONObject([("do", "never read"), ("filler", filler)]), count: 60)
        let answers = try await TestPass().run(try house.plugins().plugin("misbehaving"), questions)
        #expect(answers.allSatisfy { $0.isSatisfied == nil })
        #expect(
            answers.contains { $0.evidence.contains("it doesn't read its input") },
            "\(Set(answers.map(\.evidence)))")
    }

    @Test("that answers twice is believed once, and no more after that")
    func twice() async throws {
        let house = try PluginHouse()
        try house.installMisbehaving()
        let plugin = try house.plugins().plugin("misbehaving")
        let step = try BoundStep(plugin, options: ["do": "twice"], at: .root)
        let pass = TestPass()
        #expect(await step.satisfaction(in: pass.context()).isSatisfied == true)
        let second = await step.satisfaction(in: pass.context())
        #expect(second.evidence.contains("it answered request 1 twice"), "\(second.evidence)")
        await pass.end()
    }

    @Test("is killed with its host")
    func diesWithItsHost() async throws {
        let marker = Misbehaviour.marker()
        setenv("DOORSTEP_TEST_MARKER", marker, 1)
        await #expect(processExitsWith: .failure) {
            let house = try PluginHouse()
            try house.installMisbehaving()
            let marker = ProcessInfo.processInfo.environment["DOORSTEP_TEST_MARKER"] ?? ""
            let plugin = try house.plugins().plugin("misbehaving")
            let step = try BoundStep(plugin, options: ["do": "ignore SIGTERM", "marker": .string(marker)], at: .root)
            let pass = TestPass()
            _ = await step.satisfaction(in: pass.context())
            kill(getpid(), SIGKILL)
            await pass.end()
        }
        let deadline = ContinuousClock.now + .seconds(10)
        while !Leftovers.processes(marked: marker).isEmpty, .now < deadline { await Task.yield() }
        #expect(Leftovers.processes(marked: marker).isEmpty)
    }

    @Test("is killed with its keeper")
    func diesWithItsKeeper() async throws {
        let house = try PluginHouse()
        try house.install(
            "kept",
            program: PluginHouse.shell(
                """
                *'"hello":'*) printf '{"id":%s,"hello":{"protocol":1,"kinds":["kept"]}}\\n' "$id" ;;
                *) printf '{"id":%s,"satisfied":true,"evidence":"%s %s"}\\n' "$id" "$PPID" "$$"; exec sleep 1000 ;;
                """))
        let step = try BoundStep(try house.plugins().plugin("kept"), options: [:], at: .root)
        let pass = TestPass()
        let numbers = await step.satisfaction(in: pass.context()).evidence.split(separator: " ")
            .compactMap { pid_t($0) }
        let (keeper, program) = (try #require(numbers.first), try #require(numbers.last))
        // A program that has ended has no arguments, also where nobody has reaped it yet.
        func isAsleep() -> Bool {
            FileManager.default.contents(atPath: "/proc/\(program)/cmdline")?.starts(with: Data("sleep".utf8)) == true
        }
        let deadline = ContinuousClock.now + .seconds(10)
        while !isAsleep(), .now < deadline { await Task.yield() }
        try #require(isAsleep())
        kill(keeper, SIGKILL)
        let second = await step.satisfaction(in: pass.context())
        #expect(second.evidence.contains("its keeper is gone"), "\(second.evidence)")
        await pass.end()
        while isAsleep(), .now < deadline { await Task.yield() }
        #expect(!isAsleep())
    }
}
