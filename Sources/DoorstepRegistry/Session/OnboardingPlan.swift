public import Doorstep
internal import DoorstepPluginKit
public import DoorstepSQLite

/// What a showing would do now: what its reconcile would record, and the pages still needed, in order. It writes nothing.
public struct OnboardingPlan: Sendable {
    /// One page that is still needed.
    public struct Page: Sendable, Hashable {
        /// What the flow says of the step.
        public var step: OnboardingStepConfig
        /// The kind of its plugin.
        public var plugin: String
        /// Whether it is the flow's welcome.
        public var isWelcome: Bool
        /// Whether it was declined, and is planned because its flow requires it.
        public var isDeclined: Bool
        /// The revision at which it was answered, where the flow asks at a later one; else nil.
        public var outdatedRevision: Int?
    }

    /// The app.
    public var app: String
    /// What each check said.
    public var answers: [StepAnswer]
    /// The steps that a reconcile would record `true`, in order.
    public var recorded: [OnboardingStepID]
    /// The pages still needed after that, in order.
    public var pages: [Page]

    /// Asks an app's checks and sequences what is left.
    ///
    /// - Throws: ``RegistryError/storage(_:)`` where the records can't be read.
    public init(
        for app: RegisteredApp, in suite: OnboardingSuite, selection: OnboardingPager.Selection = .needed,
        reconciler: Reconciler
    ) async throws(RegistryError) {
        let flow = try app.flow(in: suite)
        let asked = flow.stepsToReconcile(selection.reconcileMode).map(\.id)
        self.app = app.id
        answers = await reconciler.check([(app, asked)])[0]
        let satisfied = answers.satisfied
        recorded = asked.filter { satisfied[$0] != nil }
        pages = flow.steps(in: selection).filter { satisfied[$0.id] == nil }.map { step in
            Page(
                step: step, plugin: app.step(step.id)?.plugin.kind ?? "",
                isWelcome: step.id == flow.welcome?.id, isDeclined: flow.value(for: step.id) == false,
                outdatedRevision: flow.outdatedRevision(of: step.id))
        }
    }
}
