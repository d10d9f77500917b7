public import Doorstep

/// One thing that happened to a page while it was shown: what a funnel is counted from.
///
/// It says which page and when, never what was typed or answered there; the answers are in the history of records.
public struct OnboardingPageEvent: Sendable, Hashable {
    /// What happened.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The page came up.
        case shown
        /// The user answered it: completed, skipped, or moved past it.
        case answered
        /// The user left the showing from this page, before its end.
        case left
        /// The showing came to its end from this page.
        case finished
    }

    /// The place among the page events: each event's is greater than every earlier one's.
    public var sequence: Int64
    /// When it happened by the system's clock (UTC); the clock can go backwards, ``sequence`` can't.
    public var at: OnboardingInstant
    /// The prefix of the app whose page it was.
    public var prefix: String
    /// The app as it was named then.
    public var app: String
    /// The step that the page was of.
    public var step: OnboardingStepID
    /// What happened.
    public var kind: Kind
    /// Which showing it was: the same text for all events of one, another for every other.
    public var showing: String

    /// An event from its parts; one that is appended gets its ``sequence`` from the suite.
    public init(
        sequence: Int64 = 0, at: OnboardingInstant = .now, prefix: String, app: String, step: OnboardingStepID,
        kind: Kind, showing: String
    ) {
        self.sequence = sequence
        self.at = at
        self.prefix = prefix
        self.app = app
        self.step = step
        self.kind = kind
        self.showing = showing
    }
}
