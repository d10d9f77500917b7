/// One of the values that a choice field accepts.
public struct StepChoice: Sendable, Hashable {
    /// The value as it is stored.
    public var value: String
    /// What the user reads.
    public var label: String

    /// A choice from its parts.
    public init(value: String, label: String) {
        self.value = value
        self.label = label
    }
}
