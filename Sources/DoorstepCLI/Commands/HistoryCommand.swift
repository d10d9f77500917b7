internal import CommandLineKit
internal import Doorstep
internal import DoorstepAudit
internal import DoorstepJSON
internal import DoorstepSQLite
internal import Glibc

/// `doorstep history`: what happened to records, newest first.
enum HistoryCommand {
    static let app = Option<String?>(
        "app", help: "Only this app's changes.", completion: .command(["apps", "--names"]))
    static let step = Option<String?>(
        "step", help: "Only this step's changes.", completion: Parameters.stepCompletion)
    static let since = Option<Moment?>("since", valueName: "when", help: "Only changes since then: \(Moment.forms).")
    static let limit = Option<Int>(
        "limit", valueName: "count", help: "At most so many changes; 0 for all.", default: 100)
    static let follow = Flag(
        "follow", short: "f", help: "Go on and print changes as processes make them, until Ctrl-C.")
    static let utc = Flag("utc", help: "Show times in UTC instead of this machine's zone.")
    static let before = Option<Moment>(
        "before", valueName: "when", help: "Remove the changes from before then: \(Moment.forms).")

    static let command = Command(
        "history", abstract: "Show what happened to records: old and new answer, by whom, when and why.",
        discussion: """
            An app or step that nothing knows is refused with 66. Newest first; what --follow adds comes oldest first, one line a change. Prunings and erasures are listed behind \
            the changes: the fact stays, the values don't.

            JSON: events[] with sequence, at, app, prefix, step, old, new, revision, origin, evidence, uid, program; removals[] \
            with at, kind, app, records, inputs, events, uid, program. With --follow, one such event a line.
            """,
        parameters: [app, step, since, limit, follow, utc, Parameters.json],
        subcommands: [prune],
        validate: { invocation throws(UsageError) in
            if invocation[limit] < 0 { throw UsageError("a limit can't be negative", at: limit) }
        }
    ) { invocation in
        let workspace = Workspace(invocation)
        let suite = try workspace.suiteToRead(invocation)
        let filter = EventFilter(
            app: invocation[app], step: invocation[step], since: invocation[since]?.instant)
        try requireNames(invocation, suite, workspace)
        if invocation[follow] {
            try await HistoryFollowing(
                suite: suite, filter: filter, time: TimeText(utc: invocation[utc]), isJSON: invocation[Parameters.json]
            ).run()
            return .success
        }
        let events = try filter.events(of: suite, limit: invocation[limit] == 0 ? nil : invocation[limit])
        let removals = try suite.removals() ?? []
        if invocation[Parameters.json] {
            try JSONOutput.print([
                "events": .array(events.map { .object($0.json) }),
                "removals": .array(removals.map { .object($0.json) }),
            ])
            return .success
        }
        try print(events, removals, TimeText(utc: invocation[utc]), workspace)
        return .success
    }

    /// Refuses an app or a step that neither the registry nor the suite, nor anything that happened in it, knows.
    private static func requireNames(_ invocation: Invocation, _ suite: OnboardingSuite, _ workspace: Workspace) throws
    {
        let filter = EventFilter(app: invocation[app], step: invocation[step], since: nil)
        if filter.app == nil, filter.step == nil { return }
        if try !filter.events(of: suite, limit: 1).isEmpty { return }
        let auditor = Auditor(workspace.registry)
        var names = WantedNames(
            apps: filter.app.map { [$0] } ?? [], steps: filter.step.map { [$0] } ?? [], of: auditor)
        names.see(auditor.audit(suite))
        for removal in try suite.removals() ?? [] {
            if let app = removal.app { names.see(app: app) }
        }
        if let app = filter.app, try !suite.history(app: app, limit: 1).isEmpty { names.see(app: app) }
        try AuditCommand.require(names, suites: 1)
    }

    static let prune = Command(
        "prune", abstract: "Remove the changes from before a moment; that it was done stays on record.",
        parameters: [before]
    ) { invocation in
        let workspace = Workspace(invocation)
        try workspace.requireNamedSuite(invocation)
        let removal = try workspace.suite.pruneHistory(before: invocation[before].instant)
        try Console.print("removed \(removal?.events ?? 0) changes from the history")
        return .success
    }

    private static func print(
        _ events: [OnboardingEvent], _ removals: [SuiteRemoval], _ time: TimeText, _ workspace: Workspace
    ) throws(CommandFailure) {
        var table = TextTable("WHEN", "STEP", "CHANGE", "ORIGIN", "WHO", "EVIDENCE")
        for event in events {
            table.add(
                time.text(event.at), event.step.rawValue, event.change, event.origin.rawValue, event.who,
                event.evidence ?? "")
        }
        if events.isEmpty {
            try Console.print("no change is in the history")
        } else {
            try Console.write(table.text(columns: Console.columns(environment: workspace.environment)))
        }
        for removal in removals {
            try Console.print(TextTable.singleLine("\(time.text(removal.at))  \(removal.sentence)"))
        }
    }
}

/// Which changes are wanted.
struct EventFilter: Sendable {
    let app: String?
    let step: String?
    let since: OnboardingInstant?

    func wants(_ event: OnboardingEvent) -> Bool {
        if let app, event.app != app { return false }
        if let step, event.step.rawValue != step { return false }
        if let since, event.at < since { return false }
        return true
    }

    func events(of suite: OnboardingSuite, limit: Int?) throws(OnboardingStorageError) -> [OnboardingEvent] {
        // A filter by time is applied afterwards, so it can't be limited before.
        let events = try suite.history(
            app: app, step: step.map { OnboardingStepID($0) }, limit: since == nil ? limit : nil)
        return Array(events.filter(wants).prefix(limit ?? .max))
    }
}

extension OnboardingEvent {
    /// What changed, such as `unrecorded → true`.
    var change: String { "\(RecordText.of(old)) → \(RecordText.of(new))" }

    /// Who made the change: the program and the user.
    var who: String {
        let name = getpwuid(uid).flatMap { $0.pointee.pw_name.map { String(cString: $0) } }
        return "\(program) (\(name ?? "user \(uid)"))"
    }

    var json: JSONObject {
        [
            "sequence": .integer(Int(sequence)), "at": .integer(Int(at.milliseconds)), "app": .string(app),
            "prefix": .string(prefix), "step": .string(step.rawValue), "old": JSONValue(old), "new": JSONValue(new),
            "revision": .integer(revision), "origin": .string(origin.rawValue), "evidence": JSONValue(evidence),
            "uid": .integer(Int(uid)), "program": .string(program),
        ]
    }
}

extension SuiteRemoval {
    /// What went, such as `erased the inputs of com.example.aurora: 2 inputs, by doorstep`.
    var sentence: String {
        let what =
            switch kind {
            case "prune": "pruned the history"
            case "inputs": "erased the inputs of \(app ?? "")"
            case "app": "erased \(app ?? "")"
            default: "erased everything"
            }
        return "\(what): \(records) records, \(inputs) inputs, \(events) changes, by \(program)"
    }

    var json: JSONObject {
        [
            "at": .integer(Int(at.milliseconds)), "kind": .string(kind), "app": JSONValue(app),
            "records": .integer(records), "inputs": .integer(inputs), "events": .integer(events),
            "uid": .integer(Int(uid)), "program": .string(program),
        ]
    }
}
