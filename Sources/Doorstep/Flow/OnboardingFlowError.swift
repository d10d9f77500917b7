/// Why a flow could not be made.
public enum OnboardingFlowError: Error, Hashable, CustomStringConvertible {
    /// Two steps have the same ID.
    case duplicateStep(OnboardingStepID)
    /// A step has the ID of the welcome.
    case welcomeIsAStep(OnboardingStepID)
    /// An ID is empty, too long, or holds control characters; the text says which and what is accepted.
    case invalidID(String)
    /// A step has a revision below 1.
    case invalidRevision(OnboardingStepID, Int)
    /// The records could not be read.
    case storage(OnboardingStorageError)

    /// One sentence: what, where, what to do.
    public var description: String {
        switch self {
        case .duplicateStep(let id): "the flow has the step \"\(id)\" twice; step IDs must be unique"
        case .welcomeIsAStep(let id):
            "the flow's welcome \"\(id)\" is also one of its steps; give one of them another ID"
        case .invalidID(let fault): fault
        case .invalidRevision(let id, let revision):
            "the step \"\(id)\" has revision \(revision); revisions start at 1"
        case .storage(let error): error.message
        }
    }
}
