/// What came of parsing a command line: nothing has run and nothing has been printed yet.
package enum Outcome: Sendable {
    /// Everything is good: run this.
    case run(Invocation)
    /// Help or the version was asked for: print this on standard output, end with ``ExitStatus/success``.
    case output(String)
    /// The command line is wrong: print this on standard error, end with ``ExitStatus/usage``.
    case usageError(String)
}
