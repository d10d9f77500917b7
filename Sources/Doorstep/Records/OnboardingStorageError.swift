/// Why records or inputs could not be read or written: the one error of every ``OnboardingStorage``.
///
/// Its message is a sentence for a person: what, where, what to do. Decide by ``code``, never by the wording.
/// It never holds a value that a user typed.
public struct OnboardingStorageError: Error, Hashable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The store is not one (garbage, empty, truncated) or fails its own checks.
        case damaged
        /// The store was written by a newer version with a schema that this one doesn't know.
        case newer
        /// Something else stands in its place: another program's database, a directory.
        case foreign
        /// Another process held the store past the bounded wait; trying again can help.
        case busy
        /// The place is read-only, or somebody else's, or open to others, or locked by policy.
        case notPermitted
        /// No space is left, or a quota is used up.
        case full
        /// Reading or writing failed below the store.
        case io
        /// An ID, a prefix or a value that the store can't hold.
        case invalid
    }

    /// The kind of failure.
    public let code: Code
    /// One sentence: what, where, what to do.
    public let message: String

    /// An error from its parts.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// One sentence: what, where, what to do.
    public var description: String { message }
}
