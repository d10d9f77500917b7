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
