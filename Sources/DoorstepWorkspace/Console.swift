internal import CommandLineKit
internal import DoorstepRegistry
internal import DoorstepTerminal
internal import Glibc

/// Standard output for results, standard error for everything else.
package enum Console {
    /// Takes the numbers of standard streams that were closed, so that no file that is opened later gets one of them and
    /// with it what is printed.
    ///
    /// What takes them fails as a closed stream does.
    package static func reserveStreams() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Writes a result that is a sentence, wrapped to the lines of standard output.
    ///
    /// What can't be printed is dropped: names and paths come from files and arguments.
    ///
    /// - Throws: ``CommandFailure`` where standard output can't be written, so that a lost result is never a success.
    package static func print(_ sentence: String) throws(CommandFailure) {
        try write(wrapped(PrintableText.singleLine(sentence), for: STDOUT_FILENO))
    }

    /// Writes a result as it is.
    ///
    /// - Throws: ``CommandFailure`` where standard output can't be written.
    package static func write(_ text: String) throws(CommandFailure) {
        guard put(text, to: STDOUT_FILENO) else {
            throw CommandFailure(.storage, "standard output can't be written: \(String(cString: strerror(errno)))")
        }
    }

    /// Writes what is no result, a warning or what went wrong, each line of it wrapped to those of standard error.
    ///
    /// What can't be printed is dropped, as in ``print(_:)``.
    package static func warn(_ text: String) {
        _ = put(wrapped(PrintableText.cleaned(text), for: STDERR_FILENO), to: STDERR_FILENO)
    }

    /// Writes a text to standard error as it is.
    package static func writeError(_ text: String) {
        _ = put(text, to: STDERR_FILENO)
    }

    /// The cells of a line of standard output, or nil where it is no terminal and nothing says how wide it is.
    package static func columns(environment: [String: String]) -> Int? {
        columns(of: STDOUT_FILENO, environment: environment)
    }

    /// The cells that help is wrapped to.
    package static var helpWidth: Int {
        HelpWidth.columns(
            environment: nil, terminal: TerminalSize.columns(of: STDOUT_FILENO, environment: Workspace.environment))
    }

    private static func columns(of descriptor: Int32, environment: [String: String]) -> Int? {
        let isTerminal = TerminalCapability(of: descriptor, environment: environment).isTerminal
        guard isTerminal || environment["COLUMNS"].flatMap(Int.init) != nil else { return nil }
        return TerminalSize.columns(of: descriptor, environment: environment)
    }

    private static func wrapped(_ text: String, for descriptor: Int32) -> String {
        guard let columns = columns(of: descriptor, environment: Workspace.environment) else { return text + "\n" }
        return LineWrapper(columns: columns).lines(of: text).map { $0 + "\n" }.joined()
    }

    private static func put(_ text: String, to descriptor: Int32) -> Bool {
        var facts = stat()
        // In a file a text is in nobody's way.
        if fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG {
            return WholeWrite.put(text, to: descriptor)
        }
        return Progress.shared.aside { WholeWrite.put(text, to: descriptor) }
    }
}
