/// Which answers a reconcile may change.
public enum OnboardingReconcileMode: Sendable, Hashable {
    /// Only unanswered steps are asked about and recorded; an answer is never changed.
    case unanswered
    /// Required steps that were declined are asked about as well, and recorded `true` when now satisfied.
    case unansweredAndDeclined
}
