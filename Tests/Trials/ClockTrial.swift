import CFaults
import Doorstep
import DoorstepSQLite

/// Answers are recorded while the clock jumps; the history keeps the order in which they came.
enum ClockTrial {
    private static let moments: [(name: String, milliseconds: Int64)] = [
        ("2026", 1_780_000_000_000), ("an hour earlier", 1_779_996_400_000), ("1970", 0), ("1969", -86_400_000),
        ("2100", 4_102_444_800_000), ("a second before 2038's end of 32 bits", 2_147_483_646_000),
        ("a second after it", 2_147_483_649_000), ("2026 again", 1_780_000_000_000),
    ]

    static func run(in place: String) throws {
        let directory = try TrialDirectory(in: place)
        let prefix = Scenario.prefix
        for (number, moment) in moments.enumerated() {
            fault_shift_clock(0)
            fault_shift_clock(moment.milliseconds / 1000 - OnboardingInstant.now.milliseconds / 1000)
            // Each as a process of its own would: with nothing kept from before.
            let suite = try OnboardingSuite.open(at: directory.suite)
            let storage = try suite.storage(prefix: prefix)
            _ = try storage.commit([Scenario.change("clock", number.isMultiple(of: 2))])
            let history = try suite.history(prefix: prefix)
            guard history.map(\.sequence) == (1...Int64(number + 1)).reversed().map({ $0 }),
                history.map(\.new) == (0...number).reversed().map({ $0.isMultiple(of: 2) })
            else { throw Finding("in \(moment.name), the history is \(history.map(\.sequence))") }
            guard let at = try storage.records()[OnboardingStepID(prefix + "clock")]?.at,
                abs(at.milliseconds - moment.milliseconds) < 60_000, history.first?.at == at
            else { throw Finding("in \(moment.name), the record is of another time") }
            let page = try suite.history(before: history[0].sequence, limit: 1)
            guard page.map(\.sequence) == (number == 0 ? [] : [Int64(number)]) else {
                throw Finding("in \(moment.name), the page before the newest change is \(page.map(\.sequence))")
            }
            try suite.close()
        }
        fault_shift_clock(0)
        _ = try SuiteState(of: directory.suite)
        say("clock: \(moments.count) moments from 1969 to 2100, back and forth: the history keeps its order")
    }
}
