/// A value that the user typed or chose on a page: personal data, kept apart from the records.
///
/// It is never part of a description, a log line or an error. Print it only where somebody asked for it.
public enum OnboardingInputValue: Sendable, Hashable {
    /// Text, as typed, without surrounding white space; also the value of a choice.
    case text(String)
    /// A whole number.
    case integer(Int)
    /// An on/off value.
    case toggle(Bool)
}
