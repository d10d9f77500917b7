import DoorstepPluginKit
import DoorstepRegistry
import Testing
import WelcomePlugins

@Suite struct `What every permission plugin shares` {
    func options(_ text: String) throws -> CheckOptions {
        try JSONReader.read(JSONValue(parsing: text)) { CheckOptions(from: $0) }
    }

    @Test func `without options every basis counts, and every grant that is whole`() throws {
        let acceptance = try options("{}").acceptance
        for basis in GrantBasis.allCases {
            #expect(acceptance.satisfaction(.granted(.always), basis: basis, evidence: "e").isSatisfied == true)
        }
        let counting = GrantMode.allCases.filter {
            acceptance.satisfaction(.granted($0), evidence: "e").isSatisfied == true
        }
        #expect(counting == [.always, .whileInUse, .muted])
        #expect(try options("{}").timeout == nil)
    }

    @Test(arguments: [AuthorizationStatus.notDetermined, .restricted, .denied, .unavailable, .unknown])
    func `no other status satisfies, and an unknown one can't tell`(status: AuthorizationStatus) {
        let answer = GrantAcceptance().satisfaction(status, basis: .explicit, evidence: "asked")
        #expect(answer.isSatisfied == (status == .unknown ? nil : false))
        #expect(answer.status == status)
        #expect(answer.basis == nil)
        #expect(answer.evidence == "asked")
    }

    @Test func `a grant that doesn't count says why`() throws {
        let explicit = try options(#"{ "accept": ["explicit"], "acceptModes": ["always"] }"#).acceptance
        let answers = [
            explicit.satisfaction(.granted(.always), basis: .explicit, evidence: "e"),
            explicit.satisfaction(.granted(.always), basis: .ungated, evidence: "e"),
            explicit.satisfaction(.granted(.always), evidence: "e"),
            explicit.satisfaction(.granted(.limited), basis: .explicit, evidence: "e"),
        ]
        #expect(answers.map(\.isSatisfied) == [true, false, false, false])
        #expect(
            answers.map(\.evidence) == [
                "e", "e (but a grant by ungated doesn't count here)",
                "e (but a grant by nothing known doesn't count here)",
                "e (but a grant that is limited doesn't count here)",
            ])
    }

    @Test(arguments: [
        ("500ms", Duration.milliseconds(500)), ("2s", .seconds(2)), ("1m", .seconds(60)), ("1440m", .seconds(86_400)),
        ("86400s", .seconds(86_400)), ("007s", .seconds(7)),
    ])
    func `a duration is a number and its unit`(text: String, duration: Duration) throws {
        #expect(try options(#"{ "timeout": "\#(text)" }"#).timeout == duration)
    }

    @Test(arguments: [
        "", "2", "s", "0s", "-1s", "1.5s", " 2s", "2 s", "2S", "2h", "1441m", "٢s", "99999999999999999999s", "2s\n",
    ])
    func `anything else is no duration`(text: String) {
        #expect(Duration(option: text) == nil)
    }

    @Test func `evidence is one line without control characters, of bounded length`() {
        #expect(Satisfaction.cannotTell("a\r\nb\u{2028}c\u{1B}[31md\te").evidence == "a  b c [31md e")
        let long = Satisfaction.cannotTell(String(repeating: "ü", count: 501)).evidence
        #expect(long == String(repeating: "ü", count: 500) + "…")
        #expect(Satisfaction.cannotTell(String(repeating: "ü", count: 500)).evidence.count == 500)
    }

    @Test func `of two plugins of one kind the first wins`() {
        struct Impostor: StepPlugin {
            let kind = "welcome"
            let summary = "Not the welcome"
            func page(_ options: Void, in context: StepContext) async throws(PluginError) -> StepPage {
                context.page(title: "?")
            }
        }
        let catalogue = PluginCatalogue([WelcomePlugin(), Impostor(), InfoPlugin()])
        #expect(catalogue.kinds == ["info", "welcome"])
        #expect(catalogue.plugin("welcome") is WelcomePlugin)
        #expect(catalogue.plugin("teleport") == nil)
    }
}
