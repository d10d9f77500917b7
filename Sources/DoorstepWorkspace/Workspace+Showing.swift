package import CommandLineKit
internal import Doorstep
package import DoorstepRegistry

extension Workspace {
    /// The showing that an invocation asks for, with its checks answered and its pages made; nothing is written yet.
    package func showing(of app: RegisteredApp, _ invocation: Invocation) async throws -> PreparedShowing {
        let showing = try await prepare(app, invocation)
        // Another process changed a record while the checks ran. Once more is enough: who does so again and again is told.
        return try showing.isOutdated() ? try await prepare(app, invocation) : showing
    }

    private func prepare(_ app: RegisteredApp, _ invocation: Invocation) async throws -> PreparedShowing {
        try await PreparedShowing(
            app, in: suite, selection: invocation[Parameters.unmet] ? .unmetRequired : .needed,
            reconciler: reconciler(invocation[Parameters.timeout]))
    }
}

extension Invocation {
    /// What another program of ours is given to show what this invocation asks for: the app, then the options that both take.
    package var showingArguments: [String] {
        var arguments = [self[Parameters.app], "--timeout", self[Parameters.timeout].argumentText]
        if self[Parameters.unmet] { arguments.append("--unmet") }
        if self[Parameters.strict] { arguments.append("--strict") }
        if let suite = self[Parameters.suite] { arguments += ["--suite", suite] }
        return arguments
    }
}
