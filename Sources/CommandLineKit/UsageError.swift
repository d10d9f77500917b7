/// Why a command line can't be run: one sentence, and the parameter at fault where there is one.
package struct UsageError: Error, Sendable {
    /// What is wrong and, where it is known, what to do. Without "error:".
    package let message: String
    let culprit: Declaration?

    /// Makes the error of a check that only the command can do, such as two options that exclude each other.
    ///
    /// - Parameters:
    ///   - message: one sentence without "error:".
    ///   - parameter: the parameter whose help is shown beside it.
    package init(_ message: String, at parameter: (any Parameter)? = nil) {
        self.init(message, culprit: parameter?.declaration)
    }

    init(_ message: String, culprit: Declaration?) {
        self.message = message
        self.culprit = culprit
    }

    /// The error, the help of the parameter at fault, the usage and the way to more help.
    func text(for command: ResolvedCommand, width: Int) -> String {
        var lines = Wording.error(message) + "\n"
        if let culprit { lines += Wording.help(of: culprit) + "\n" }
        lines += HelpText(command, width: width).usage(label: Wording.usageLabel)
        return lines + "  " + Wording.seeHelp(of: command) + "\n"
    }
}
