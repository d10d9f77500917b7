/// The answer of one step as the suite keeps it. A step without a record has never been answered.
public struct OnboardingRecord: Sendable, Hashable {
    /// `true`: granted, completed, acknowledged. `false`: declined, skipped.
    public var value: Bool
    /// The step's revision that was answered. A step at a higher revision counts as never answered.
    public var revision: Int
    /// Who or what gave the answer.
    public var origin: OnboardingOrigin
    /// When the answer was recorded (UTC).
    public var at: OnboardingInstant
    /// For a reconcile, the check's one line of evidence.
    public var evidence: String?

    /// A record from its parts.
    public init(
        value: Bool, revision: Int = 1, origin: OnboardingOrigin, at: OnboardingInstant, evidence: String? = nil
    ) {
        self.value = value
        self.revision = revision
        self.origin = origin
        self.at = at
        self.evidence = evidence
    }
}
