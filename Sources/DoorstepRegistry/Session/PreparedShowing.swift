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
    /// The pages of other steps that inputs are stored of.
    private let answeredPages: [OnboardingPager.Page]
    /// Where in ``pages`` a step's page is.
    private let places: [OnboardingStepID: Int]

    /// Asks the checks, then makes the pages that are left.
    ///
    /// The pages are made side by side. One that its plugin can't make, or not in time, is shown with the reason, and can
    /// be passed.
    ///
    /// - Throws: ``RegistryError/storage(_:)`` where the records can't be read.
    public init(
        _ app: RegisteredApp, in suite: OnboardingSuite, selection: OnboardingPager.Selection = .needed,
        reconciler: Reconciler
    ) async throws(RegistryError) {
        let flow = try app.flow(in: suite)
        let stored = try Self.stepsWithInputs(flow)
        let asked = flow.stepsToReconcile(selection.reconcileMode).map(\.id)
        // One scope, so that what a check has started also makes its step's page.
        let scope = PassScope()
        let answers = await reconciler.check([(app, asked)], in: scope)[0]
        let satisfied = answers.satisfied
        var answered: [OnboardingStepID: StepAnswer] = [:]
        for answer in answers { answered[answer.step] = answer }
        let wanted = flow.steps(in: selection).filter { satisfied[$0.id] == nil }.compactMap { step in
            app.step(step.id).map { bound in (bound, answered[step.id]) }
        }
        // Those of steps that were answered before are shown at the end, if there is anything to show at all.
        let answeredBefore = app.steps.filter { bound in
            let id = bound.step.config.id
            return !wanted.isEmpty && stored.contains(id) && !wanted.contains { $0.0.step.config.id == id }
        }
        let made = await reconciler.pages(wanted + answeredBefore.map { ($0, nil) }, in: app, scope: scope)
        await scope.end()
        let pages = Array(made.prefix(wanted.count))
        answeredPages = Array(made.dropFirst(wanted.count))
        self.app = app
        self.flow = flow
        self.pages = pages
        var places: [OnboardingStepID: Int] = [:]
        for (place, page) in pages.enumerated() { places[page.step.id] = place }
        self.places = places
        self.selection = selection
        self.satisfied = satisfied
        self.reconciler = reconciler
    }

    /// Whether a page is needed by now that wasn't while this was prepared, because another process changed the records;
    /// then prepare again.
    ///
    /// - Throws: `OnboardingStorageError` where the records can't be read.
    public func isOutdated() throws(OnboardingStorageError) -> Bool {
        try flow.refresh()
        return unprepared != nil
    }

    /// Begins the showing: records what the checks found (or holds it until the finish) and captures the pages.
    ///
    /// A step that another process answered meanwhile gets no page. One that needs a page that isn't made, such as one
    /// whose record was cleared meanwhile, ends the showing here: without its page nobody could be asked.
    ///
    /// - Parameter commit: When answers are written, if not as the app's manifest says.
    /// - Throws: `OnboardingStorageError`, with the code `busy` where ``isOutdated()``; then nothing has changed.
    public func begin(
        commit: OnboardingCommitMode? = nil
    ) throws(OnboardingStorageError) -> OnboardingSession {
        // The checks took their time; another process may have answered meanwhile.
        try flow.refresh()
        if let step = unprepared { throw changed(step) }
        var missing: OnboardingStepConfig?
        let pager = try OnboardingPager(
            flow: flow, selection: selection, commitMode: commit ?? app.manifest.commit,
            languages: reconciler.languages,
            satisfied: satisfied
        ) { step in
            if let page = page(of: step.id) { return page.content }
            missing = step
            return StepPage(title: step.id.rawValue)
        }
        // A decline that came between the look above and the writing of what the checks found.
        if let missing { throw changed(missing) }
        return OnboardingSession(
            app: app, pager: pager, answeredPages: answeredPages, selection: selection, reconciler: reconciler)
    }

    private static func stepsWithInputs(_ flow: OnboardingFlow) throws(RegistryError) -> Set<OnboardingStepID> {
        do throws(OnboardingStorageError) {
            return Set(try flow.storage.inputs().keys)
        } catch {
            throw .storage(error)
        }
    }

    /// A step that needs a page, and none is made.
    private var unprepared: OnboardingStepConfig? {
        flow.steps(in: selection).first { satisfied[$0.id] == nil && places[$0.id] == nil }
    }

    private func page(of id: OnboardingStepID) -> OnboardingPager.Page? { places[id].map { pages[$0] } }

    private func changed(_ step: OnboardingStepConfig) -> OnboardingStorageError {
        OnboardingStorageError(
            .busy,
            "the record of \"\(step.id)\" of \"\(app.id)\" was changed meanwhile, so that its page is needed; try again"
        )
    }

    /// The page of any step of the flow, also of one that needs no page now; nil for an unknown ID.
    func anyPage(_ id: OnboardingStepID) async -> OnboardingPager.Page? {
        if let page = page(of: id) { return page }
        guard let bound = app.step(id) else { return nil }
        let scope = PassScope()
        let pages = await reconciler.pages([(bound, nil)], in: app, scope: scope)
        await scope.end()
        return pages.first
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
    /// Steps' pages as their checks' last answers have them, made side by side.
    func pages(
        _ steps: [(bound: BoundManifestStep, answer: StepAnswer?)], in app: RegisteredApp, scope: PassScope
    ) async -> [OnboardingPager.Page] {
        // A short time for checks is no reason to show pages that their plugins had no time to make.
        let limit = min(max(timeout, ReconcilePass.standardTimeout), ReconcilePass.longestTimeout)
        let works = steps.map { bound, answer in
            var context = context(of: bound, in: app, scope: scope)
            context.satisfaction = answer?.outcome.satisfaction
            return TimedWork(
                keys: [OverdueWork.Key(purpose: .page, app: app.id, step: context.step.id)], limit: limit,
                body: { [context] deadline in
                    var context = context
                    context.deadline = deadline
                    do throws(PluginError) {
                        return try await bound.plugin.page(in: context)
                    } catch {
                        return Self.standIn(in: context, because: error.message)
                    }
                },
                unanswered: { [context] in Self.standIn(in: context, because: "the page could not be made: \($0)") })
        }
        return zip(steps, await TimedWork.run(works)).map { step, outcome in
            let config = step.bound.step.config
            var content = outcome.answer
            // Why a step isn't satisfied: whoever reads the status of its page may want to know, and to mend it.
            // A plugin may have taken it into the status itself.
            if let status = content.status, let satisfaction = step.answer?.outcome.satisfaction,
                satisfaction.isSatisfied != true, !satisfaction.evidence.isEmpty,
                !status.contains(satisfaction.evidence)
            {
                content.evidence = satisfaction.evidence
            }
            return OnboardingPager.Page(
                step: config, isWelcome: config.id == app.manifest.welcome?.config.id, content: content)
        }
    }

    /// The page of a step whose plugin made none.
    private static func standIn(in context: StepContext, because reason: String) -> StepPage {
        var page = context.page(title: LocalizedText(context.step.id.rawValue))
        page.status = reason
        return page
    }
}
