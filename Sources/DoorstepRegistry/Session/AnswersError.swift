public import Doorstep
public import DoorstepJSON

/// Why a showing could not be answered from a file.
public enum AnswersError: Error, Sendable {
    /// The answers have these mistakes; nothing was written.
    case invalid(JSONFaults)
    /// The page of this step can't be passed with the answers given, although they were found good before the start.
    case refused(step: OnboardingStepID)
    /// The answers could not be written.
    case storage(OnboardingStorageError)
}
