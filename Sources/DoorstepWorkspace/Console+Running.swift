package import CommandLineKit

extension Console {
    /// Does what a command line asks for: prints help or what is wrong with it, or runs the command.
    ///
    /// - Parameter showsProgress: Whether a line on the terminal says so where the command takes its time.
    /// - Returns: What the process is to end with.
    package static func run(
        _ command: Command, _ arguments: some Collection<String>, showsProgress: Bool = false
    ) async -> ExitStatus {
        switch command.parse(arguments, width: helpWidth) {
        case .output(let text):
            do throws(CommandFailure) {
                try write(text)
                return .success
            } catch {
                return report(error)
            }
        case .usageError(let text):
            writeError(text)
            return .usage
        case .run(let invocation):
            if showsProgress {
                Progress.shared.begin(invocation.path.joined(separator: " "), environment: Workspace.environment)
            }
            defer { Progress.shared.end() }
            do {
                return try await invocation.run()
            } catch let error as UsageError {
                writeError(invocation.text(for: error))
                return .usage
            } catch {
                return report(CommandFailure(any: error))
            }
        }
    }

    /// Does what needs no command line: what it throws is told as the failure of a command is.
    ///
    /// - Returns: What the process is to end with.
    package static func status(of body: () throws -> ExitStatus) -> ExitStatus {
        do {
            return try body()
        } catch {
            return report(CommandFailure(any: error))
        }
    }

    private static func report(_ failure: CommandFailure) -> ExitStatus {
        warn(failure.text)
        return failure.status
    }
}
