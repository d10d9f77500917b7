internal import CommandLineKit
internal import DoorstepWorkspace
internal import Glibc

Console.reserveStreams()
let arguments = CommandLine.arguments.dropFirst()
exit(await Console.run(DoorstepCommand.tree(for: arguments), arguments).code)
