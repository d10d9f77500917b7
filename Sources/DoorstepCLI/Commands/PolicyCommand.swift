internal import CommandLineKit
internal import Doorstep
internal import DoorstepJSON
internal import DoorstepRegistry
internal import DoorstepSQLite

/// `doorstep policy`: what the admin's policy files say of the registered apps.
enum PolicyCommand {
    static let app = Argument<String?>("app", help: "Only this app.", completion: .command(["apps", "--names"]))

    static let command = Command(
        "policy", abstract: "Show which steps the admin's policy files skip, preset or lock, and where.",
        discussion: """
            Policy files are JSON in doorstep/policy.d below $XDG_CONFIG_DIRS and in /etc/doorstep/policy.d, after those in \
            $DOORSTEP_POLICY_PATH. Rules apply in this order, files by name; a later one overrides an earlier one key by key. \
            Nothing of a policy is ever written into a suite: removing the file restores what was there.

             { "format": 1, "rules": [
             { "app": "com.example.aurora", "step": "*.welcome", "skip": true },
             { "app": "*", "step": "*.reqs.location", "lock": false } ] }

            Rules that concern no step of a registered app are named: they are misspelt, or for other machines.

            JSON: steps[] with app, step, skip, preset, lock (each with value and file, or null), value, own; files[]; \
            directories[]; problems[] with path and message; unmatched[] with app, step, file, nearest and message.
            """,
        parameters: [app, Parameters.strict, Parameters.json]
    ) { invocation in
        let workspace = try Workspace(underPolicy: invocation)
        let policy = workspace.registry.policy
        let contents = workspace.registry.contents()
        var apps = contents.apps
        var unmatched = policy.unmatchedRules(in: contents)
        if let wanted = invocation[app] {
            apps = [try workspace.app(wanted)]
            unmatched = unmatched.filter { $0.mayConcern(wanted) }
        }
        var entries: [Entry] = []
        for app in apps {
            let own = try OnboardingFlow.own(app, in: workspace)
            for step in app.registration.allSteps {
                let found = policy.policy(app: app.id, step: step.id)
                if found.isEmpty { continue }
                let record = own[step.id]
                entries.append(
                    Entry(
                        app: app.id, step: step, policy: found, own: record?.value,
                        value: policy.effective(record, app: app.id, step: step).record?.value))
            }
        }
        if invocation[Parameters.json] {
            try JSONOutput.print(json(entries, unmatched, policy, workspace))
        } else {
            try print(entries, policy, workspace)
            for rule in unmatched { Console.warn("warning: \(rule)") }
        }
        return .success
    }

    private struct Entry {
        let app: String
        let step: OnboardingStepConfig
        let policy: StepPolicy
        let own: Bool?
        let value: Bool?
    }

    private static func print(
        _ entries: [Entry], _ policy: Policy, _ workspace: Workspace
    ) throws(CommandFailure) {
        if entries.isEmpty {
            let places = workspace.registry.policyDirectories.joined(separator: ", ")
            try Console.print("no policy concerns a registered app; policy files are looked for in \(places)")
            return
        }
        var table = TextTable("STEP", "POLICY", "ANSWER", "OWN", "FILE")
        for entry in entries {
            for (name, statement) in statements(entry.policy) {
                table.add(
                    entry.step.id.rawValue, name, RecordText.of(entry.value), RecordText.of(entry.own), statement.file)
            }
        }
        try Console.write(table.text(columns: Console.columns(environment: workspace.environment)))
    }

    private static func statements(_ policy: StepPolicy) -> [(String, StepPolicy.Statement)] {
        var found: [(String, StepPolicy.Statement)] = []
        if let lock = policy.lock { found.append(("lock \(lock.value)", lock)) }
        if let preset = policy.preset { found.append(("preset \(preset.value)", preset)) }
        if let skip = policy.skip { found.append(("skip", skip)) }
        return found
    }

    private static func json(
        _ entries: [Entry], _ unmatched: [UnmatchedRule], _ policy: Policy, _ workspace: Workspace
    ) -> JSONObject {
        func json(_ statement: StepPolicy.Statement?) -> JSONValue {
            statement.map { ["value": .bool($0.value), "file": .string($0.file)] } ?? .null
        }
        return [
            "steps": .array(
                entries.map { entry in
                    [
                        "app": .string(entry.app), "step": .string(entry.step.id.rawValue),
                        "skip": json(entry.policy.skip), "preset": json(entry.policy.preset),
                        "lock": json(entry.policy.lock), "value": JSONValue(entry.value), "own": JSONValue(entry.own),
                    ]
                }),
            "files": .array(policy.files.map { .string($0) }),
            "directories": .array(workspace.registry.policyDirectories.map { .string($0) }),
            "problems": .array(
                policy.problems.map { ["path": .string($0.path), "message": .string($0.error.description)] }),
            "unmatched": .array(
                unmatched.map { unmatched in
                    [
                        "app": .string(unmatched.rule.app), "step": .string(unmatched.rule.step),
                        "file": .string(unmatched.rule.file), "nearest": JSONValue(unmatched.nearest),
                        "message": .string(unmatched.description),
                    ]
                }),
        ]
    }
}

extension OnboardingFlow {
    /// What the suite itself holds of an app, under no policy.
    fileprivate static func own(
        _ app: RegisteredApp, in workspace: Workspace
    ) throws -> [OnboardingStepID: OnboardingRecord] {
        try workspace.suite.storage(for: app.registration).records()
    }
}
