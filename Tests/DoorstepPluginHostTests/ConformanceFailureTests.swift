import DoorstepPluginHost
import Glibc
import Testing

/// A plugin that breaks one rule of the protocol, and what a conformance run says of it.
struct BrokenRule: Sendable, CustomTestStringConvertible {
    /// What it does instead, as the branches of a shell's `case` over the lines that it gets.
    var branches: String
    var afterInput = ""
    var timeout = "10m"
    var point: String
    var reason: String

    var testDescription: String { reason }

    private static let greeting = #"'{"id":0,"hello":{"protocol":1,"kinds":["broken"]}}'"#
    private static let answer = #"printf '{"id":%s,"satisfied":true,"evidence":"yes"}\n' "$id""#

    static let all = [
        BrokenRule(
            branches: #"*hello*) echo \#(greeting); echo boo ;;"#,
            point: "says hello", reason: "it said \"boo\" without being asked"),
        BrokenRule(
            branches: "*hello*) echo sulking >&2 ;;",
            point: "says hello", reason: "it didn't answer hello; its log ends: sulking"),
        BrokenRule(
            branches: #"*hello*) echo '{"id":0,"valid":true}' ;;"#,
            point: "says hello", reason: "it answered hello with something else"),
        BrokenRule(
            branches: #"*hello*) echo '{"id":0,"hello":{"protocol":2,"kinds":["broken"]}}' ;;"#,
            point: "says hello", reason: "it speaks protocol 2, and this doorstep 1; install versions that match"),
        BrokenRule(
            branches: #"*hello*) echo '{"id":0,"hello":{"protocol":1,"kinds":["fixed"]}}' ;;"#,
            point: "says hello", reason: "it serves fixed, not \"broken\" as its description says"),
        BrokenRule(
            branches: #"*hello*) echo hello ;;"#,
            point: "says hello", reason: "it answered hello wrongly: "),
        BrokenRule(
            branches: #"*validate*) printf '{"id":%s,"faults":[{"path":"/a","message":"no good"}]}\n' "$id" ;;"#,
            point: "says what it makes of options",
            reason: "it finds fault with the options that its own schema accepts: /a no good"),
        BrokenRule(
            branches: #"*validate*) printf '{"id":%s,"error":{"message":"later"}}\n' "$id" ;;"#,
            point: "says what it makes of options", reason: "it answered validate with an error: later"),
        BrokenRule(
            branches: #"*method-of-the-future*) printf '{"id":1,"error":{"message":"what?"}}\n'; read -r ignored ;;"#,
            timeout: "10s", point: "goes on after a method that it doesn't know",
            reason: "it answered no check after an unknown method"),
        BrokenRule(
            branches:
                #"*method-of-the-future*) printf '{"id":1,"error":{"message":"what?"}}\n'; read -r ignored; read -r end ;;"#,
            timeout: "2s", point: "goes on after a method that it doesn't know",
            reason: "it answered no check after an unknown method"),
        BrokenRule(
            branches: #"*method-of-the-future*) printf '{"id":1,"valid":true}\n' ;;"#,
            point: "goes on after a method that it doesn't know",
            reason: "it answered an unknown method with no error"),
        BrokenRule(
            branches: #"*'"check"'*) head -c 1100000 /dev/zero | tr '\0' x ;;"#,
            point: "answers a check in time, with evidence",
            reason: "it broke the protocol: a line is longer than 1048576 bytes"),
        BrokenRule(
            branches: #"*hello*) echo \#(greeting); exec 0<&-; exec sleep 1000 ;;"#,
            point: "reads a long line", reason: #"it didn't read "{\"id\":1,\"check\":"#),
        BrokenRule(
            branches: "", afterInput: "exec sleep 1000", point: "exits at the end of its input",
            reason: "it didn't exit within a second of the end of its input; it would be killed"),
        BrokenRule(
            branches: "", afterInput: "kill -9 $$", point: "exits at the end of its input", reason: "signal 9 ended it"),
        BrokenRule(
            branches: "", afterInput: "exit 5", point: "exits at the end of its input",
            reason: "it exited with status 5 at the end of its input; 0 is wanted"),
        BrokenRule(
            branches: #"*'"check"'*) sleep 1000 & \#(answer) ;;"#, point: "leaves no process behind",
            reason: "processes that it had started were still running; they were killed"),
    ]

    /// The program: whatever it doesn't break, it does well.
    var program: String {
        PluginHouse.shell(
            """
            \(branches)
            *'"hello"'*) echo \(Self.greeting) ;;
            *'"validate"'*) printf '{"id":%s,"valid":true}\\n' "$id" ;;
            *'"check"'*) \(Self.answer) ;;
            *'"id"'*'method'*) printf '{"id":%s,"error":{"message":"unknown"}}\\n' "$id" ;;
            """, last: afterInput)
    }
}

@Suite("A conformance run")
struct ConformanceFailureTests {
    @Test("says of each rule that is broken what was done and what came back", arguments: BrokenRule.all)
    func broken(_ rule: BrokenRule) throws {
        let house = try PluginHouse()
        try house.install("broken", program: rule.program, timeout: rule.timeout)
        let plugin = try InstalledPlugin(kind: "broken", in: house.directory)
        let verdict = try #require(PluginConformance(plugin).verdict(on: rule.point))
        guard case .failed(let reason) = verdict.outcome else {
            Issue.record("\(verdict)")
            return
        }
        #expect(reason.hasPrefix(rule.reason), "\(reason)")
    }

    @Test("finds nothing where no rule is broken")
    func good() throws {
        let house = try PluginHouse()
        let program = BrokenRule(branches: "", point: "", reason: "").program
        try house.install("broken", program: program)
        let verdicts = PluginConformance(try InstalledPlugin(kind: "broken", in: house.directory)).run()
        #expect(verdicts.filter { !$0.isGood } == [])
    }

    @Test("says that the program can't be started, where it was swapped since it was looked at")
    func swapped() throws {
        let house = try PluginHouse()
        try house.install("broken", program: "#!/bin/sh\n")
        let plugin = try InstalledPlugin(kind: "broken", in: house.directory)
        try house.write("#!/bin/sh\nexit 1\n", to: "other", mode: 0o755)
        try #require(rename(house.directory + "/other", house.directory + "/broken") == 0)
        let verdicts = PluginConformance(plugin).run()
        guard verdicts.count == 2, case .failed(let reason) = verdicts[1].outcome else {
            Issue.record("a plugin that doesn't greet is asked nothing more: \(verdicts)")
            return
        }
        #expect(reason.contains("it changed after it was looked at"), "\(reason)")
    }

    @Test(
        "makes options of bounds that no machine has, or says that it can't",
        arguments: [
            (#""type":"integer","minimum":1e300"#, nil), (#""type":"integer","maximum":-1e300"#, nil),
            (#""type":"integer","minimum":9223372036854775807"#, nil), (#""type":"number","minimum":-1e308"#, nil),
            (#""type":"string","minLength":100000"#, nil),
            (
                #""type":"string","minLength":4611686018427387904"#,
                "characters; accepted are 4611686018427387904 or more"
            ),
            (
                #""type":"array","minItems":4611686018427387904"#,
                "elements; accepted are 4611686018427387904 or more"
            ),
            (
                #""type":"array","minItems":100000,"items":{"type":"array","minItems":100000}"#,
                "elements; accepted are 100000 or more"
            ),
            (
                #""type":"array","minItems":100000,"items":{"default":"\#(String(repeating: "x", count: 50_000))"}"#,
                "elements; accepted are 100000 or more"
            ),
        ] as [(String, String?)])
    func bounds(_ schema: String, _ fault: String?) throws {
        let house = try PluginHouse()
        try house.install(
            "broken", program: BrokenRule(branches: "", point: "", reason: "").program,
            more: #""options": { "type": "object", "required": ["it"], "properties": { "it": {\#(schema)} } }"#)
        let run = PluginConformance(try InstalledPlugin(kind: "broken", in: house.directory))
        let verdict = try #require(run.verdict(on: "has options that fit its own schema"))
        switch verdict.outcome {
        case .passed: #expect(fault == nil)
        case .failed(let reason): #expect(fault.map(reason.contains) == true, "\(reason.prefix(500))")
        case .skipped(let reason): Issue.record("skipped: \(reason)")
        }
        // Whatever they are, the plugin gets them.
        #expect(run.verdict(on: "answers a check in time, with evidence")?.outcome == .passed)
    }
}
