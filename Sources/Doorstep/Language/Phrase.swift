/// A text that Doorstep itself puts on a page: action titles, and the messages of its fields.
///
/// Validation messages say what is wrong and what is accepted, and never repeat what the user typed.
public enum Phrase: Sendable, Hashable {
    case signUp, getStarted, next, finish, skip, back, allow, openSettings, tryAgain, continueWithout, turnOn, unlock
    case required
    /// Nothing is chosen of what stands to choose.
    case choiceRequired
    case tooShort(minimum: Int)
    case tooLong(maximum: Int)
    case noPattern
    case controlCharacters
    case notANumber
    /// The least and the greatest `Int` stand for a bound that isn't there.
    case outOfRange(minimum: Int, maximum: Int)
    case offStep(minimum: Int, step: Int)
    case notAChoice(accepted: String)
    case notAToggle
    case yes, no
    /// A text that a plugin brings, already in the reader's language.
    case custom(String)
}
