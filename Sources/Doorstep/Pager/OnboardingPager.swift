public import Observation

/// One showing of a flow to a user, from its first page to its finish, without any drawing: every presenter drives one.
///
/// The pages are captured once, when the pager is made, after the reconcile results it is given have been taken in.
/// Going forward backfills what it passes, each page once, so going back and forward again writes nothing. A pager belongs to the isolation domain of its flow.
///
/// ```swift
/// let pager = try OnboardingPager(flow: flow, satisfied: evidence) { step in pages[step.id] ?? StepPage(title: "") }
/// pager.onFinished = { print("done") }
/// try pager.start()
/// ```
@Observable
public final class OnboardingPager {
    /// Which pages a pager shows.
    public enum Selection: Sendable, Hashable {
        /// What the flow still needs: its welcome and its unanswered steps.
        case needed
        /// The required steps that aren't recorded `true`, also those that were declined: the way out for a user who
        /// swiped past one.
        case unmetRequired
    }

    /// How far a showing has come.
    public enum Phase: Sendable, Hashable {
        /// Not started.
        case ready
        /// A page is shown.
        case showing
        /// The last page was left, and everything is written.
        case finished
        /// The user left before the end.
        case left
    }

    /// One captured page.
    public struct Page: Sendable, Hashable {
        /// What the flow says of the step.
        public let step: OnboardingStepConfig
        /// Whether this is the flow's welcome.
        public let isWelcome: Bool
        /// What the page shows.
        public internal(set) var content: StepPage

        /// A page from its parts.
        public init(step: OnboardingStepConfig, isWelcome: Bool, content: StepPage) {
            self.step = step
            self.isWelcome = isWelcome
            self.content = content
        }
    }

    /// What became of a wish to move.
    public enum Move: Sendable, Hashable {
        /// Another page is shown.
        case moved
        /// That was the last page.
        case finished
        /// These faults in its fields keep the page; without any, there was nothing to move to. A jump stays on the first
        /// such page on its way.
        case stayed([FieldFault])
    }

    /// The flow that is shown.
    @ObservationIgnored public let flow: OnboardingFlow
    /// When answers are written.
    @ObservationIgnored public let commitMode: OnboardingCommitMode
    /// The languages of the pager's own texts.
    @ObservationIgnored public let languages: LanguagePreferences
    /// Called with the step's ID each time a page is shown.
    @ObservationIgnored public var onPageShown: (OnboardingStepID) -> Void = { _ in }
    /// Called exactly once, after the last page.
    @ObservationIgnored public var onFinished: () -> Void = {}

    /// The captured pages; the list never changes, a page's content may.
    public internal(set) var pages: [Page]
    /// How far the showing has come.
    public internal(set) var phase: Phase = .ready
    /// The index of the page that is shown, in ``pages``.
    public internal(set) var position = 0
    /// What the user typed or chose so far, by step and key; nil stands for "emptied".
    var drafts: [OnboardingStepID: [String: OnboardingInputValue?]] = [:]

    /// The inputs that this pager recorded (or holds) with an answer of its user, by step.
    @ObservationIgnored var recordedInputs: [OnboardingStepID: [String: OnboardingInputValue]] = [:]
    /// What this pager recorded (or holds), by step.
    @ObservationIgnored var answers: [OnboardingStepID: Bool] = [:]
    /// The steps that a reconcile found satisfied while this pager was open, or that wait for its finish.
    @ObservationIgnored var reconciled: Set<OnboardingStepID> = []
    /// The changes that wait for the finish, in the order in which their steps were first answered.
    @ObservationIgnored var held: [OnboardingChange] = []
    /// Where in ``held`` a step's change stands.
    @ObservationIgnored var heldPlaces: [OnboardingStepID: Int] = [:]

    @ObservationIgnored let selection: Selection
    @ObservationIgnored private let captured: [OnboardingStepID: OnboardingRecord]

    /// Takes in a reconcile's results and captures the pages that are then left.
    ///
    /// - Parameters:
    ///   - flow: The flow to show.
    ///   - selection: Which of its pages.
    ///   - commitMode: Whether answers are written as they are given, or all at the finish.
    ///   - languages: The languages of the pager's own texts.
    ///   - satisfied: One line of evidence for each step that its check found satisfied. They are recorded now, or
    ///     held until the finish.
    ///   - content: Makes a captured step's page.
    /// - Throws: ``OnboardingStorageError`` where the reconcile results can't be written; then nothing has changed.
    public init(
        flow: OnboardingFlow, selection: Selection = .needed, commitMode: OnboardingCommitMode = .eachStep,
        languages: LanguagePreferences = LanguagePreferences([]), satisfied: [OnboardingStepID: String] = [:],
        content: (OnboardingStepConfig) -> StepPage
    ) throws(OnboardingStorageError) {
        self.flow = flow
        self.selection = selection
        self.commitMode = commitMode
        self.languages = languages
        let changes = flow.reconciliation(selection.reconcileMode, satisfied: satisfied)
        switch commitMode {
        case .eachStep: try flow.reconcile(selection.reconcileMode, satisfied: satisfied)
        case .onFinish: reconciled = Set(changes.map(\.step))
        }
        let settled = reconciled
        let shown = flow.steps(in: selection).filter { !settled.contains($0.id) }
        pages = shown.map { Page(step: $0, isWelcome: $0.id == flow.welcome?.id, content: content($0)) }
        var captured: [OnboardingStepID: OnboardingRecord] = [:]
        for step in shown { captured[step.id] = flow.record(for: step.id) }
        self.captured = captured
        if commitMode == .onFinish { for change in changes { hold(change) } }
    }

    /// The page that is shown, or nil before the start and after the end.
    public var page: Page? {
        phase == .showing ? pages[position] : nil
    }

    /// The answer of a step as this showing sees it: what it holds for the finish, else the record; after the end the
    /// record.
    public func answer(for id: OnboardingStepID) -> Bool? {
        // What was held is written by now, except where another process answered first, or it is dropped.
        if phase == .finished || phase == .left { return flow.value(for: id) }
        if let answer = answers[id] { return answer }
        return reconciled.contains(id) ? true : flow.value(for: id)
    }

    /// Whether a page is passed over because its step was answered elsewhere since the pages were captured. A page that
    /// the user answered or filled in stays theirs.
    func isPassedOver(_ index: Int) -> Bool {
        let page = pages[index]
        if answers[page.step.id] != nil || isEdited(page) { return false }
        if reconciled.contains(page.step.id) { return true }
        guard let record = flow.record(for: page.step.id) else { return false }
        return record != captured[page.step.id]
    }

    /// The index of the nearest page from `start` on that isn't passed over, or nil.
    func nextIndex(from start: Int) -> Int? {
        (start..<max(start, pages.count)).first { !isPassedOver($0) }
    }
}

extension OnboardingPager.Selection {
    /// Which answers the reconcile before such a showing may change.
    public var reconcileMode: OnboardingReconcileMode {
        self == .needed ? .unanswered : .unansweredAndDeclined
    }
}

extension OnboardingFlow {
    /// The steps that a showing of this selection has pages for, in order.
    public func steps(in selection: OnboardingPager.Selection) -> [OnboardingStepConfig] {
        selection == .needed ? neededSteps : unmetRequiredSteps
    }
}
