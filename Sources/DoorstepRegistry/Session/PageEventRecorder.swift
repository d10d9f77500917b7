public import Doorstep
public import DoorstepSQLite

/// Keeps what becomes of the pages of one showing: which came up, were answered, left, or finished from.
///
/// Events are written as they happen, so that also a showing that is killed has told how far it came. A flow that is
/// written at its finish leaves no trace before it: its events wait for the finish, and are dropped with the rest. That
/// an event can't be written never stops a showing.
public final class PageEventRecorder {
    /// Why the last event could not be written; nil if all were.
    public private(set) var failure: OnboardingStorageError?

    /// How long a page waits for its event: nobody should notice.
    private static let patience = Duration.milliseconds(200)

    private let session: OnboardingSession
    private let suite: OnboardingSuite
    private let showing = String(UInt64.random(in: .min ... .max), radix: 36)
    private var shown: OnboardingStepID?
    /// The answers that the pages seen so far had when they were told of last.
    private var answers: [OnboardingStepID: Bool?] = [:]
    private var isEnded = false
    private var waiting: [OnboardingPageEvent] = []

    /// Begins to listen to a session's pager; what it told so far goes on to whoever listened before.
    public init(_ session: OnboardingSession, in suite: OnboardingSuite) {
        self.session = session
        self.suite = suite
        let pager = session.pager
        let (showedBefore, finishedBefore) = (pager.onPageShown, pager.onFinished)
        pager.onPageShown = { [weak self] step in
            showedBefore(step)
            self?.pageShown(step)
        }
        pager.onFinished = { [weak self] in
            finishedBefore()
            self?.finished()
        }
    }

    /// Tells that the showing is over; what comes after the first time tells nothing new.
    public func end() {
        if isEnded { return }
        isEnded = true
        guard session.pager.phase == .left, let shown else { return }
        noteAllAnswers()
        note(.left, shown)
        write()
    }

    private func pageShown(_ step: OnboardingStepID) {
        // The page that is left by this; one that something else answers is noted at the end.
        if let shown { noteAnswer(of: shown) }
        note(.shown, step)
        shown = step
        if answers[step] == nil { answers[step] = .some(session.pager.answer(for: step)) }
        write()
    }

    private func finished() {
        guard let shown else { return }
        noteAllAnswers()
        note(.finished, shown)
        write(isFinish: true)
    }

    /// The pages that came up and have another answer now than they had then.
    private func noteAllAnswers() {
        for page in session.pager.pages { noteAnswer(of: page.step.id) }
    }

    private func noteAnswer(of id: OnboardingStepID) {
        guard let before = answers[id], let answer = session.pager.answer(for: id), answer != before else { return }
        answers[id] = .some(answer)
        note(.answered, id)
    }

    private func note(_ kind: OnboardingPageEvent.Kind, _ step: OnboardingStepID) {
        let manifest = session.app.manifest
        waiting.append(
            OnboardingPageEvent(
                prefix: manifest.prefix, app: manifest.app, step: step, kind: kind, showing: showing))
    }

    private func write(isFinish: Bool = false) {
        if session.pager.commitMode == .onFinish && !isFinish { return }
        do throws(OnboardingStorageError) {
            try suite.append(waiting, patience: Self.patience)
            waiting = []
            failure = nil
        } catch {
            // They are tried again along with the next.
            failure = error
        }
    }
}
