import CFaults
import CSQLite
import Doorstep
import DoorstepSQLite
import Glibc

/// One thing that is done to a suite while the system gets in its way.
struct Scenario {
    static let app = "com.example.aurora"
    static let prefix = "com.example.aurora."

    let name: String
    /// Whether afterwards records may be older than the history.
    var isPruned = false
    /// Whether it does without what a broken disk can't give.
    var survivesLostBlocks = false
    /// Whether the log that it begins from is of a suite that is gone; it may hold the only copy of answers, and stays.
    var keepsLog = false
    /// Whether it makes a copy beside the suite, and removes what an earlier one has left.
    var makesCopy = false
    /// Makes the files that it begins from, in an empty directory.
    var prepare: (TrialDirectory) throws -> Void = { try Scenario.makeSuite($0.suite) }
    /// Does it, and answers with what a caller sees.
    let act: (OnboardingSuite) throws -> String

    /// A suite as all of this opens it: a lock that can't be had isn't waited for.
    static func open(_ path: String) throws(OnboardingStorageError) -> OnboardingSuite {
        try OnboardingSuite.open(at: path, busyTimeout: .milliseconds(5))
    }

    static func change(
        _ step: String, _ value: Bool = true, inputs: [String: OnboardingInputValue]? = nil
    ) -> OnboardingChange {
        OnboardingChange(
            step: OnboardingStepID(prefix + step), action: .record(value, revision: 1), origin: .user, inputs: inputs)
    }

    @Sendable private static func makeSuite(_ path: String) throws {
        let suite = try open(path)
        try suite.register(flow)
        _ = try suite.storage(for: flow).commit([change("name", inputs: ["name": .text("Ada")]), change("tips", false)])
        _ = try suite.storage(prefix: "com.example.other.").commit([change("a")])
        try suite.close()
    }

    private static let flow = FlowRegistration(
        app: app, prefix: prefix, welcome: OnboardingStepConfig(id: "com.example.aurora.welcome"),
        steps: ["name", "tips", "location"].map { OnboardingStepConfig(id: OnboardingStepID(prefix + $0)) })

    /// Has a process write and be killed, so that what it wrote stands in the log alone.
    private static func leaveLog(_ directory: TrialDirectory) throws {
        try makeSuite(directory.suite)
        let child = fault_fork()
        if child == 0 {
            let suite = try? open(directory.suite)
            _ = try? suite?.storage(prefix: prefix).commit([change("location")])
            // Not closed before.
            withExtendedLifetime(suite) { _ = kill(getpid(), SIGKILL) }
        }
        waitpid(child, nil, 0)
        guard directory.names.contains("suite.db-wal") else { throw Finding("there is no log to begin from") }
    }

    /// The same, and then the suite is moved away.
    private static func leaveLogAlone(_ directory: TrialDirectory) throws {
        try leaveLog(directory)
        unlink(directory.suite)
    }

    /// Looks whether the log that is to be kept is still there, under whatever name.
    func checkLog(of files: [String: [UInt8]], in directory: TrialDirectory) throws(Finding) {
        guard keepsLog else { return }
        for bytes in try directory.files().values where bytes == files["suite.db-wal"] { return }
        throw Finding("the log of the suite that is gone is gone too")
    }

    /// Makes a suite that keeps a rollback journal.
    private static func makeWithoutLog(_ directory: TrialDirectory) throws {
        try makeSuite(directory.suite)
        var handle: OpaquePointer?
        guard sqlite3_open(directory.suite, &handle) == SQLITE_OK,
            sqlite3_exec(handle, "PRAGMA journal_mode = DELETE", nil, nil, nil) == SQLITE_OK
        else { throw Finding("the log can't be switched off") }
        sqlite3_close(handle)
    }

    /// What every reader sees, in one text.
    private static func everything(_ suite: OnboardingSuite) throws -> String {
        let records = try suite.storedRecords() ?? []
        let inputs = try suite.storage(prefix: prefix).inputs()
        let flow = try suite.flowSnapshot(app: app)
        return "\(records.map { "\($0.step)=\($0.record.value)" }) \(inputs.count) \(flow?.records.count ?? -1)"
            + " \(try suite.history().count) \(try suite.prefixes())"
    }

    @Sendable private static func record(_ suite: OnboardingSuite) throws -> String {
        let records = try suite.storage(prefix: prefix).commit([change("location"), change("tips")])
        return "\(records.mapValues(\.value).sorted { $0.key.rawValue < $1.key.rawValue })"
    }

    /// The scenarios; old suites are among them, one for each file of the fixtures.
    static func all(fixtures: [String]) -> [Scenario] {
        [
            Scenario(name: "creation", prepare: { _ in }, act: record),
            Scenario(name: "creation beside a left log", keepsLog: true, prepare: leaveLogAlone, act: record),
            Scenario(name: "record", act: record),
            Scenario(name: "record beside a log", prepare: leaveLog, act: record),
            Scenario(name: "record without a log", prepare: makeWithoutLog, act: record),
            Scenario(name: "read", act: everything),
            Scenario(name: "read beside a log", prepare: leaveLog, act: everything),
            Scenario(name: "gate at rest") { suite in
                // Files of ten seconds ago are read without locks.
                fault_shift_clock(10)
                defer { fault_shift_clock(0) }
                return "\(try suite.flowSnapshot(app: app)?.records.count ?? -1)"
            },
            Scenario(name: "registering") { suite in
                try suite.register(FlowRegistration(app: "com.example.new", prefix: "com.example.new."))
                return "registered"
            },
            Scenario(name: "unregistering") { suite in "\(try suite.unregister(app: app))" },
            Scenario(name: "sign-out") { suite in
                let storage = try suite.storage(prefix: prefix)
                let clear = OnboardingChange(step: OnboardingStepID(prefix + "name"), action: .clear, origin: .user)
                return "\(try storage.commit([clear], eraseInputs: true).count)"
            },
            Scenario(name: "erasing") { suite in
                let erased = try suite.erase(.app(app, prefix: prefix))
                return "\(erased?.removal.records ?? -1) \(erased?.removal.events ?? -1)"
            },
            Scenario(name: "pruning", isPruned: true) { suite in
                "\(try suite.pruneHistory(before: OnboardingInstant(milliseconds: .max))?.events ?? -1)"
            },
            Scenario(name: "import") { suite in
                let restoration = try SuiteRestoration(beside: suite)
                for number in 0..<20 {
                    try restoration.add(
                        StoredRecord(
                            prefix: "com.example.old.", step: OnboardingStepID("com.example.old.\(number)"),
                            record: OnboardingRecord(
                                value: true, revision: 1, origin: .import, at: OnboardingInstant(milliseconds: 1))),
                        line: number)
                }
                _ = try restoration.finish(limit: 1)
                return "\(try suite.restore(restoration, keep: .newest, lists: false).changed)"
            },
            Scenario(name: "page events") { suite in
                try suite.append([
                    OnboardingPageEvent(
                        prefix: prefix, app: app, step: "com.example.aurora.name", kind: .shown, showing: "1")
                ])
                return "appended"
            },
            Scenario(name: "repair", survivesLostBlocks: true, prepare: leaveLog) { suite in
                try SuiteDoctor(suite.path).repair(into: suite.path + ".copy").map { "\($0.table) \($0.rows)" }
                    .joined(separator: ", ")
            },
            Scenario(name: "backup", makesCopy: true) { suite in "\(try suite.backUp(to: suite.path + ".copy") ?? -1)"
            },
        ]
            + fixtures.map { fixture in
                let name = fixture.split(separator: "/").last.map(String.init) ?? fixture
                return Scenario(
                    name: "migration of \(name)",
                    prepare: { try $0.put(["suite.db": try TrialDirectory.bytes(of: fixture)]) }, act: record)
            }
    }
}
