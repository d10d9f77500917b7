internal import CommandLineKit
internal import Doorstep
internal import DoorstepJSON
internal import DoorstepPluginHost
internal import DoorstepRegistry
internal import DoorstepTerminal
internal import Glibc

/// `doorstep plugin`: for those who write plugins.
enum PluginCommand {
    static let command = Command(
        "plugin", abstract: "Write a plugin in any language, and find out whether it keeps to the protocol.",
        subcommands: [PluginNewCommand.command, PluginCheckCommand.command])
}

/// `doorstep plugin check PATH`: a conformance run.
enum PluginCheckCommand {
    static let path = Argument<String>(
        "path", help: "The plugin's description, its program, or the directory of both.", completion: .files)

    static let command = Command(
        "check", abstract: "Run a plugin through the protocol, with a verdict for each point.",
        discussion: """
            Asks the plugin's own check, page and validation; performs no action, and records nothing. Exit 65 when a point \
            fails.

            JSON: kind, path, passed, verdicts[] with point, outcome (passed, failed, skipped) and reason.
            """,
        parameters: [path, ProbeCommand.options, Parameters.json]
    ) { invocation in
        let plugin = try installed(at: invocation[path])
        try Workspace.requireOwnKind(plugin.description.kind, path: plugin.path)
        let typed = try TypedOptions(invocation[ProbeCommand.options])
        let options = typed.object { plugin.description.options.faults(in: .object($0), at: .root) }
        let conformance = PluginConformance(
            plugin, options: options.isEmpty ? nil : options, environment: ProcessEnvironment.current)
        let verdicts = conformance.run()
        let isGood = verdicts.allSatisfy(\.isGood)
        if invocation[Parameters.json] {
            try JSONOutput.print([
                "kind": .string(plugin.description.kind), "path": .string(plugin.path), "passed": .bool(isGood),
                "verdicts": .array(verdicts.map(json)),
            ])
        } else {
            try Console.print("\(PrintableText.singleLine(plugin.path))")
            for verdict in verdicts { try Console.print(PrintableText.singleLine(line(verdict))) }
            let failed = verdicts.count { !$0.isGood }
            try Console.print(isGood ? "it keeps to the protocol" : "\(failed) of \(verdicts.count) points failed")
        }
        return isGood ? .success : .invalid
    }

    private static func line(_ verdict: ConformanceVerdict) -> String {
        switch verdict.outcome {
        case .passed: "ok       \(verdict.point)"
        case .failed(let reason): "FAILED   \(verdict.point): \(reason)"
        case .skipped(let reason): "skipped  \(verdict.point): \(reason)"
        }
    }

    private static func json(_ verdict: ConformanceVerdict) -> JSONValue {
        let (outcome, reason): (JSONValue, JSONValue) =
            switch verdict.outcome {
            case .passed: ("passed", .null)
            case .failed(let reason): ("failed", .string(reason))
            case .skipped(let reason): ("skipped", .string(reason))
            }
        return ["point": .string(verdict.point), "outcome": outcome, "reason": reason]
    }

    private static func installed(at path: String) throws(CommandFailure) -> InstalledPlugin {
        guard let resolved = realpath(path, nil) else {
            throw CommandFailure(.absent, "\"\(path)\" can't be found: \(String(cString: strerror(errno)))")
        }
        defer { free(resolved) }
        let full = String(cString: resolved)
        var status = stat()
        let isDirectory = stat(full, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
        let directory = isDirectory ? full : full.directoryOfPath ?? "/"
        let name = isDirectory ? "" : full.lastPathPart
        let kind: String
        if name.hasSuffix(PluginDescription.suffix) {
            kind = String(name.dropLast(PluginDescription.suffix.count))
        } else {
            let (plugins, problems) = ExternalPlugins(directories: [directory], environment: [:]).all(besides: [])
            let matching = plugins.filter { isDirectory || $0.installed.description.program == name }
            if matching.count == 1 { return matching[0].installed }
            if let problem = problems.first { throw CommandFailure(.invalid, problem.description) }
            let advice = "name a description, a file that ends in \(PluginDescription.suffix)"
            throw CommandFailure(
                .absent,
                matching.isEmpty
                    ? "\"\(path)\" has no plugin's description beside it; \(advice)"
                    : "\"\(path)\" holds \(matching.count) plugins; \(advice)")
        }
        do throws(PluginRefusal) {
            return try InstalledPlugin(kind: kind, in: directory)
        } catch {
            throw CommandFailure(.invalid, error.description)
        }
    }
}
