/// The permanent name of one step of one app's flow, for example `com.example.aurora.profile.name`.
///
/// IDs are never reused: a record is found by its step's ID for as long as the suite lives. An ID holds 1 to
/// ``maximumLength`` bytes of UTF-8 and no control characters; ``fault`` says what is wrong with one that doesn't.
public struct OnboardingStepID: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral,
    CustomStringConvertible
{
    /// The most bytes of UTF-8 that an ID may hold.
    public static let maximumLength = 255

    /// The ID as it stands in manifests and in the suite.
    public let rawValue: String

    /// Takes an ID as it is; ``fault`` tells whether a flow would accept it.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Takes an ID as it is; ``fault`` tells whether a flow would accept it.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// An ID written in source code.
    public init(stringLiteral value: String) {
        self.rawValue = value
    }

    /// Whether two IDs are the same, byte by byte: text that only looks the same, such as a letter written with a
    /// combining accent, is another ID, as it is in the suite.
    public static func == (left: OnboardingStepID, right: OnboardingStepID) -> Bool {
        left.rawValue.utf8.elementsEqual(right.rawValue.utf8)
    }

    /// Whether two IDs differ in a byte.
    public static func != (left: OnboardingStepID, right: OnboardingStepID) -> Bool {
        !(left == right)
    }

    /// Hashes the ID.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(rawValue)
    }

    /// The ID as it stands in manifests and in the suite.
    public var description: String { rawValue }

    /// What is wrong with this ID and what would be accepted, or nil for a valid one.
    public var fault: String? {
        if rawValue.isEmpty { return "a step ID is empty; it needs 1 to \(Self.maximumLength) bytes" }
        if rawValue.utf8.count > Self.maximumLength {
            return "a step ID has \(rawValue.utf8.count) bytes; at most \(Self.maximumLength) are accepted"
        }
        for scalar in rawValue.unicodeScalars where scalar.properties.generalCategory == .control {
            return
                "a step ID holds the control character U+\(String(scalar.value, radix: 16, uppercase: true)); none is accepted"
        }
        return nil
    }
}
