public import Doorstep

/// What a presenter asks of the one who opened it, because it knows no plugins.
///
/// The closures run in the isolation domain of the pager. They change the pager themselves
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
    /// Tells whenever something may have changed outside the flow: each element is one such moment.
    public typealias Changes = @Sendable () -> AsyncStream<Void>

    /// Runs the plugin's action, gives the pager the step's new page, and reconciles.
    public var perform: Perform
    /// Reconciles again, after the user came back from somewhere else, or something changed.
    public var becameActive: BecameActive
    /// What wakes a presenter that waits for the user; nil where nothing is watched.
    public var changes: Changes?
    /// Called once the showing is over: before the process ends by a signal, if it does.
    public var ended: () -> Void
    /// The page after the last one; nil for none.
    public var profile: PresenterProfile?

    /// A session from its parts; without any, actions do nothing and coming back changes nothing.
    public init(
        perform: @escaping Perform = { _, _ in nil }, becameActive: @escaping BecameActive = {},
        changes: Changes? = nil, profile: PresenterProfile? = nil, ended: @escaping () -> Void = {}
    ) {
        self.perform = perform
        self.becameActive = becameActive
        self.changes = changes
        self.profile = profile
        self.ended = ended
    }
}
