/// A value that the user typed or chose on a page: personal data, kept apart from the records.
///
/// It is never part of a description, a log line or an error, also not of a value that holds it: describing or dumping
/// one names its kind alone. Print it only where somebody asked for it.
public enum OnboardingInputValue: Sendable, Hashable {
    /// Text, as typed, without surrounding white space; also the value of a choice.
    case text(String)
    /// A whole number.
    case integer(Int)
    /// An on/off value.
    case toggle(Bool)
}

extension OnboardingInputValue: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The kind of the value, never the value.
    public var description: String {
        switch self {
        case .text: "text (withheld)"
        case .integer: "integer (withheld)"
        case .toggle: "toggle (withheld)"
        }
    }

    /// The kind of the value, never the value.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror {
        Mirror(self, children: [], displayStyle: .enum)
    }
}
