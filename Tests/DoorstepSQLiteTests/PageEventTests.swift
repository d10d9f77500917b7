import Doorstep
import DoorstepSQLite
import Foundation
import Testing

@Suite struct `What was shown is kept` {
    private func event(
        _ kind: OnboardingPageEvent.Kind, _ step: OnboardingStepID = auroraStep, app: String = "com.example.aurora"
    ) -> OnboardingPageEvent {
        OnboardingPageEvent(
            at: OnboardingInstant(milliseconds: 1_700_000_000_123), prefix: app + ".", app: app, step: step, kind: kind,
            showing: "one")
    }

    @Test func `Events are read in their order, by app, from a place on`() throws {
        let directory = try TemporaryDirectory()
        let suite = try OnboardingSuite.open(at: directory.path + "/suite.db")
        #expect(try suite.pageEvents() == [])
        #expect(try directory.names == [], "a read creates nothing")

        try suite.append([event(.shown), event(.answered), event(.shown, app: "com.example.lantern")])
        try suite.append([])
        try suite.append([event(.finished)])

        var expected = [event(.shown), event(.answered), event(.finished)]
        for (index, sequence) in [1, 2, 4].enumerated() { expected[index].sequence = Int64(sequence) }
        #expect(try suite.pageEvents(app: "com.example.aurora") == expected)
        #expect(try suite.pageEvents(prefix: "com.example.lantern.").map(\.sequence) == [3])
        #expect(try suite.pageEvents(after: 1, limit: 2).map(\.sequence) == [2, 3])
        #expect(try suite.history() == [], "no record has changed")
    }

    @Test func `Events that can't be kept are all refused together`() throws {
        let directory = try TemporaryDirectory()
        let suite = try OnboardingSuite.open(at: directory.path + "/suite.db")
        let error = failure { try suite.append([event(.shown), event(.left, "")]) }
        #expect(error?.code == .invalid)
        #expect(try suite.pageEvents() == [])
    }
}
