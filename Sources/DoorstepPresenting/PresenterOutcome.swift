/// How a showing ended.
public enum PresenterOutcome: Sendable, Hashable {
    /// The last page was left, and everything is written.
    case finished
    /// The user left before the end: quit, Ctrl-C, Ctrl-D, or a terminal that went away.
    case left
    /// The last page was left, and then the user took everything back: the next showing is a first one.
    case signedOut
}
