import DoorstepPluginHost
import DoorstepPluginKit
import Foundation
import Testing

@Suite("An external plugin in a pass")
struct PassTests {
    @Test("sees the environment that its description names and the few common variables, nothing else")
    func environment() async throws {
        let house = try PluginHouse()
        try house.installMisbehaving(more: #""environment": ["NAMED"]"#)
        let secrets = [
            "LD_PRELOAD": "/tmp/evil.so", "GITHUB_TOKEN": "secret", "SSH_AUTH_SOCK": "/tmp/agent", "PATH": "/tmp",
            "HOME": "/home/ada", "LANG": "de_DE.UTF-8", "NAMED": "yes",
        ]
        // What the host itself has must not reach the plugin either, so the real environment holds a secret, too.
        setenv("DOORSTEP_TEST_SECRET", "secret", 1)
        let answer = try await TestPass(environment: secrets).run(
            house.plugins().plugin("misbehaving"), [["do": "environment"]])[0]
        // LC_CTYPE is Python's own doing.
        let names = answer.evidence.split(separator: " ").filter { $0 != "LC_CTYPE" }
        #expect(names == ["HOME", "LANG", "NAMED", "PATH"])
    }

    @Test(
        "gets no privileges, no core files, no descriptors but its three and its own script, and a session of its own")
    func state() async throws {
        let house = try PluginHouse()
        try house.installMisbehaving()
        let answer = try await TestPass().run(house.plugins().plugin("misbehaving"), [["do": "state"]])[0]
        #expect(answer.evidence.contains("cwd=/ session=True core=0 privileges=1 blocked=0000000000000000"))
        #expect(answer.evidence.contains("descriptors=0,1,2,3 umask=0077"), "\(answer.evidence)")
    }

    @Test("answers 50 questions of a pass with one start, and the next pass starts it anew")
    func oneStart() async throws {
        let house = try PluginHouse()
        let program = """
            #!/bin/sh
            echo start >> \(house.directory)/starts
            \(PluginHouse.shell(kind: "counted", answer: #""satisfied":true,"evidence":"yes""#).dropFirst(10))
            """
        try house.install("counted", program: program)
        for pass in 1...2 {
            let plugin = try house.plugins().plugin("counted")
            let answers = try await TestPass().run(plugin, Array(repeating: [:], count: 50))
            #expect(answers.allSatisfy { $0.isSatisfied == true })
            let starts = try String(contentsOfFile: house.directory + "/starts", encoding: .utf8)
            #expect(starts.split(separator: "\n").count == pass)
        }
    }

    @Test("that answers by three lines of shell is a complete plugin")
    func threeLines() async throws {
        let house = try PluginHouse()
        try house.install(
            "short",
            program: """
                #!/bin/sh
                read -r hello && printf '{"id":0,"hello":{"protocol":1,"kinds":["short"]}}\\n'
                read -r check && printf '{"id":1,"satisfied":true,"evidence":"yes"}\\n'
                """)
        let plugin = try house.plugins().plugin("short")
        #expect(try await TestPass().run(plugin, [[:]])[0].isSatisfied == true)
        let question = OptionQuestion(plugin: plugin, options: [:], path: .root)
        #expect(house.plugins().faults(in: [question]).isEmpty)
    }

    @Test("tells what is wrong with options by their place in the manifest")
    func validation() throws {
        let house = try PluginHouse()
        let answer = #""faults":[{"path":"/list/1/a~1b","message":"no good"}]"#
        try house.install("picky", program: PluginHouse.shell(kind: "picky", answer: answer))
        let place = JSONPath.root.key("steps").index(3).key("options")
        let question = OptionQuestion(plugin: try house.plugins().plugin("picky"), options: [:], path: place)
        let faults = house.plugins().faults(in: [question, question])
        #expect(faults.map(\.description) == Array(repeating: #"steps[3].options.list[1]["a/b"]: no good"#, count: 2))
    }

    @Test("whose interpreter isn't there is told so")
    func noInterpreter() async throws {
        let house = try PluginHouse()
        try house.install("lost", program: "#!/no/such/interpreter\n")
        let answer = try await TestPass().run(house.plugins().plugin("lost"), [[:]])[0]
        #expect(answer.evidence.contains("the program that its first line names isn't there"), "\(answer.evidence)")
    }

    @Test("makes a page in the reader's language, under the manifest's own texts, and performs its action")
    func pages() async throws {
        let house = try PluginHouse()
        let directory = house.directory
        try house.install(
            "paged",
            program: PluginHouse.shell(
                """
                *'"hello":'*) printf '{"id":%s,"hello":{"protocol":1,"kinds":["paged"],"features":["page"]}}\\n' "$id" ;;
                *'"page":'*'"locale":"de"'*) printf '{"id":%s,%s}\\n' "$id" "$page" ;;
                *'"perform":'*'"action":"open"'*) echo opened > \(directory)/opened; printf '{"id":%s,%s}\\n' "$id" "$page" ;;
                """, first: #"page='"page":{"title":"Seite","action":{"name":"open","title":"Öffnen"},"future":1}'"#))
        let step = try BoundStep(try house.plugins().plugin("paged"), options: [:], at: .root)
        let pass = TestPass()
        var context = pass.context()
        context.texts.headline = "From the manifest"
        context.satisfaction = .cannotTell("nobody knows")
        let page = try await step.page(in: context)
        #expect(page.title == "Seite")
        #expect(page.headline == "From the manifest")
        #expect(page.status == "nobody knows")
        #expect(page.primary == .perform(action: "open", title: .custom("Öffnen")))
        try await step.perform("open", in: context)
        #expect(house.names.contains("opened"))
        await pass.end()
    }

    @Test("that makes no page gets a plain one, which doesn't record what isn't so")
    func plainPage() async throws {
        let house = try PluginHouse()
        try house.install(
            "plain", program: PluginHouse.shell(kind: "plain", answer: #""satisfied":true,"evidence":"x""#))
        let step = try BoundStep(try house.plugins().plugin("plain"), options: [:], at: .root)
        let pass = TestPass()
        let page = try await step.page(in: pass.context())
        #expect(page.title == "A plugin of a test")
        if case .complete = page.primary { Issue.record("going on would record the step") }
        await pass.end()
    }

    @Test(
        "whose page goes wrong gets a plain one, with the reason",
        arguments: [
            (#""error":{"message":"the lights are off"}"#, "the lights are off"),
            (#""valid":true"#, "the plugin \"dim\" answered with something else than a page"),
            (#""page":7"#, "the plugin \"dim\" can't tell: it broke the protocol: "),
        ])
    func brokenPage(_ answer: String, _ reason: String) async throws {
        let house = try PluginHouse()
        try house.install("dim", program: PluginHouse.shell(kind: "dim", answer: answer, features: "page"))
        let step = try BoundStep(try house.plugins().plugin("dim"), options: [:], at: .root)
        let pass = TestPass()
        let page = try await step.page(in: pass.context())
        #expect(page.title == "A plugin of a test")
        #expect(page.status?.hasPrefix(reason) == true, "\(page.status ?? "")")
        await pass.end()
    }

    @Test("whose page has no action of its own gets another look as its action")
    func pageWithoutAction() async throws {
        let house = try PluginHouse()
        let answer = #""page":{"title":"Seite"}"#
        try house.install("calm", program: PluginHouse.shell(kind: "calm", answer: answer, features: "page"))
        let step = try BoundStep(try house.plugins().plugin("calm"), options: [:], at: .root)
        let pass = TestPass()
        var context = pass.context()
        context.satisfaction = Satisfaction(isSatisfied: false, status: .denied, evidence: "not yet")
        guard case .perform(let action, .tryAgain) = try await step.page(in: context).primary else {
            Issue.record("going on would record the step")
            return
        }
        // It asks the program for nothing.
        try await step.perform(action, in: context)
        context.satisfaction = Satisfaction(
            isSatisfied: true, status: .granted(.always), basis: .explicit, evidence: "now")
        #expect(try await step.page(in: context).primary == .complete(title: nil))
        await pass.end()
    }

    @Test("that can't look at options is a mistake of the manifest, with the reason")
    func validationFails() throws {
        let house = try PluginHouse()
        try house.install("dead", program: "#!/bin/sh\nexit 3\n")
        try house.install("lost", program: PluginHouse.shell(kind: "lost", answer: #""error":{"message":"no map"}"#))
        let questions = try ["dead", "lost"].map {
            OptionQuestion(plugin: try house.plugins().plugin($0), options: [:], path: .root.key("options"))
        }
        let faults = house.plugins().faults(in: questions).map(\.description)
        #expect(
            faults == [
                "options: the plugin \"dead\" can't look at them: it exited with status 3 before it answered",
                "options: the plugin \"lost\" can't look at them: no map",
            ])
    }

    @Test("is told when a question is cancelled; one that wasn't put yet is never put", arguments: [true, false])
    func cancelled(isGreeted: Bool) async throws {
        let house = try PluginHouse()
        let directory = house.directory
        try house.install(
            "slow",
            program: PluginHouse.shell(
                """
                *'"hello":'*)
                    \(isGreeted ? "" : "while [ ! -e \(directory)/go ]; do sleep 0.01; done")
                    printf '{"id":%s,"hello":{"protocol":1,"kinds":["slow"],"features":["page"]}}\\n' "$id" ;;
                """, first: "printf '%s\\n' \"$line\" >> \(directory)/lines"))
        func lines() -> String { (try? String(contentsOfFile: directory + "/lines", encoding: .utf8)) ?? "" }
        let step = try BoundStep(try house.plugins().plugin("slow"), options: [:], at: .root)
        let pass = TestPass()
        let context = pass.context()
        let question = Task { try await step.page(in: context) }
        let sign = isGreeted ? "\"page\":" : "\"hello\":"
        let deadline = ContinuousClock.now + .seconds(20)
        while !lines().contains(sign), .now < deadline { await Task.yield() }
        question.cancel()
        #expect(try await question.value.status?.contains("it was cancelled") == true)
        try house.write("", to: "go")
        while isGreeted, !lines().contains("cancel"), .now < deadline { await Task.yield() }
        await pass.end()
        #expect(lines().contains("{\"cancel\":1}") == isGreeted, "\(lines())")
        #expect(lines().contains("\"page\":") == isGreeted, "\(lines())")
    }
}
