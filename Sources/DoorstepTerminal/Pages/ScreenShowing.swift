internal import Doorstep

/// One showing of a pager on a whole screen: keys in, frames out.
final class ScreenShowing {
    let pager: OnboardingPager
    let session: PresenterSession
    let port: any ScreenPort
    let layout: PageLayout
    let languages: LanguagePreferences
    /// What is on the screen, apart from its size.
    var scene = PageScene()

    private let heading: String
    private let icon: String?
    private(set) var frame: Frame?
    /// What is said once the screen is given back: what became of the answers.
    private(set) var farewell = TerminalPhrase.allDone
    /// The failure that the user sees; it is what the showing ends with, if they leave without getting over it.
    var failure: OnboardingStorageError?
    var isOver = false
    private var shownPage: OnboardingPager.Page?
    /// Whether something may have changed outside since it was looked at last.
    private var hasNews = false

    init(
        pager: OnboardingPager, heading: String, icon: String?, session: PresenterSession, port: any ScreenPort,
        layout: PageLayout, languages: LanguagePreferences
    ) {
        self.pager = pager
        self.heading = heading
        self.icon = icon
        self.session = session
        self.port = port
        self.layout = layout
        self.languages = languages
    }

    /// Shows one page after the other until the last is left, or the user leaves.
    nonisolated(nonsending) func result() async -> Result<PresenterOutcome, OnboardingStorageError> {
        takePage()
        draw(motion: nil)
        while pager.phase == .showing, !isOver {
            let position = pager.position
            for event in port.next(milliseconds: nil) where !isOver { await take(event) }
            if hasNews, isLive, !isOver { await becomeActive() }
            guard pager.phase == .showing, !isOver else { break }
            if pager.position != position || pager.page != shownPage { takePage() }
            draw(motion: pager.position == position ? nil : pager.position > position)
        }
        if pager.phase == .finished {
            guard let profile = session.profile, !isOver else { return .success(.finished) }
            return ProfileShowing(profile, port: port, layout: layout, heading: heading, languages: languages).result()
        }
        farewell = .left(pager)
        pager.leave()
        if let failure { return .failure(failure) }
        return .success(.left)
    }

    private nonisolated(nonsending) func take(_ event: ScreenEvent) async {
        switch event {
        case .key(let key): await take(key)
        case .resized: break
        case .stop: port.suspend()
        case .continued:
            port.resume()
            await becomeActive()
        case .changed: hasNews = true
        case .end: isOver = true
        }
        // The next key of the same read may be meant for the page that this one turned to.
        if pager.phase == .showing, pager.page != shownPage { takePage() }
    }

    /// Whether the shown page follows something outside: only then news are worth the wait for checks.
    private var isLive: Bool {
        guard let content = pager.page?.content else { return false }
        if case .perform = content.primary { return true }
        return content.status != nil
    }

    private nonisolated(nonsending) func becomeActive() async {
        hasNews = false
        port.isOccupied(true)
        defer { port.isOccupied(false) }
        do throws(OnboardingStorageError) {
            try await session.becameActive()
        } catch {
            tell(error)
        }
    }

    /// Says why something could not be written; the page stays.
    func tell(_ error: OnboardingStorageError) {
        failure = error
        scene.notice = error.message
        scene.followsFocus = true
    }

    /// Takes the page as the pager has it now; what was typed on it is the pager's already.
    func takePage() {
        guard let page = pager.page else { return }
        let isSame = shownPage?.step.id == page.step.id
        let before = scene
        let saysTheSame = shownPage?.content == page.content
        shownPage = page
        scene = PageScene()
        scene.heading = heading
        scene.icon = page.content.icon ?? icon
        scene.title = page.content.title
        scene.headline = page.content.headline
        scene.body = page.content.body
        scene.status = page.content.status
        scene.evidence = page.content.evidence
        scene.languages = languages
        scene.position = pager.position
        scene.total = pager.pages.count
        scene.actions = pager.actions.map(\.title)
        scene.fields = page.content.fields.map { field in
            let kept = isSame ? before.fields.first { $0.field == field } : nil
            return kept ?? FieldState(field, value: pager.value(for: field.key))
        }
        scene.focus = scene.fields.isEmpty ? .action(0) : .field(0)
        if isSame {
            if scene.stops.contains(before.focus) { scene.focus = before.focus }
            scene.faults = before.faults
            scene.notice = before.notice
            if saysTheSame { scene.checks = before.checks }
            (scene.scroll, scene.followsFocus) = (before.scroll, before.followsFocus)
        }
    }

    /// Draws what there is now. With motion, it slides in: forward from where the reader goes on, else from behind.
    func draw(motion isForward: Bool?) {
        let size = port.size
        // Other pages' answers change titles too: which page is the last one.
        if pager.phase == .showing { scene.actions = pager.actions.map(\.title) }
        let next = layout.frame(scene, columns: size.columns, rows: size.rows)
        scene.scroll = next.scroll
        if let isForward, port.allowsMotion, let last = frame {
            slide(from: last, to: next, fromRight: isForward != languages.isRightToLeft)
        }
        frame = next
        port.draw(next)
    }

    /// A slide of a tenth of a second and a half; a key, a signal, or a terminal that can't keep up ends it at once.
    private func slide(from last: Frame, to next: Frame, fromRight: Bool) {
        let clock = ContinuousClock()
        let start = clock.now
        while true {
            let share = start.duration(to: clock.now) / .milliseconds(150)
            guard share < 1 else { return }
            // Fast at first, slow at the end.
            let eased = 1 - (1 - share) * (1 - share)
            var between = next
            between.buffer = last.buffer.sliding(to: next.buffer, share: eased, fromRight: fromRight)
            between.cursor = nil
            port.draw(between)
            if port.peek(milliseconds: 15) { return }
        }
    }
}
