public import Doorstep
internal import DoorstepJSON
internal import DoorstepPluginKit
public import DoorstepSQLite

/// A showing that is ready to begin: its checks are answered and its pages made, and nothing is written yet.
///
/// It belongs to the isolation domain of its flow.
public struct PreparedShowing {
    /// The app.
    public let app: RegisteredApp
    /// The app's flow, as it was read.
    public let flow: OnboardingFlow
    /// The pages that are left after what the checks said, in order.
    public let pages: [OnboardingPager.Page]

    let selection: OnboardingPager.Selection
    let satisfied: [OnboardingStepID: String]
    let reconciler: Reconciler

    /// Asks the checks, then makes the pages that are left.
    ///
    /// A page that its plugin can't make is shown with the reason, and can be passed.
    ///
    /// - Throws: ``RegistryError/storage(_:)`` where the records can't be read.
    public init(
        _ app: RegisteredApp, in suite: OnboardingSuite, selection: OnboardingPager.Selection = .needed,
        reconciler: Reconciler
    ) async throws(RegistryError) {
        let flow = try app.flow(in: suite)
        let asked = flow.stepsToReconcile(selection.reconcileMode).map(\.id)
        // One scope, so that what a check has started also makes its step's page.
        let scope = PassScope()
        let answers = await reconciler.check([(app, asked)], in: scope)[0]
        let satisfied = answers.satisfied
        var pages: [OnboardingPager.Page] = []
        for step in flow.steps(in: selection) where satisfied[step.id] == nil {
            guard let bound = app.step(step.id) else { continue }
            let answer = answers.first { $0.step == step.id }
            pages.append(await reconciler.page(of: bound, in: app, answer: answer, scope: scope))
        }
        await scope.end()
        self.app = app
        self.flow = flow
        self.pages = pages
        self.selection = selection
        self.satisfied = satisfied
        self.reconciler = reconciler
    }

    /// Begins the showing: records what the checks found (or holds it until the finish) and captures the pages.
    ///
    /// - Throws: `OnboardingStorageError`; then nothing has changed.
    public func begin() throws(OnboardingStorageError) -> OnboardingSession {
        // The checks took their time; another process may have answered meanwhile.
        try flow.refresh()
        let pager = try OnboardingPager(
            flow: flow, selection: selection, commitMode: app.manifest.commit, languages: reconciler.languages,
            satisfied: satisfied
        ) { step in
            pages.first { $0.step.id == step.id }?.content ?? StepPage(title: step.id.rawValue)
        }
        return OnboardingSession(app: app, pager: pager, selection: selection, reconciler: reconciler)
    }

    /// The page of any step of the flow, also of one that needs no page now; nil for an unknown ID.
    func anyPage(_ id: OnboardingStepID) async -> OnboardingPager.Page? {
        if let page = pages.first(where: { $0.step.id == id }) { return page }
        guard let bound = app.step(id) else { return nil }
        let scope = PassScope()
        let page = await reconciler.page(of: bound, in: app, answer: nil, scope: scope)
        await scope.end()
        return page
    }
}

extension RegisteredApp {
    /// The sentence for a step ID that the flow doesn't have.
    package func unknownStep(_ id: String) -> String {
        let known = steps.map(\.step.config.id.rawValue)
        let hint = JSONFault.hint(nearestSpelling(of: id, among: known), accepted: known)
        return "\"\(self.id)\" has no step \(quoted(id))\(hint)"
    }
}

extension Reconciler {
    /// A step's page as its check's last answer has it.
    func page(
        of bound: BoundManifestStep, in app: RegisteredApp, answer: StepAnswer?, scope: PassScope
    ) async -> OnboardingPager.Page {
        var context = context(of: bound, in: app, scope: scope)
        context.satisfaction = answer?.outcome.satisfaction
        var content: StepPage
        do throws(PluginError) {
            content = try await bound.plugin.page(in: context)
        } catch {
            content = context.page(title: LocalizedText(bound.step.config.id.rawValue))
            content.status = error.message
        }
        return OnboardingPager.Page(step: bound.step.config, isWelcome: context.isWelcome, content: content)
    }
}
