import DoorstepTestSupport
import CFaults
import Doorstep
import DoorstepSQLite
import Glibc

/// Every system call of a scenario fails once, and every one from some moment on, with each error that systems give.
struct FaultTrial {
    /// An error that calls of some kinds give.
    struct Fault {
        let name: String
        let kinds: Int32
        let error: Int32

        static let all = [
            Fault(name: "ENOSPC", kinds: Int32(FAULT_EVERYTHING), error: ENOSPC),
            Fault(name: "EIO", kinds: Int32(FAULT_EVERYTHING), error: EIO),
            Fault(name: "EROFS", kinds: Int32(FAULT_EVERYTHING & ~(FAULT_READ | FAULT_LOCK)), error: EROFS),
            Fault(name: "EACCES", kinds: Int32(FAULT_EVERYTHING & ~(FAULT_READ | FAULT_LOCK)), error: EACCES),
            Fault(name: "EINVAL names", kinds: Int32(FAULT_NAME), error: EINVAL),
            Fault(name: "ENOSYS locks", kinds: Int32(FAULT_LOCK), error: ENOSYS),
            Fault(name: "ENOLCK", kinds: Int32(FAULT_LOCK), error: ENOLCK),
            Fault(name: "EINTR", kinds: Int32(FAULT_READ | FAULT_WRITE | FAULT_OPEN), error: EINTR),
        ]
    }

    /// What came of the moments of one scenario.
    struct Tally {
        var moments = 0
        var errors = 0
        var successes = 0
        var undecided = 0
    }

    let scenario: Scenario
    let directory: TrialDirectory
    private let files: [String: [UInt8]]
    private let before: SuiteState
    private let after: SuiteState
    private let answer: String

    /// Runs the scenario undisturbed first, to know what it begins from and what it comes to.
    init(_ scenario: Scenario, in place: String) throws {
        self.scenario = scenario
        directory = try TrialDirectory(in: place)
        try scenario.prepare(directory)
        files = try directory.files()
        before = try SuiteState(of: directory.suite, isPruned: scenario.isPruned)
        try directory.put(files)
        do {
            let suite = try Scenario.open(directory.suite)
            answer = try scenario.act(suite)
            try suite.close()
        }
        after = try SuiteState(of: directory.suite, isPruned: scenario.isPruned)
    }

    /// Moments one after the other, until a run meets no fault.
    ///
    /// - Parameter turns: The first moment and how far the next one is: 1 and 1 for all of them.
    func run(_ fault: Fault, mode: Int, turns: (first: Int, by: Int)) throws -> Tally {
        var tally = Tally()
        for turn in stride(from: turns.first, through: .max, by: turns.by) {
            if try !isDone(fault, mode: mode, turn: turn, &tally) { return tally }
        }
        return tally
    }

    /// One run; whether it met the fault.
    private func isDone(_ fault: Fault, mode: Int, turn: Int, _ tally: inout Tally) throws -> Bool {
        var kind: Int32 = 0
        func finding(_ text: String) -> Finding {
            let moment = "\(fault.name) \(mode == FAULT_ONCE ? "at" : "from") call \(turn), of kind \(kind)"
            return Finding("\(scenario.name), \(moment): \(text)")
        }
        try directory.put(files)
        let suite = try Scenario.open(directory.suite)
        var outcome: Result<String, any Error>
        let isDamage = scenario.survivesLostBlocks && fault.error == EIO
        fault_arm(isDamage ? fault.kinds & ~Int32(FAULT_READ) : fault.kinds, turn, Int32(mode), fault.error)
        outcome = Result { try scenario.act(suite) }
        kind = fault_disarm()
        guard kind != 0 else {
            guard case .success(answer) = outcome else { throw finding("it fails without a fault: \(outcome)") }
            return false
        }
        tally.moments += 1
        switch outcome {
        case .success(let given):
            tally.successes += 1
            if given != answer { throw finding("a wrong answer: \(given), where \(answer) is right") }
        case .failure(let error as OnboardingStorageError):
            tally.errors += 1
            if [.damaged, .newer, .foreign, .invalid].contains(error.code) {
                throw finding("a fault of the system is told as \(error.code): \(error.message)")
            }
        case .failure(let error): throw finding("an error without a type: \(error)")
        }
        var message = ""
        if case .failure(let error as OnboardingStorageError) = outcome { message = error.message }
        // Only where it can't be removed may a half copy stay.
        if case .failure = outcome, mode == FAULT_ONCE, kind != FAULT_DELETE, directory.names.contains("suite.db.copy")
        {
            throw finding("an error, and a copy is left")
        }
        do {
            try check(suite, mode, message, isAcknowledged: (try? outcome.get()) != nil, &tally)
        } catch let found as Finding {
            throw finding(found.text)
        } catch {
            throw finding("afterwards: \(error)")
        }
        return true
    }

    /// Looks at what the run has left, for readers of now and for those after everything was closed; then the same is done
    /// again, undisturbed.
    private func check(
        _ suite: OnboardingSuite, _ mode: Int, _ message: String, isAcknowledged: Bool, _ tally: inout Tally
    )
        throws
    {
        try scenario.checkLog(of: files, in: directory)
        var state = try SuiteState(of: directory.suite, isPruned: scenario.isPruned)
        try suite.close()
        let closed = try SuiteState(of: directory.suite, isPruned: scenario.isPruned)
        if closed != state { throw Finding("closing changes \(state) to \(closed)") }
        state = closed
        if isAcknowledged, state != after { throw Finding("success, but the suite holds \(state)") }
        if !isAcknowledged, state != before {
            // Where the disk fails for good in the moment of the commit, nobody can undo what it has taken already; and in a
            // suite without a log, a call can fail when the journal is gone, which is told so.
            let canBeKept = mode == FAULT_FROM || message.contains("what was changed stands in the file")
            if state != after || !canBeKept { throw Finding("an error, and the suite holds \(state)") }
            tally.undecided += 1
        }
        unlink(directory.suite + ".copy")
        if state == before {
            let again = try scenario.act(suite)
            if again != answer { throw Finding("done again, the answer is \(again), where \(answer) is right") }
            try suite.close()
            let state = try SuiteState(of: directory.suite, isPruned: scenario.isPruned)
            if state != after { throw Finding("done again, the suite holds \(state)") }
            try scenario.checkLog(of: files, in: directory)
        }
    }

    /// All scenarios; prints a line for each.
    ///
    /// - Parameter step: One moment of so many is tried, beginning with one that the seed says.
    static func run(fixtures: [String], every step: Int, seed: UInt64, in place: String) throws {
        var randomness = SeededGenerator(seed: seed)
        var total = Tally()
        for scenario in Scenario.all(fixtures: fixtures) {
            let trial = try FaultTrial(scenario, in: place)
            var sum = Tally()
            for fault in Fault.all {
                // Who is interrupted tries again, for ever.
                for mode in fault.error == EINTR ? [FAULT_ONCE] : [FAULT_ONCE, FAULT_FROM] {
                    let first = Int.random(in: 1...step, using: &randomness)
                    sum.add(try trial.run(fault, mode: mode, turns: (first, step)))
                }
            }
            say("faults: \(scenario.name): \(sum)")
            total.add(sum)
        }
        say("faults: all: seed \(seed): \(total)")
    }
}

extension FaultTrial.Tally: CustomStringConvertible {
    mutating func add(_ other: Self) {
        moments += other.moments
        errors += other.errors
        successes += other.successes
        undecided += other.undecided
    }

    var description: String {
        "\(moments) moments, \(errors) errors, \(successes) successes, \(undecided) told as errors and kept"
    }
}
