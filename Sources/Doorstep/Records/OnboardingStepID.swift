/// The permanent name of one step of one app's flow, for example `com.example.aurora.profile.name`.
///
/// IDs are never reused: a record is found by its step's ID for as long as the suite lives. An ID holds 1 to
/// ``maximumLength`` bytes of UTF-8 and no control characters; ``fault`` says what is wrong with one that doesn't.
/// Two IDs are equal when their bytes are: a storage keys its records by bytes, so spellings that only look alike
/// (composed and decomposed accents) are different steps everywhere.
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

    /// The ID as it stands in manifests and in the suite.
    public var description: String { rawValue }

    /// What is wrong with this ID and what would be accepted, or nil for a valid one.
    public var fault: String? {
        if rawValue.isEmpty { return "a step ID is empty; it needs 1 to \(Self.maximumLength) bytes" }
        if rawValue.utf8.count > Self.maximumLength {
            return "a step ID has \(rawValue.utf8.count) bytes; at most \(Self.maximumLength) are accepted"
        }
        for scalar in rawValue.unicodeScalars where scalar.isControl {
            return
                "a step ID holds the control character \(Self.name(of: scalar)); none is accepted"
        }
        return nil
    }

    /// The scalar as Unicode writes it, with at least four digits.
    private static func name(of scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
    }

    /// Whether two IDs are the same, byte for byte: text that only looks the same, such as a letter written with a
    /// combining accent, is another ID, as it is in the suite.
    public static func == (left: OnboardingStepID, right: OnboardingStepID) -> Bool {
        left.rawValue.utf8.elementsEqual(right.rawValue.utf8)
    }

    /// Whether two IDs differ in any byte. Spelled out because the standard library's operator for raw representable
    /// types would compare the strings.
    public static func != (left: OnboardingStepID, right: OnboardingStepID) -> Bool {
        !(left == right)
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        var bytes = rawValue
        bytes.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
