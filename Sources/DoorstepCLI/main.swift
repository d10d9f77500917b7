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
    do {
        exit(try await invocation.run().code)
    } catch let error as UsageError {
        Console.writeError(invocation.text(for: error))
        exit(ExitStatus.usage.code)
    } catch {
        let failure = CommandFailure(any: error)
        Console.warn(failure.text)
        exit(failure.status.code)
    }
}
