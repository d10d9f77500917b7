/// What a flow says of one of its steps. It belongs to the flow, never to the record, so changing it orphans nothing.
public struct OnboardingStepConfig: Sendable, Hashable, Identifiable {
    /// The step's permanent name.
    public var id: OnboardingStepID
    /// Whether the flow is satisfied only once this step is recorded `true`.
    public var isRequired: Bool
    /// Whether the user may decline the step; moving past one that isn't skippable records `true`.
    public var isSkippable: Bool
    /// From 1 upwards; a record made at a lower revision counts as absent.
    public var revision: Int

    /// A step; by default one that is optional, skippable, and at its first revision.
    public init(id: OnboardingStepID, isRequired: Bool = false, isSkippable: Bool = true, revision: Int = 1) {
        self.id = id
        self.isRequired = isRequired
        self.isSkippable = isSkippable
        self.revision = revision
    }
}
