internal import CommandLineKit
internal import DoorstepWorkspace
internal import Glibc

Console.reserveStreams()
let arguments = CommandLine.arguments.dropFirst()
// The gate prints nothing, however long it takes.
let status = await Console.run(
    DoorstepCommand.tree(for: arguments), arguments, showsProgress: arguments.first != "needs")
exit(status.code)
