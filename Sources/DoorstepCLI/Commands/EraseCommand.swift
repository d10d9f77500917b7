internal import CommandLineKit
internal import Doorstep
internal import DoorstepAudit
internal import DoorstepPluginKit
internal import DoorstepRegistry
internal import DoorstepSQLite

/// `doorstep erase`: an app, what was typed, or everything, so that nothing of the values is left.
enum EraseCommand {
    static let app = Argument<String?>("app", help: "The app to erase.", completion: .command(["apps", "--names"]))
    static let inputs = Flag("inputs", help: "Only what the user typed; records and history stay.")
    static let everything = Flag("everything", help: "Erase every app.")
    static let dryRun = Flag("dry-run", help: "Only say how much would go; nothing is changed.")

    static let command = Command(
        "erase", abstract: "Erase an app's records, inputs and history, its inputs alone, or everything.",
        discussion: """
            One transaction; then the file is rewritten and its log emptied, so that no erased value is left in them. That it was \
            done stays in the history, without the values. Permissions that the system granted are named: they can't be taken \
            back here. Backups and exports aren't touched.
            """,
        parameters: [app, inputs, everything, dryRun],
        validate: { invocation throws(UsageError) in
            if invocation[app] == nil, !invocation[everything] {
                throw UsageError("Please name an app, or give --everything", at: app)
            }
            if invocation[app] != nil, invocation[everything] {
                throw UsageError("an app and --everything exclude each other", at: everything)
            }
            if invocation[everything], invocation[inputs] {
                throw UsageError("--inputs goes with an app", at: inputs)
            }
        }
    ) { invocation in
        let workspace = Workspace(invocation)
        try workspace.requireNamedSuite(invocation)
        let suite = try workspace.suite
        let granted = try invocation[inputs] ? [] : granted(invocation[app], workspace.registry, in: suite)
        let erasure = try erasure(invocation, workspace)
        if invocation[dryRun] {
            guard let removal = try suite.erasable(erasure) else { return try nothingKept() }
            try Console.print("would erase \(counts(removal)); nothing was changed")
            try name(granted)
            return .success
        }
        guard let (removal, scrubbing) = try suite.erase(erasure) else { return try nothingKept() }
        try Console.print("erased \(counts(removal))")
        try name(granted)
        return try status(of: scrubbing, suite.path)
    }

    /// What is erased is; whether its bytes are gone as well is another matter.
    private static func status(of scrubbing: SuiteScrubbing, _ path: String) throws(CommandFailure) -> ExitStatus {
        switch scrubbing {
        case .done: return .success
        case .logHeld:
            throw CommandFailure(
                .busy,
                "everything is erased from the suite \"\(path)\", but another process holds its log open, so old values may stand there still; run this again once it has ended"
            )
        case .failed(let error):
            throw CommandFailure(
                CommandFailure(error).status,
                "everything is erased, but its bytes may stand in the file still, which couldn't be rewritten: \(error.message)"
            )
        }
    }

    private static func nothingKept() throws(CommandFailure) -> ExitStatus {
        try Console.print("there is no suite, so nothing is kept")
        return .success
    }

    private static func counts(_ removal: SuiteRemoval) -> String {
        "\(Counted.text(removal.records, "record")), \(Counted.text(removal.inputs, "input")), "
            + "\(Counted.text(removal.events, "change")) of history"
    }

    private static func name(_ granted: [(step: String, kind: String)]) throws(CommandFailure) {
        for (step, kind) in granted {
            try Console.print(
                "not taken back: \(kind) (\(step)) was granted; only the system's own settings can revoke it")
        }
    }

    private static func erasure(_ invocation: Invocation, _ workspace: Workspace) throws -> SuiteErasure {
        guard let id = invocation[app] else { return .everything }
        let prefix: String
        if let kept = try workspace.suite.registration(of: id) {
            prefix = kept.prefix
        } else if let registered = workspace.registry.contents()[id] {
            prefix = registered.manifest.prefix
        } else if try workspace.suite.prefixes().contains(id + ".") {
            prefix = id + "."
        } else {
            prefix = try workspace.app(id).manifest.prefix
        }
        return invocation[inputs] ? .inputs(app: id, prefix: prefix) : .app(id, prefix: prefix)
    }

    /// The permissions that are recorded as granted by the system.
    private static func granted(
        _ wanted: String?, _ registry: Registry, in suite: OnboardingSuite
    ) throws(OnboardingStorageError) -> [(step: String, kind: String)] {
        var granted: [(String, String)] = []
        for app in registry.contents().apps where wanted == nil || wanted == app.id {
            guard let records = try records(of: app, in: suite) else { continue }
            for step in app.steps where step.plugin.hasCheck && records[step.step.config.id]?.value == true {
                granted.append((step.step.config.id.rawValue, step.plugin.kind))
            }
        }
        return granted
    }

    /// The records of an app; nil where its prefix is another app's here, which says nothing against erasing.
    private static func records(
        of app: RegisteredApp, in suite: OnboardingSuite
    ) throws(OnboardingStorageError) -> [OnboardingStepID: OnboardingRecord]? {
        do throws(OnboardingStorageError) {
            return try suite.storage(for: app.registration).records()
        } catch {
            guard error.code == .invalid else { throw error }
            return nil
        }
    }
}
