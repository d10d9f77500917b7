public import Doorstep
public import DoorstepPluginKit

/// One showing of a registered app's flow: the pager that a presenter draws, and the plugins behind its pages.
///
/// ```swift
/// let session = try await PreparedShowing(app, in: suite, reconciler: Reconciler()).begin()
/// try session.pager.start()
/// ```
///
/// It belongs to the isolation domain of its pager.
public final class OnboardingSession {
    /// The app.
    public let app: RegisteredApp
    /// The pager that presenters drive.
    public let pager: OnboardingPager
    /// The pages of steps that aren't shown, because they were answered before, and that inputs are stored of.
    private let answeredPages: [OnboardingPager.Page]

    /// How long a plugin has for an action that doesn't ask the user.
    private static let actionTimeout = Duration.seconds(60)
    /// How long an action is waited for. It may ask the user something, which takes as long as it takes them.
    private static let longestAction = Duration.seconds(600)

    private let reconciler: Reconciler
    private let selection: OnboardingPager.Selection

    init(
        app: RegisteredApp, pager: OnboardingPager, answeredPages: [OnboardingPager.Page],
        selection: OnboardingPager.Selection, reconciler: Reconciler
    ) {
        self.app = app
        self.pager = pager
        self.answeredPages = answeredPages
        self.selection = selection
        self.reconciler = reconciler
    }

    /// Every field that a value may be stored of, with its step, in the order of the flow: those of the shown pages, and
    /// those of the pages that were answered before.
    package var fields: [(step: OnboardingStepID, field: StepField)] {
        var fields: [OnboardingStepID: [StepField]] = [:]
        for page in answeredPages + pager.pages { fields[page.step.id] = page.content.fields }
        return app.steps.flatMap { bound in
            (fields[bound.step.config.id] ?? []).map { (bound.step.config.id, $0) }
        }
    }

    /// Lets a step's plugin do what an action of its page stands for, then asks its check again: a step that became
    /// satisfied is recorded and advances, any other gets its page anew.
    ///
    /// A task that is cancelled meanwhile no longer waits for the plugin.
    ///
    /// - Returns: What the plugin could not do, for the user.
    /// - Throws: `OnboardingStorageError` where the answer can't be written.
    public nonisolated(nonsending) func perform(
        _ action: String, step id: OnboardingStepID
    ) async throws(OnboardingStorageError) -> PluginError? {
        guard let bound = app.step(id) else { return nil }
        let scope = PassScope()
        var context = reconciler.context(of: bound, in: app, scope: scope)
        context.deadline = .now + Self.actionTimeout
        let work = TimedWork<PluginError?>(
            keys: [OverdueWork.Key(purpose: .action, app: app.id, step: id)], limit: Self.longestAction,
            body: { [context] _ in
                do throws(PluginError) {
                    try await bound.plugin.perform(action, in: context)
                    return nil
                } catch {
                    return error
                }
            }, unanswered: { PluginError("the action was given up: \($0)") })
        let problem = await TimedWork.run([work])[0].answer
        if !bound.plugin.hasCheck {
            for page in await reconciler.pages([(bound, nil)], in: app, scope: scope) {
                pager.update(page.content, for: id)
            }
        }
        await scope.end()
        if bound.plugin.hasCheck { try await reconcile([id]) }
        return problem
    }

    /// Reconciles again, because the app became active or something changed outside.
    ///
    /// - Throws: `OnboardingStorageError` where an answer can't be written; then the page stays.
    public nonisolated(nonsending) func becomeActive() async throws(OnboardingStorageError) {
        let open = pager.pages.map(\.step).filter { step in
            switch pager.answer(for: step.id) {
            case nil: true
            case false?: selection == .unmetRequired && step.isRequired
            case true?: false
            }
        }
        try await reconcile(open.map(\.id))
    }

    /// A value each time that a step's check may have another answer now, the first once the watch stands; then call
    /// ``recheck(_:)``. The stream ends where nothing can be watched, and nothing is polled.
    ///
    /// ```swift
    /// for await _ in session.changes(of: step) { try await session.recheck(step) }
    /// ```
    public func changes(of id: OnboardingStepID) -> AsyncStream<Void> {
        guard let bound = app.step(id), bound.plugin.hasCheck else { return AsyncStream { $0.finish() } }
        return bound.plugin.changes(in: reconciler.context(of: bound, in: app, scope: PassScope()))
    }

    /// Asks one step's check again: a step that became satisfied is recorded and advances, any other gets its page anew.
    ///
    /// - Throws: `OnboardingStorageError` where the answer can't be written; then the page stays.
    public nonisolated(nonsending) func recheck(_ id: OnboardingStepID) async throws(OnboardingStorageError) {
        guard pager.answer(for: id) != true else { return }
        try await reconcile([id])
    }

    private nonisolated(nonsending) func reconcile(_ steps: [OnboardingStepID]) async throws(OnboardingStorageError) {
        let scope = PassScope()
        let answers = await reconciler.check([(app, steps)], in: scope)[0]
        let wanted = answers.compactMap { answer in app.step(answer.step).map { ($0, answer) } }
        for page in await reconciler.pages(wanted, in: app, scope: scope) {
            pager.update(page.content, for: page.step.id)
        }
        await scope.end()
        try pager.reconcile(satisfied: answers.satisfied)
    }
}
