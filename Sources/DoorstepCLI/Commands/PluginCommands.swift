internal import CommandLineKit
internal import Doorstep
internal import DoorstepJSON
internal import DoorstepPluginHost
internal import DoorstepPluginKit
internal import DoorstepRegistry
internal import DoorstepTerminal

/// `doorstep plugins`: what is installed.
enum PluginsCommand {
    static let kind = Argument<String?>(
        "kind", help: "One kind, with its options.", completion: Parameters.kindCompletion)
    static let names = Flag("names", help: "Print the kinds alone, one a line.")

    static let command = Command(
        "plugins", abstract: "List the kinds of steps, or one kind with its options.",
        discussion: """
            Kinds come built in, or from programs in plugin directories: those of $DOORSTEP_PLUGIN_PATH, else \
            doorstep/plugins in the XDG data home and data directories, and /usr/libexec/doorstep/plugins. What can't be used \
            is named on standard error, with the reason.

            JSON: plugins[] with kind, summary, source, hasCheck, and options[] with name, value, summary; problems[] with \
            kind, path, message.
            """,
        parameters: [kind, names, Parameters.json]
    ) { invocation in
        let workspace = Workspace(invocation)
        let catalogue = workspace.registry.catalogue
        var plugins: [(plugin: any StepPlugin, source: String)] = catalogue.plugins.map { ($0, "built-in") }
        let (programs, problems) = catalogue.external?.all(besides: Set(catalogue.kinds)) ?? ([], [])
        plugins += programs.map { ($0, $0.installed.path) }
        plugins.sort { $0.plugin.kind < $1.plugin.kind }
        if let wanted = invocation[kind] {
            plugins = plugins.filter { $0.plugin.kind == wanted }
            if plugins.isEmpty { throw CommandFailure(.absent, catalogue.problem(with: wanted)) }
        }
        if invocation[names] {
            try Console.write(plugins.map { $0.plugin.kind + "\n" }.joined())
            return .success
        }
        if invocation[Parameters.json] {
            try JSONOutput.print([
                "plugins": .array(plugins.map(json)),
                "problems": .array(
                    problems.map {
                        ["kind": JSONValue($0.kind), "path": .string($0.path), "message": .string($0.description)]
                    }),
            ])
            return .success
        }
        let columns = Console.columns(environment: workspace.environment)
        var table = TextTable("KIND", "CHECK", "SUMMARY")
        for (plugin, _) in plugins { table.add(plugin.kind, plugin.hasCheck ? "yes" : "no", plugin.summary) }
        try Console.write(table.text(columns: columns))
        for problem in problems where invocation[kind] == nil || invocation[kind] == problem.kind {
            Console.warn("warning: \(PrintableText.singleLine(problem.description))")
        }
        guard invocation[kind] != nil, let (plugin, source) = plugins.first else { return .success }
        if source != "built-in" { try Console.write("\nfrom \(PrintableText.singleLine(source))\n") }
        guard !plugin.optionHelp.isEmpty else { return .success }
        var options = TextTable("OPTION", "VALUE", "MEANING")
        for option in plugin.optionHelp { options.add(option.name, option.value, option.summary) }
        try Console.write("\n" + options.text(columns: columns))
        return .success
    }

    private static func json(_ plugin: any StepPlugin, source: String) -> JSONValue {
        let options = plugin.optionHelp.map { option -> JSONValue in
            ["name": .string(option.name), "value": .string(option.value), "summary": .string(option.summary)]
        }
        return [
            "kind": .string(plugin.kind), "summary": .string(plugin.summary), "source": .string(source),
            "hasCheck": .bool(plugin.hasCheck), "options": .array(options),
        ]
    }
}

/// `doorstep probe KIND`: one check, now.
enum ProbeCommand {
    static let kind = Argument<String>(
        "kind", help: "A kind with a check, such as notifications.", completion: Parameters.kindCompletion)
    static let app = Option<String?>(
        "app", help: "The app to ask for; without one, for every app outside a sandbox.",
        completion: .command(["apps", "--names"]))
    static let options = Option<[String]>(
        "option", valueName: "key=value",
        help: "An option of the kind; the value is JSON where that fits, or else a text.")

    static let command = Command(
        "probe", abstract: "Ask one check now and print what it says; records nothing.",
        discussion:
            "JSON: app, step, plugin, before, after, status, mode, basis, satisfied (true, false, null), evidence, milliseconds.",
        parameters: [kind, app, options, Parameters.timeout, Parameters.json]
    ) { invocation in
        let workspace = Workspace(invocation)
        let bound = try bind(invocation, workspace)
        guard bound.hasCheck else {
            throw CommandFailure(
                .unavailable, "the kind \"\(bound.kind)\" has no check; doorstep plugins lists the kinds that have one")
        }
        let id = invocation[app] ?? ""
        let context = StepContext(
            app: id, appName: id, step: OnboardingStepConfig(id: "probe"), languages: workspace.languages,
            deadline: .now, environment: workspace.environment, scope: PassScope())
        let outcome = await ReconcilePass.run(
            [StepCheck(plugin: bound, context: context)], timeout: invocation[Parameters.timeout].duration)[0]
        await context.scope.end()
        if invocation[Parameters.json] {
            var object: JSONObject = [
                "app": JSONValue(invocation[app]), "step": nil, "plugin": .string(bound.kind), "before": nil,
                "after": nil,
            ]
            for (key, value) in outcome.satisfaction.json { object[key] = value }
            object["milliseconds"] = .number(outcome.duration.milliseconds)
            try JSONOutput.print(object)
        } else {
            try print(outcome, kind: bound.kind, workspace)
        }
        return .success
    }

    private static func bind(_ invocation: Invocation, _ workspace: Workspace) throws(CommandFailure) -> BoundStep {
        guard let plugin = workspace.registry.catalogue.plugin(invocation[kind]) else {
            throw CommandFailure(.absent, workspace.registry.catalogue.problem(with: invocation[kind]))
        }
        let typed = try TypedOptions(invocation[options])
        let object = typed.object { Self.faults(in: $0, for: plugin) }
        do throws(JSONFaults) {
            let bound = try BoundStep(plugin, options: object, at: .root)
            try workspace.registry.catalogue.requireAccepted(
                object, by: plugin, at: .root, within: invocation[Parameters.timeout].duration)
            return bound
        } catch {
            throw CommandFailure(.invalid, error.faults.map { "option \($0.description)" }.joined(separator: "\n"))
        }
    }

    private static func faults(in options: JSONObject, for plugin: any StepPlugin) -> [JSONFault] {
        do throws(JSONFaults) {
            _ = try BoundStep(plugin, options: options, at: .root)
            return []
        } catch {
            return error.faults
        }
    }

    private static func print(_ outcome: StepCheckOutcome, kind: String, _ workspace: Workspace) throws(CommandFailure)
    {
        let satisfied = outcome.satisfaction.isSatisfied.map { $0 ? "yes" : "no" } ?? "cannot tell"
        var table = TextTable("KIND", "SATISFIED", "STATUS", "MS", "EVIDENCE")
        table.add(
            kind, satisfied, outcome.satisfaction.statusText, "\(outcome.duration.milliseconds)",
            outcome.satisfaction.evidence)
        try Console.write(table.text(columns: Console.columns(environment: workspace.environment)))
    }
}
