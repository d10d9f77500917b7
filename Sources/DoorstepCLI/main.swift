internal import CommandLineKit
internal import Dispatch
internal import DoorstepWorkspace
internal import Glibc

Console.reserveStreams()
let arguments = CommandLine.arguments.dropFirst()
// The gate runs before each start of each app. Asked plainly it is answered here and now: the tree of commands, concurrency
// and its threads would take longer than the answer.
if let app = NeedsCommand.plainQuestion(arguments) { exit(NeedsCommand.answer(app).code) }
// A gate prints nothing, however long it takes.
let showsProgress = arguments.first != "needs"
Task.detached {
    exit(
        await Console.run(
            DoorstepCommand.tree(for: arguments), arguments, showsProgress: showsProgress
        ).code)
}
dispatchMain()
