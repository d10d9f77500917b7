package import CommandLineKit

/// The exit statuses of `doorstep`; they are part of its interface. Numbers from 64 on are those of `sysexits.h`.
extension ExitStatus {
    /// For a question: yes.
    package static let yes = ExitStatus(0)
    /// For a question: no. For `run`: the user left before the end.
    package static let no = ExitStatus(1)
    /// A manifest, an answers file or an option is invalid.
    package static let invalid = ExitStatus(65)
    /// No such app, step, plugin kind or file.
    package static let absent = ExitStatus(66)
    /// Something needed isn't there, such as a terminal.
    package static let unavailable = ExitStatus(69)
    /// A fault in doorstep itself.
    package static let fault = ExitStatus(70)
    /// The suite, a file or an output can't be read or written.
    package static let storage = ExitStatus(74)
    /// The suite stayed busy past the wait.
    package static let busy = ExitStatus(75)
    /// Not allowed: a read-only place, or somebody else's file.
    package static let notPermitted = ExitStatus(77)
}
