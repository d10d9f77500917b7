public import Doorstep

/// One change of one record, as the suite's history keeps it for ever.
public struct OnboardingEvent: Sendable, Hashable {
    /// The place in the history: each event's is greater than every earlier one's.
    public var sequence: Int64
    /// When it happened by the system's clock (UTC); the clock can go backwards, ``sequence`` can't.
    public var at: OnboardingInstant
    /// The prefix of the app whose record changed.
    public var prefix: String
    /// The app as it was named then.
    public var app: String
    /// The step whose record changed.
    public var step: OnboardingStepID
    /// The answer before, or nil if there was none.
    public var old: Bool?
    /// The answer afterwards, or nil if the record was cleared.
    public var new: Bool?
    /// The revision that was answered; for a clear, the revision of the answer that went.
    public var revision: Int
    /// Who or what made the change.
    public var origin: OnboardingOrigin
    /// For a reconcile, the check's one line of evidence.
    public var evidence: String?
    /// The effective user ID of the process that made the change.
    public var uid: UInt32
    /// The file name of the program that made the change.
    public var program: String

    /// The greatest place that an event may have: behind the greatest of all numbers there would be none for the next one.
    package static let largestSequence: Int64 = 1_000_000_000_000_000

    /// An event from its parts.
    public init(
        sequence: Int64, at: OnboardingInstant, prefix: String, app: String, step: OnboardingStepID, old: Bool?,
        new: Bool?, revision: Int, origin: OnboardingOrigin, evidence: String?, uid: UInt32, program: String
    ) {
        self.sequence = sequence
        self.at = at
        self.prefix = prefix
        self.app = app
        self.step = step
        self.old = old
        self.new = new
        self.revision = revision
        self.origin = origin
        self.evidence = evidence
        self.uid = uid
        self.program = program
    }
}
