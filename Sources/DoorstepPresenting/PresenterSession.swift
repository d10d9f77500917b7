public import Doorstep

/// What a presenter asks of the one who opened it, because it knows no plugins.
///
/// Its closures run in the isolation domain of the pager. They change the pager themselves
/// (``/Doorstep/OnboardingPager/update(_:for:)``, ``/Doorstep/OnboardingPager/reconcile(satisfied:)``); the presenter
/// then draws what it has become.
public struct PresenterSession {
    /// Does a plugin's action on the shown step.
    ///
    /// Takes the action's name and the step. Returns nil, or one sentence for the user where the action could not be
    /// done.
    public typealias Perform =
        nonisolated(nonsending) (String, OnboardingStepID) async throws(OnboardingStorageError) -> String?
    /// Looks again at how things stand outside the flow.
    public typealias BecameActive = nonisolated(nonsending) () async throws(OnboardingStorageError) -> Void
    /// A value each time that a step's check may have another answer now, the first once the watch stands.
    public typealias Changes = (OnboardingStepID) -> AsyncStream<Void>
    /// Looks again at one step.
    public typealias Recheck = nonisolated(nonsending) (OnboardingStepID) async throws(OnboardingStorageError) -> Void

    /// Runs the plugin's action, gives the pager the step's new page, and reconciles.
    public var perform: Perform
    /// Reconciles again, after the user came back from somewhere else, or something changed.
    public var becameActive: BecameActive
    /// Tells of changes while a page is open.
    public var changes: Changes
    /// Checks the step again, and gives the pager its new page or its answer.
    public var recheck: Recheck
    /// Called once the showing is over: before the process ends by a signal, if it does.
    public var ended: () -> Void
    /// The page after the last one; nil for none.
    public var profile: PresenterProfile?

    /// A session from its parts; without any, actions do nothing and coming back changes nothing.
    public init(
        perform: @escaping Perform = { _, _ in nil }, becameActive: @escaping BecameActive = {},
        changes: @escaping Changes = { _ in AsyncStream { $0.finish() } }, recheck: @escaping Recheck = { _ in },
        profile: PresenterProfile? = nil, ended: @escaping () -> Void = {}
    ) {
        self.perform = perform
        self.becameActive = becameActive
        self.changes = changes
        self.recheck = recheck
        self.profile = profile
        self.ended = ended
    }
}
