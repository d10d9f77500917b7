public import Doorstep
public import DoorstepJSON

/// Why a showing could not be answered from a file.
public enum AnswersError: Error, Sendable {
    /// The answers have these mistakes; nothing was written.
    case invalid(JSONFaults)
    /// The answers could not be written.
    case storage(OnboardingStorageError)
}
