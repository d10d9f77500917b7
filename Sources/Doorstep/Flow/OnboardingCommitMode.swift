/// When a flow's answers reach its storage.
public enum OnboardingCommitMode: String, Sendable, Hashable, CaseIterable {
    /// Each answer is written as it is given; leaving midway keeps the answers given so far.
    case eachStep
    /// Nothing is written until the last page, then everything in one transaction; leaving earlier leaves no trace.
    case onFinish
}
