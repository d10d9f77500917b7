import DoorstepTestSupport
import Doorstep
import DoorstepSQLite
import Glibc

/// Many processes do everything at once to one suite.
struct LoadTrial {
    private static let shared = "com.example.shared."

    /// What one process has done.
    private struct Work {
        var changes = 0
        var busy = 0
        var slowest = 0.0
        var answers: [OnboardingStepID: Bool] = [:]
    }

    /// Runs so many processes with so many operations each, and compares what they did with what is there.
    static func run(processes: Int, operations: Int, seed: UInt64, in place: String) throws {
        let directory = try TrialDirectory(in: place)
        var gate: [Int32] = [0, 0]
        guard pipe(&gate) == 0 else { throw Finding("no pipe can be made") }
        var children: [Child] = []
        for number in 0..<processes {
            children.append(
                try Child { tell in
                    // All begin when the writing end is closed everywhere.
                    close(gate[1])
                    var byte: UInt8 = 0
                    while read(gate[0], &byte, 1) > 0 {}
                    let work = try work(
                        directory.suite, number, operations, SeededGenerator(seed: seed &+ UInt64(number) &* 7919))
                    tell("worked \(work.changes) \(work.busy) \(work.slowest)")
                })
        }
        close(gate[1])
        var (changes, busy, slowest) = (0, 0, 0.0)
        let seconds =
            try milliseconds(of: {
                for child in children {
                    guard let line = try child.finish().lines.first, line.count == 4, line[0] == "worked" else {
                        throw Finding("a process ended before its work did")
                    }
                    changes += Int(line[1]) ?? 0
                    busy += Int(line[2]) ?? 0
                    slowest = max(slowest, Double(line[3]) ?? 0)
                }
            }) / 1000
        close(gate[0])
        let state = try SuiteState(of: directory.suite)
        if state.events != changes {
            throw Finding("\(changes) changes were made, and \(state.events) are in the history")
        }
        say(
            "load: seed \(seed): \(processes) processes × \(operations) operations in \(fixed(seconds)) s, "
                + "\(changes) changes, all in the history; slowest \(fixed(slowest)) ms, busy \(busy) times")
    }

    private static func fixed(_ number: Double) -> String { "\((number * 10).rounded() / 10)" }

    private static func work(
        _ path: String, _ number: Int, _ operations: Int, _ randomness: SeededGenerator
    ) throws -> Work {
        var (work, randomness) = (Work(), randomness)
        let own = "com.example.p\(number)."
        var suite = try OnboardingSuite.open(at: path)
        for operation in 0..<operations {
            if operation % 40 == 39 {
                // As the next start of an app.
                try suite.close()
                suite = try OnboardingSuite.open(at: path)
            }
            let took = try milliseconds(of: {
                do {
                    try one(suite, own, &work, &randomness)
                } catch let error as OnboardingStorageError where error.code == .busy {
                    work.busy += 1
                }
            })
            work.slowest = max(work.slowest, took)
        }
        let found = try suite.storage(prefix: own).records().mapValues(\.value)
        if found != work.answers { throw Finding("process \(number) answered \(work.answers), and \(found) is there") }
        try suite.close()
        return work
    }

    private static func one(
        _ suite: OnboardingSuite, _ own: String, _ work: inout Work, _ randomness: inout SeededGenerator
    ) throws {
        let storage = try suite.storage(prefix: own)
        let step = OnboardingStepID("\(own)\(Int.random(in: 0..<12, using: &randomness))")
        switch Int.random(in: 0..<100, using: &randomness) {
        case 0..<45:
            let found = try storage.records().mapValues(\.value)
            if found != work.answers { throw Finding("\(work.answers) was answered, and \(found) was read") }
        case 45..<70:
            let value = Bool.random(using: &randomness)
            _ = try storage.commit([OnboardingChange(step: step, action: .record(value, revision: 1), origin: .user)])
            work.answers[step] = value
            work.changes += 1
        case 70..<78:
            _ = try storage.commit([OnboardingChange(step: step, action: .clear, origin: .user)])
            if work.answers.removeValue(forKey: step) != nil { work.changes += 1 }
        case 78..<88:
            let step = OnboardingStepID("\(shared)\(Int.random(in: 0..<1000, using: &randomness))")
            let evidence = "\(own)\(randomness.next())"
            let records = try suite.storage(prefix: shared).commit([
                OnboardingChange(
                    step: step, action: .record(true, revision: 1), condition: .unanswered, origin: .reconcile,
                    evidence: evidence)
            ])
            guard let record = records[step] else { throw Finding("an answered step has no record") }
            // Of all who answer it at once, one is first.
            if record.evidence == evidence { work.changes += 1 }
        case 88..<94: _ = try suite.flowSnapshot(app: String(own.dropLast()))
        case 94..<98: _ = try suite.history(limit: 20)
        default:
            try suite.append([
                OnboardingPageEvent(prefix: own, app: String(own.dropLast()), step: step, kind: .shown, showing: own)
            ])
        }
    }
}
