public import Doorstep

/// What a presenter needs for the page after the last one: what was stored, and the way to take it back.
public struct PresenterProfile {
    /// One stored value, as it is read.
    public struct Entry: Sendable, Hashable {
        /// What the value is called.
        public var label: String
        /// The value.
        public var value: String

        /// An entry from its parts.
        public init(label: String, value: String) {
            self.label = label
            self.value = value
        }
    }

    /// Reads what is stored now, in the order of its pages; without any, there is no page.
    public var entries: () throws(OnboardingStorageError) -> [Entry]
    /// Resets the flow and erases its inputs, in one transaction.
    public var signOut: () throws(OnboardingStorageError) -> Void

    /// A profile from its parts.
    public init(
        entries: @escaping () throws(OnboardingStorageError) -> [Entry],
        signOut: @escaping () throws(OnboardingStorageError) -> Void
    ) {
        self.entries = entries
        self.signOut = signOut
    }
}
