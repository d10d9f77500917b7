internal import DoorstepJSON

/// The rule of app IDs: reverse-DNS, as a D-Bus well-known name or a desktop file's name.
public enum AppID {
    /// The most bytes that an app ID may hold.
    public static let maximumLength = 255

    /// What is wrong with an app ID and what is accepted, or nil for a valid one.
    public static func fault(in app: String) -> String? {
        if app.utf8.count > maximumLength {
            return "an app ID of \(app.utf8.count) bytes is too long; at most \(maximumLength) are accepted"
        }
        let elements = app.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isValid = elements.count >= 2 && elements.allSatisfy(isElement)
        if isValid { return nil }
        let accepted =
            "accepted are at least two elements of letters, digits, _ and -, joined by dots, none beginning with a digit, "
            + "such as \"com.example.aurora\""
        return "\(quoted(app)) is not an app ID; \(accepted)"
    }

    private static func isElement(_ element: Substring.UTF8View) -> Bool {
        guard let first = element.first, isLetter(first) else { return false }
        return element.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "-") }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
