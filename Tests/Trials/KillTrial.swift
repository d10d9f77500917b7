import CFaults
import Doorstep
import DoorstepSQLite
import Glibc

/// A process is killed before each of its system calls, in turn.
struct KillTrial {
    /// Every call of every scenario; prints a line for each.
    static func run(fixtures: [String], in place: String) throws {
        var total = 0
        for scenario in Scenario.all(fixtures: fixtures) {
            let moments = try run(scenario, in: place)
            say("kills: \(scenario.name): killed before each of \(moments) calls")
            total += moments
        }
        say("kills: all: \(total) moments")
    }

    private static func run(_ scenario: Scenario, in place: String) throws -> Int {
        let directory = try TrialDirectory(in: place)
        try scenario.prepare(directory)
        let files = try directory.files()
        func state() throws(Finding) -> SuiteState {
            try SuiteState(of: directory.suite, isPruned: scenario.isPruned)
        }
        let before = try state()
        var turn = 1
        var after: SuiteState?
        // The run that isn't killed comes first: its turn never comes.
        for attempt in 0... {
            turn = attempt == 0 ? .max : attempt
            try directory.put(files)
            let (isKilled, isAcknowledged) = try child(scenario, directory, turn)
            let found: SuiteState
            do throws(Finding) {
                found = try state()
            } catch {
                throw Finding("\(scenario.name), killed before call \(turn): \(error.text)")
            }
            if attempt == 0 {
                if isKilled || !isAcknowledged { throw Finding("\(scenario.name) fails without a kill") }
                after = found
                continue
            }
            if found != after, found != before || isAcknowledged {
                let what = isAcknowledged ? "acknowledged and " : ""
                throw Finding("\(scenario.name), \(what)killed before call \(turn): the suite holds \(found)")
            }
            if !isKilled { break }
            try tidy(scenario, directory, turn)
            try scenario.checkLog(of: files, in: directory)
        }
        return turn - 1
    }

    /// The next writer goes on as if nothing had been, and leaves nothing of the killed one's.
    private static func tidy(_ scenario: Scenario, _ directory: TrialDirectory, _ turn: Int) throws {
        let suite = try Scenario.open(directory.suite)
        _ = try suite.storage(prefix: "com.example.next.").commit([Scenario.change("a")])
        if scenario.makesCopy {
            // What a copy has left goes with the next copy.
            unlink(directory.suite + ".copy")
            _ = try scenario.act(suite)
        }
        try suite.close()
        let left = directory.names.filter {
            !["suite.db", "suite.db.copy"].contains($0) && !$0.contains(".copy.work-") && !$0.contains(".orphan-")
        }
        if !left.isEmpty { throw Finding("\(scenario.name), killed before call \(turn), leaves \(left)") }
    }

    /// Runs the scenario in a process of its own; whether it was killed, and whether it had said that it was done.
    private static func child(
        _ scenario: Scenario, _ directory: TrialDirectory, _ turn: Int
    ) throws(Finding) -> (isKilled: Bool, isAcknowledged: Bool) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Finding("no pipe can be made") }
        let child = fault_fork()
        if child == 0 {
            let status: Int32
            do {
                let suite = try Scenario.open(directory.suite)
                fault_arm(Int32(FAULT_EVERYTHING & ~FAULT_LOOK), turn, Int32(FAULT_KILL), 0)
                _ = try scenario.act(suite)
                _ = write(ends[1], "1", 1)
                try suite.close()
                status = 0
            } catch {
                status = 1
            }
            fault_exit(status)
        }
        close(ends[1])
        var byte: UInt8 = 0
        let isAcknowledged = read(ends[0], &byte, 1) == 1
        close(ends[0])
        var status: Int32 = 0
        waitpid(child, &status, 0)
        if status & 0x7f == 0, status != 0 { throw Finding("\(scenario.name) fails in a process of its own") }
        return (status & 0x7f == SIGKILL, isAcknowledged)
    }
}
