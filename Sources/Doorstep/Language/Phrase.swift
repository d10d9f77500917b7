/// A text that Doorstep itself puts on a page: action titles, and the messages of its fields.
///
/// Validation messages say what is wrong and what is accepted, and never repeat what the user typed.
public enum Phrase: Sendable, Hashable {
    case signUp, getStarted, next, finish, skip, back, allow, openSettings, tryAgain, continueWithout, turnOn, unlock
    case required
    case tooShort(minimum: Int)
    case tooLong(maximum: Int)
    case noPattern
    case controlCharacters
    case notANumber
    case outOfRange(minimum: Int, maximum: Int)
    case offStep(minimum: Int, step: Int)
    case notAChoice(accepted: String)
    case notAToggle
    case yes, no
    /// A text that a plugin brings, already in the reader's language.
    case custom(String)
}
