/// A command with the values it was given, ready to run.
package struct Invocation: Sendable {
    let resolved: ResolvedCommand
    let width: @Sendable () -> Int
    let values: [String: any Sendable]
    let given: Set<String>

    /// The names from the root to the command: `["doorstep", "plugin", "new"]`.
    package var path: [String] { resolved.path }

    /// The value of a parameter: what was given, else its default.
    ///
    /// Reading a parameter that the command doesn't declare is a mistake in the program, not on the command line, and stops
    /// it with the parameter's name.
    package subscript<P: Parameter>(parameter: P) -> P.Value {
        guard let value = values[parameter.declaration.key] as? P.Value else {
            preconditionFailure("'\(resolved.name)' reads \(parameter.declaration.key) but doesn't declare it")
        }
        return value
    }

    /// Whether a parameter was given on the command line, as opposed to left at its default.
    package func isGiven(_ parameter: some Parameter) -> Bool { given.contains(parameter.declaration.key) }

    /// Runs the command. Throws what the command throws.
    package func run() async throws -> ExitStatus {
        guard let action = resolved.command.action else { return .success }
        return try await action(self)
    }

    /// The text for standard error of a usage error that was found while the command ran.
    package func text(for error: UsageError) -> String { error.text(for: resolved, width: width()) }
}
