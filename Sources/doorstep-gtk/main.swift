internal import CommandLineKit
internal import DoorstepWorkspace
internal import Glibc

#if GTK
internal import DoorstepGTK
#endif

Console.reserveStreams()
#if GTK
// GLib's loop has the main thread; the command runs in it, as the main actor's work.
Task { @MainActor in exit(await Console.run(WindowCommand.command, CommandLine.arguments.dropFirst()).code) }
MainQueue.run()
#else
exit(await Console.run(WindowCommand.command, CommandLine.arguments.dropFirst()).code)
#endif
