internal import CommandLineKit
internal import Doorstep
internal import DoorstepAudit
internal import DoorstepJSON
internal import DoorstepRegistry
internal import DoorstepSQLite

/// `doorstep import FILE`: an export, or what a family brings from elsewhere.
enum ImportCommand {
    /// What kind of file it is.
    enum Source: String, CaseIterable, ArgumentValue {
        case export, plist
    }

    static let file = Argument<String>("file", help: "The file to import; - for standard input.", completion: .files)
    static let source = Option<Source>(
        "from", help: "An export of doorstep, or a UserDefaults property list.", default: .export)
    static let keep = Option<SuiteRestoration.Keep>(
        "keep", help: "Which record stays where both have one.", default: .newest)
    static let dryRun = Flag("dry-run", help: "Show what would change, and write nothing.")
    static let skipLocked = Flag("skip-locked", help: "Leave out the keys that a policy locks.")
    static let app = Option<String?>(
        "app", help: "With --from plist: the app whose answers they are.", completion: .command(["apps", "--names"]))
    static let keyPrefix = Option<String>(
        "key-prefix", valueName: "text", help: "With --from plist: what stands before a step's ID in the keys.",
        default: "")
    static let legacyFlag = Option<String?>(
        "legacy-flag", valueName: "key",
        help:
            "With --from plist: a flag that says that onboarding was completed; if it is set and no step is recorded, all become true."
    )

    static let command = Command(
        "import", abstract: "Import an export, or answers from a UserDefaults property list.",
        discussion: """
            Everything is validated before the first write, and the import is one transaction. Merge: a record that only one \
            side has is taken; --keep says which stays where both have one (newest: the later one, the suite's own if both are \
            of the same moment). Inputs follow their step's record; where the import has none, they give way to what the suite \
            has of the step, unless --keep says imported. Events that are in the history already aren't doubled.

            JSON: records, equal, kept, inputs, events (counts); changes[] with prefix, step, old, new; skipped[].
            """,
        parameters: [
            source, app, keyPrefix, legacyFlag, keep, dryRun, skipLocked, Parameters.strict, Parameters.json, file,
        ],
        validate: { invocation throws(UsageError) in
            if invocation[source] == .plist, invocation[app] == nil {
                throw UsageError("a property list needs --app: the app whose answers they are", at: app)
            }
        }
    ) { invocation in
        let workspace = try Workspace(underPolicy: invocation)
        let suite = try workspace.suite
        do throws(SuiteImport.Failure) {
            var found = try load(invocation, workspace, suite)
            for warning in found.warnings { Console.warn("warning: \(warning)") }
            try found.honour(workspace.registry.policy, of: workspace.registry, skipping: invocation[skipLocked])
            // What nobody is going to read isn't held.
            let lists = invocation[dryRun] || invocation[Parameters.json]
            let difference =
                invocation[dryRun]
                ? try found.difference(from: suite, keep: invocation[keep], lists: lists)
                : try found.write(to: suite, keep: invocation[keep], lists: lists)
            try print(difference, found, invocation, workspace)
        } catch {
            throw failure(error)
        }
        return .success
    }

    private static func load(
        _ invocation: Invocation, _ workspace: Workspace, _ suite: OnboardingSuite
    ) throws(SuiteImport.Failure) -> SuiteImport {
        guard invocation[source] == .plist, let id = invocation[app] else {
            return try SuiteImport(export: invocation[file], for: suite)
        }
        let app: RegisteredApp
        do throws(RegistryError) {
            app = try workspace.registry.app(id)
        } catch {
            throw .unreadable(error.description)
        }
        return try SuiteImport(
            propertyList: invocation[file], app: app, keyPrefix: invocation[keyPrefix],
            legacyFlag: invocation[legacyFlag], suite: suite)
    }

    private static func failure(_ error: SuiteImport.Failure) -> CommandFailure {
        switch error {
        case .invalid(let faults): CommandFailure(.invalid, faults.joined(separator: "\n"))
        case .unreadable(let message): CommandFailure(.absent, message)
        case .locked(let refusals): CommandFailure(.notPermitted, refusals.joined(separator: "\n"))
        case .storage(let error): CommandFailure(error)
        }
    }

    private static func print(
        _ difference: SuiteDifference, _ found: SuiteImport, _ invocation: Invocation, _ workspace: Workspace
    ) throws(SuiteImport.Failure) {
        do throws(CommandFailure) {
            if invocation[Parameters.json] {
                try JSONOutput.print(json(difference, found))
                return
            }
            if invocation[dryRun], !difference.changes.isEmpty {
                var table = TextTable("STEP", "CHANGE", "ORIGIN")
                for change in difference.changes {
                    table.add(
                        change.new.step.rawValue,
                        "\(RecordText.of(change.old?.value)) → \(RecordText.of(change.new.record.value))",
                        change.new.record.origin.rawValue)
                }
                try Console.write(table.text(columns: Console.columns(environment: workspace.environment)))
            }
            let verb = invocation[dryRun] ? "would import" : "imported"
            try Console.print(
                "\(verb) \(Counted.text(difference.changed, "record")), \(Counted.text(difference.inputs, "input")), "
                    + "\(Counted.text(difference.events, "change")) of history; \(difference.equal) equal, \(difference.kept) kept"
                    + (found.skipped.isEmpty ? "" : ", \(found.skipped.count) locked and left out"))
        } catch {
            throw .storage(OnboardingStorageError(.io, error.message))
        }
    }

    private static func json(_ difference: SuiteDifference, _ found: SuiteImport) -> JSONObject {
        [
            "records": .integer(difference.changed), "equal": .integer(difference.equal),
            "kept": .integer(difference.kept), "inputs": .integer(difference.inputs),
            "events": .integer(difference.events),
            "changes": .array(
                difference.changes.map { change in
                    [
                        "prefix": .string(change.new.prefix), "step": .string(change.new.step.rawValue),
                        "old": JSONValue(change.old?.value), "new": .bool(change.new.record.value),
                    ]
                }),
            "skipped": .array(found.skipped.map { .string($0) }),
        ]
    }
}
