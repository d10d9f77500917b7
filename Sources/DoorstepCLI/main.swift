internal import CommandLineKit
internal import Glibc

Console.reserveStreams()
let arguments = CommandLine.arguments.dropFirst()
switch DoorstepCommand.tree(for: arguments).parse(arguments, width: Console.helpWidth) {
case .output(let text):
    do throws(CommandFailure) {
        try Console.write(text)
        exit(ExitStatus.success.code)
    } catch {
        Console.warn(error.text)
        exit(error.status.code)
    }
case .usageError(let text):
    Console.writeError(text)
    exit(ExitStatus.usage.code)
case .run(let invocation):
    // The gate prints nothing, however long it takes.
    if arguments.first != "needs" {
        Progress.shared.begin(invocation.path.joined(separator: " "), environment: Workspace.environment)
    }
    do {
        let status = try await invocation.run()
        Progress.shared.end()
        exit(status.code)
    } catch let error as UsageError {
        Progress.shared.end()
        Console.writeError(invocation.text(for: error))
        exit(ExitStatus.usage.code)
    } catch {
        Progress.shared.end()
        let failure = CommandFailure(any: error)
        Console.warn(failure.text)
        exit(failure.status.code)
    }
}
