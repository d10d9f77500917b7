#if GTK
public import CAdwaita

/// A window of its own that shows a pager: one page of a carousel after the other, over one row of actions.
///
/// ```swift
/// let window = try OnboardingWindow(flow: flow, heading: "Aurora", languages: languages) { step in
///     pages[step.id] ?? StepPage(title: "")
/// }
/// window.onFinished = { showMainWindow() }
/// try window.present()
/// ```
///
/// GTK's main loop must run, and do Swift's work along with its own: see ``MainQueue``. The window keeps itself until it is
/// closed. A closed window leaves exactly what the pager says: every answer that was given, and nothing else.
@MainActor
public final class OnboardingWindow {
    /// Makes the widget of an app's own page, which then stands for everything but the actions; nil for the usual page.
    ///
    /// Asked once for each page: for the first before the window comes up, for the others once that is drawn.
    public typealias CustomPage = @MainActor (OnboardingPager.Page) -> UnsafeMutablePointer<GtkWidget>?

    /// Called with the step's ID each time a page is shown.
    public var onPageShown: @MainActor (OnboardingStepID) -> Void = { _ in }
    /// Called exactly once, after the last page; the window may then still show what was stored.
    public var onFinished: @MainActor () -> Void = {}
    /// Called exactly once, when the window is gone: how the showing ended, and the failure that the user saw last and
    /// could not get over.
    public var onClosed: @MainActor (PresenterOutcome, OnboardingStorageError?) -> Void = { _, _ in }

    /// What is shown.
    public let pager: OnboardingPager
    /// The app's name.
    public let heading: String
    /// The window, from ``present()`` until it is closed.
    public internal(set) var widget: UnsafeMutablePointer<GtkWidget>?

    let session: PresenterSession
    let theme: WindowTheme
    let allowsMotion: Bool
    let custom: CustomPage
    let application: UnsafeMutablePointer<GtkApplication>?

    var carousel: OpaquePointer?
    var pages: [PageView] = []
    var footer: Footer?
    var dots: Widget?
    var style: WindowStyle?
    /// The index of the page that the window shows; the pager may be ahead for a moment.
    var shown: Int?
    var state = State.pages
    var failure: OnboardingStorageError?
    /// Whether something may have changed outside since it was looked at last.
    var hasNews = false
    var isReconciling = false
    var isBusy = false
    var wasActive = false
    /// The page that is scrolled to once the pages have their places.
    var awaitedPage: Widget?
    var tasks: [Task<Void, Never>] = []

    /// What the window shows.
    enum State: Hashable {
        case pages
        case profile
        case closed
    }

    private static var open: [OnboardingWindow] = []

    /// A window for a pager that isn't started yet.
    ///
    /// - Parameters:
    ///   - pager: What to show.
    ///   - heading: The app's name.
    ///   - theme: How the pages look.
    ///   - session: Runs the plugins' actions, reconciles, and knows the profile.
    ///   - allowsMotion: Whether pages may slide; the desktop's own setting is heeded besides.
    ///   - application: The application that the window belongs to, if there is one.
    ///   - custom: The app's own pages.
    public init(
        _ pager: OnboardingPager, heading: String, theme: WindowTheme = WindowTheme(),
        session: PresenterSession = PresenterSession(), allowsMotion: Bool = true,
        application: UnsafeMutablePointer<GtkApplication>? = nil, custom: @escaping CustomPage = { _ in nil }
    ) {
        self.pager = pager
        self.heading = heading
        self.theme = theme
        self.session = session
        self.allowsMotion = allowsMotion
        self.application = application
        self.custom = custom
        let (showedBefore, finishedBefore) = (pager.onPageShown, pager.onFinished)
        pager.onPageShown = { [weak self] step in
            showedBefore(step)
            MainActor.assumeIsolated { self?.onPageShown(step) }
        }
        pager.onFinished = { [weak self] in
            finishedBefore()
            MainActor.assumeIsolated { self?.onFinished() }
        }
    }

    /// A window for what a flow still needs.
    ///
    /// - Parameter content: Makes a step's page.
    /// - Throws: `OnboardingStorageError` where the records can't be read.
    public convenience init(
        flow: OnboardingFlow, heading: String, languages: LanguagePreferences, theme: WindowTheme = WindowTheme(),
        session: PresenterSession = PresenterSession(), application: UnsafeMutablePointer<GtkApplication>? = nil,
        custom: @escaping CustomPage = { _ in nil }, content: (OnboardingStepConfig) -> StepPage
    ) throws(OnboardingStorageError) {
        self.init(
            try OnboardingPager(flow: flow, languages: languages, content: content), heading: heading, theme: theme,
            session: session, application: application, custom: custom)
    }

    /// Tells the desktop and assistive technology whose windows this process opens. An app with a `GtkApplication` has told
    /// them already.
    ///
    /// - Parameters:
    ///   - app: The app's ID, which is also the name of its desktop file.
    ///   - name: The app's name.
    public static func introduce(app: String, name: String) {
        g_set_prgname(app)
        g_set_application_name(PrintableText.singleLine(name))
    }

    /// Whether a window can be opened here: false without a display.
    public static var canOpen: Bool {
        guard gtk_init_check() != 0 else { return false }
        adw_init()
        return true
    }

    /// Shows the pager's first page; a plan without pages finishes at once, and no window comes up.
    ///
    /// - Throws: `OnboardingStorageError` where what is held can't be written.
    public func present() throws(OnboardingStorageError) {
        try pager.start()
        guard pager.phase == .showing else {
            state = .closed
            session.ended()
            onClosed(pager.phase == .finished ? .finished : .left, nil)
            return
        }
        Self.open.append(self)
        let window = build()
        update()
        gtk_window_present(window.cast())
        watch()
    }

    /// Closes the window, as its user can: what was answered stays.
    public func close() {
        if state == .pages { pager.leave() }
        end(pager.phase == .finished ? .finished : .left)
    }

    /// Takes the window away and tells how the showing ended.
    func end(_ outcome: PresenterOutcome) {
        guard state != .closed else { return }
        state = .closed
        for task in tasks { task.cancel() }
        session.ended()
        style?.end()
        if let widget { gtk_window_destroy(widget.cast()) }
        widget = nil
        carousel = nil
        footer = nil
        pages = []
        tasks = []
        let said = outcome == .left ? failure : nil
        Self.open.removeAll { $0 === self }
        onClosed(outcome, said)
    }
}
#endif
