/// How a showing ended.
public enum PresenterOutcome: Sendable, Hashable {
    /// The last page was left, and everything is written.
    case finished
    /// The user left before the end: quit, Ctrl-C, Ctrl-D, or a terminal that went away.
    case left
}
