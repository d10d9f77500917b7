public import Doorstep
internal import DoorstepJSON
public import DoorstepPluginKit
public import DoorstepSQLite

/// One showing of a registered app's flow: reconciles, makes the pages, and gives the pager that a presenter draws.
///
/// It belongs to the isolation domain of its pager.
public final class OnboardingSession {
    /// The app.
    public let app: RegisteredApp
    /// The pager that presenters drive.
    public let pager: OnboardingPager

    private let reconciler: Reconciler
    private let selection: OnboardingPager.Selection

    /// Runs the reconcile pass, captures the pages that are left, and makes each of them.
    ///
    /// A page that its plugin can't make is shown with the reason, and can be passed.
    ///
    /// - Throws: ``RegistryError/storage(_:)``; then nothing has changed.
    public init(
        _ app: RegisteredApp, in suite: OnboardingSuite, selection: OnboardingPager.Selection = .needed,
        reconciler: Reconciler
    ) async throws(RegistryError) {
        self.app = app
        self.reconciler = reconciler
        self.selection = selection
        let flow = try app.flow(in: suite)
        let asked = flow.stepsToReconcile(selection.reconcileMode).map(\.id)
        let answers = await reconciler.check([(app, asked)])[0]
        let satisfied = answers.satisfied
        var pages: [OnboardingStepID: StepPage] = [:]
        for step in flow.steps(in: selection) where satisfied[step.id] == nil {
            guard let bound = app.step(step.id) else { continue }
            let answer = answers.first { $0.step == step.id }
            pages[step.id] = await Self.page(of: bound, in: app, answer: answer, reconciler: reconciler)
        }
        do throws(OnboardingStorageError) {
            pager = try OnboardingPager(
                flow: flow, selection: selection, commitMode: app.manifest.commit, languages: reconciler.languages,
                satisfied: satisfied
            ) { pages[$0.id] ?? StepPage(title: $0.id.rawValue) }
        } catch {
            throw .storage(error)
        }
    }

    /// Lets a step's plugin do what an action of its page stands for, then asks its check again: a step that became
    /// satisfied is recorded and advances, any other gets its page anew.
    ///
    /// - Returns: What the plugin said it could not do, for the user.
    /// - Throws: `OnboardingStorageError` where the answer can't be written.
    public func perform(_ action: String, step id: OnboardingStepID) async throws(OnboardingStorageError)
        -> PluginError?
    {
        guard let bound = app.step(id) else { return nil }
        var problem: PluginError?
        do throws(PluginError) {
            try await bound.plugin.perform(action, in: reconciler.context(of: bound, in: app, scope: PassScope()))
        } catch {
            problem = error
        }
        if bound.plugin.hasCheck {
            try await becomeActive(checking: [id])
        } else {
            pager.update(await Self.page(of: bound, in: app, answer: nil, reconciler: reconciler), for: id)
        }
        return problem
    }

    /// Reconciles again, because the app became active or something changed outside.
    ///
    /// - Throws: `OnboardingStorageError` where an answer can't be written; then the page stays.
    public func becomeActive() async throws(OnboardingStorageError) {
        let open = pager.pages.map(\.step).filter { step in
            switch pager.answer(for: step.id) {
            case nil: true
            case false?: selection == .unmetRequired && step.isRequired
            case true?: false
            }
        }
        try await becomeActive(checking: open.map(\.id))
    }

    private func becomeActive(checking steps: [OnboardingStepID]) async throws(OnboardingStorageError) {
        let answers = await reconciler.check([(app, steps)])[0]
        for answer in answers {
            guard let bound = app.step(answer.step) else { continue }
            pager.update(
                await Self.page(of: bound, in: app, answer: answer, reconciler: reconciler), for: answer.step)
        }
        try pager.reconcile(satisfied: answers.satisfied)
    }

    /// A step's page as its check's last answer has it.
    static func page(
        of bound: BoundManifestStep, in app: RegisteredApp, answer: StepAnswer?, reconciler: Reconciler
    ) async -> StepPage {
        var context = reconciler.context(of: bound, in: app, scope: PassScope())
        context.satisfaction = answer?.outcome.satisfaction
        do throws(PluginError) {
            return try await bound.plugin.page(in: context)
        } catch {
            var page = context.page(title: LocalizedText(bound.step.config.id.rawValue))
            page.status = error.message
            return page
        }
    }
}

extension OnboardingSession {
    /// The page of any step of the flow, also of one that needs no page now; nil for an unknown ID.
    func anyPage(_ id: OnboardingStepID) async -> OnboardingPager.Page? {
        if let page = pager.pages.first(where: { $0.step.id == id }) { return page }
        guard let bound = app.step(id) else { return nil }
        let content = await Self.page(of: bound, in: app, answer: nil, reconciler: reconciler)
        return OnboardingPager.Page(
            step: bound.step.config, isWelcome: id == app.manifest.welcome?.config.id, content: content)
    }

    /// The sentence for an ID that the flow doesn't have.
    func unknownStep(_ id: String) -> String {
        let known = app.steps.map(\.step.config.id.rawValue)
        let hint = JSONFault.hint(nearestSpelling(of: id, among: known), accepted: known)
        return "\"\(app.id)\" has no such step\(hint)"
    }
}
