/// Who or what gave an answer; it is kept with the record and in its history.
public enum OnboardingOrigin: String, Sendable, Hashable, CaseIterable {
    /// The user answered on the step's page.
    case user
    /// The user moved past the step, which backfilled it.
    case leaving
    /// The reconcile pass found the step satisfied outside the flow.
    case reconcile
    /// An admin's policy file.
    case policy
    /// An imported export.
    case `import`
    /// A person or script that changed the record directly.
    case admin
}
