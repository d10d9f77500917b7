import DoorstepTestSupport
import Doorstep
import DoorstepSQLite
import Glibc

/// Writers are killed at random moments, from before the suite is made to long after, and what they had acknowledged is
/// compared with what is there.
struct WriterTrial {
    private static let writers = 2
    private static let steps = 12

    private var randomness: SeededGenerator
    private let directory: TrialDirectory
    private let fixtures: [String]
    /// What each writer has answered: what must be there.
    private var answers: [[String: Bool]] = Array(repeating: [:], count: writers)
    private var acknowledged = 0
    private var kills = 0

    private init(seed: UInt64, fixtures: [String], in place: String) throws {
        randomness = SeededGenerator(seed: seed)
        directory = try TrialDirectory(in: place)
        self.fixtures = fixtures
    }

    /// Kills so many writers, or until the time is up.
    static func run(kills: Int, until end: ContinuousClock.Instant?, seed: UInt64, fixtures: [String], in place: String)
        throws
    {
        var trial = try WriterTrial(seed: seed, fixtures: fixtures, in: place)
        do {
            while trial.kills < kills, end.map({ ContinuousClock.now < $0 }) ?? true { try trial.round() }
        } catch let finding as Finding {
            throw Finding("seed \(seed), after \(trial.kills) kills: \(finding.text)")
        }
        say("writers: seed \(seed): \(trial.kills) killed, \(trial.acknowledged) acknowledged changes kept")
    }

    private static func prefix(_ writer: Int) -> String { "com.example.w\(writer)." }

    private mutating func round() throws {
        // Some begin with nothing, some with an old suite, the others with what the last ones left.
        switch Int.random(in: 0..<100, using: &randomness) {
        case 0..<25: try begin([:])
        case 25..<40:
            if let fixture = fixtures.randomElement(using: &randomness) {
                try begin(["suite.db": try TrialDirectory.bytes(of: fixture)])
            }
        default: break
        }
        let path = directory.suite
        var children: [Child] = []
        for writer in 0..<Self.writers {
            let seed = randomness.next()
            children.append(try Child { tell in try Self.write(path, writer, seed: seed, tell) })
        }
        // The moment is what is tried here: nothing waits for something to happen.
        for child in children {
            usleep(UInt32.random(in: 0..<15_000, using: &randomness))
            child.kill()
        }
        var unfinished: [[String]?] = []
        for (writer, child) in children.enumerated() {
            let (lines, signal) = try child.finish()
            if signal != SIGKILL { throw Finding("a writer ended with signal \(signal) before it was killed") }
            unfinished.append(take(lines, of: writer))
            kills += 1
        }
        let state = try SuiteState(of: path)
        for (writer, change) in unfinished.enumerated() {
            try compare(state.answers[Self.prefix(writer)] ?? [:], of: writer, orAfter: change)
        }
    }

    private mutating func begin(_ files: [String: [UInt8]]) throws(Finding) {
        try directory.put(files)
        answers = Array(repeating: [:], count: Self.writers)
    }

    /// Reads what a writer told: a change begins with its line and is acknowledged by `done`. The one that isn't.
    private mutating func take(_ lines: [[String]], of writer: Int) -> [String]? {
        var change: [String]?
        for line in lines {
            if line[0] != "done" {
                change = line
                continue
            }
            if let change { Self.apply(change, to: &answers[writer]) }
            change = nil
            acknowledged += 1
        }
        return change
    }

    private static func apply(_ change: [String], to answers: inout [String: Bool]) {
        switch change[0] {
        case "record": answers[change[1]] = change[2] == "true"
        case "clear": answers[change[1]] = nil
        default: answers = [:]
        }
    }

    private mutating func compare(
        _ found: [String: Bool], of writer: Int, orAfter change: [String]?
    ) throws(Finding) {
        if found == answers[writer] { return }
        var after = answers[writer]
        if let change { Self.apply(change, to: &after) }
        guard found == after else {
            throw Finding("\(answers[writer]) was acknowledged, \(change ?? []) begun, and \(found) is there")
        }
        answers[writer] = after
    }

    /// Changes answers for ever.
    private static func write(_ path: String, _ writer: Int, seed: UInt64, _ tell: (String) -> Void) throws {
        var randomness = SeededGenerator(seed: seed)
        var suite = try OnboardingSuite.open(at: path, busyTimeout: .seconds(60))
        let prefix = prefix(writer)
        while true {
            let storage = try suite.storage(prefix: prefix)
            let step = OnboardingStepID(prefix + "\(Int.random(in: 0..<steps, using: &randomness))")
            switch Int.random(in: 0..<100, using: &randomness) {
            case 0..<75:
                let value = Bool.random(using: &randomness)
                tell("record \(step) \(value)")
                let inputs: [String: OnboardingInputValue]? =
                    randomness.happens(30) ? ["name": .text("Ada")] : nil
                _ = try storage.commit([
                    OnboardingChange(step: step, action: .record(value, revision: 1), origin: .user, inputs: inputs)
                ])
            case 75..<88:
                tell("clear \(step)")
                _ = try storage.commit([OnboardingChange(step: step, action: .clear, origin: .user)], eraseInputs: true)
            case 88..<92:
                tell("erase")
                _ = try suite.erase(.app(String(prefix.dropLast()), prefix: prefix))
            case 92..<96:
                _ = try storage.records()
                continue
            default:
                try suite.close()
                suite = try OnboardingSuite.open(at: path, busyTimeout: .seconds(60))
                continue
            }
            tell("done")
        }
    }
}
