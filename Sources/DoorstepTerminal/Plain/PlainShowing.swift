internal import Doorstep

/// One showing of a pager, line by line.
final class PlainShowing {
    /// What a question led to.
    enum Reply<Answer> {
        /// The user answered.
        case answer(Answer)
        /// The page is another one now, or no longer what was shown.
        case turned
        /// The user left, or nobody is there.
        case left
    }

    let pager: OnboardingPager
    let session: PresenterSession
    let writer: PlainWriter
    let languages: LanguagePreferences
    /// Whether the commands that a field takes have been explained.
    var hasExplainedCommands = false
    /// Whether it has been said what Enter does where a value stands in brackets.
    var hasExplainedBrackets = false

    private let heading: String
    private let reader: LineReader
    /// The page whose fields have all been asked and found valid; they aren't asked again while it stays.
    private var filledIn: (position: Int, fields: [StepField])?
    /// How often the shown step was checked again without another answer.
    private var checks = 0
    /// Tells of changes to the shown step; nil where nothing can.
    private var changes: ChangeWatch?

    init(
        pager: OnboardingPager, heading: String, session: PresenterSession, reader: LineReader, writer: PlainWriter,
        languages: LanguagePreferences
    ) {
        self.pager = pager
        self.heading = PrintableText.singleLine(heading)
        self.session = session
        self.reader = reader
        self.writer = writer
        self.languages = languages
    }

    /// Shows one page after the other until the last is left.
    nonisolated(nonsending) func run() async throws(OnboardingStorageError) -> PresenterOutcome {
        try pager.start()
        guard pager.phase == .showing else { return pager.phase == .finished ? .finished : .left }
        while let page = pager.page {
            show(page)
            if changes?.step != page.step.id {
                checks = 0
                changes = ChangeWatch(of: page.step.id, session.changes(page.step.id))
            }
            guard try await visit(page) else { break }
        }
        changes = nil
        writer.gap()
        guard pager.phase == .finished else {
            say(.left(pager))
            pager.leave()
            return .left
        }
        say(.allDone)
        guard let profile = session.profile else { return .finished }
        return try await show(profile)
    }

    /// Writes a paragraph of the presenter's own.
    func say(_ phrase: TerminalPhrase) {
        writer.paragraph(phrase.text(for: languages))
    }

    /// Writes a paragraph that every presenter has.
    func say(_ phrase: PresenterPhrase) {
        writer.paragraph(phrase.text(for: languages))
    }

    /// Asks until there is a line, and looks again at how things stand whenever the user comes back from elsewhere.
    nonisolated(nonsending) func ask(
        _ prompt: TerminalPhrase, default value: String?
    ) async throws(OnboardingStorageError) -> Reply<String> {
        let position = pager.position
        let page = pager.page
        let suffix = value.map { " [\(Direction.isolated($0, for: languages))]:" } ?? ":"
        while true {
            writer.prompt(prompt.text(for: languages) + suffix)
            if writer.isBroken { return .left }
            var event = reader.next(changes: changes)
            while case .changed = event {
                if let page { try await session.recheck(page.step.id) }
                if pager.position != position || pager.page != page {
                    writer.gap()
                    return .turned
                }
                event = reader.next(changes: changes)
            }
            // Where the user's Enter shows, the cursor is on a new line already.
            switch event {
            case .line, .tooLong: if !reader.isEchoed { writer.gap() }
            default: writer.gap()
            }
            switch event {
            case .line(let line): return .answer(line)
            case .tooLong: say(.lineTooLong(maximum: LineReader.maximumBytes))
            case .end, .interrupted: return .left
            case .resumed:
                let isInterrupted = try await interruptibly { () async throws(OnboardingStorageError) in
                    try await session.becameActive()
                }
                if isInterrupted { return .left }
                if pager.position != position || pager.page != page { return .turned }
            case .changed: continue
            }
        }
    }

    /// Writes everything of a page but its fields and actions.
    private func show(_ page: OnboardingPager.Page) {
        let position = TerminalPhrase.position(page: pager.position + 1, total: pager.pages.count)
        let name = heading.isEmpty ? "" : Direction.isolated(heading, for: languages) + " · "
        writer.gap()
        writer.paragraph(name + position.text(for: languages))
        writer.gap()
        writer.paragraph(page.content.title)
        if let headline = page.content.headline { writer.paragraph(headline) }
        for paragraph in page.content.body {
            writer.gap()
            writer.paragraph(paragraph)
        }
        if let status = page.content.status {
            writer.gap()
            say(.status(PrintableText.cleaned(status)))
        }
        if let evidence = page.content.evidence { writer.paragraph(evidence) }
    }

    /// Asks for a page's fields and then for an action.
    ///
    /// - Returns: Whether there may be a page to show; false once the user left.
    private nonisolated(nonsending) func visit(
        _ page: OnboardingPager.Page
    ) async throws(OnboardingStorageError) -> Bool {
        if filledIn?.position != pager.position || filledIn?.fields != page.content.fields {
            filledIn = nil
            for field in page.content.fields {
                switch try await fillIn(field) {
                case .answer: continue
                case .turned: return true
                case .left: return false
                }
            }
            filledIn = (pager.position, page.content.fields)
        }
        switch try await chooseAction() {
        case .answer(let action): if try await !perform(action) { return false }
        case .turned: break
        case .left: return false
        }
        if pager.position != filledIn?.position { filledIn = nil }
        return true
    }

    /// Does what an action stands for.
    ///
    /// - Returns: Whether there may be a page to show; false once the user left.
    private nonisolated(nonsending) func perform(
        _ action: StepAction
    ) async throws(OnboardingStorageError) -> Bool {
        if case .perform(let name) = action.role {
            guard let page = pager.page else { return true }
            let before = page.content
            let asksAgain = pager.asksAgain(name, languages)
            var problem: String?
            let isInterrupted = try await interruptibly { () async throws(OnboardingStorageError) in
                problem = try await session.perform(name, page.step.id)
            }
            if isInterrupted { return false }
            if let problem {
                writer.gap()
                writer.paragraph(problem)
            } else if pager.page?.content != before {
                checks = 0
            } else if asksAgain, before.status != nil, pager.page?.step == page.step {
                checks += 1
                writer.gap()
                say(.checkedAgain(times: checks))
            }
            return true
        }
        guard case .stayed(let faults) = try pager.perform(action.role), !faults.isEmpty else { return true }
        filledIn = nil
        writer.gap()
        let fields = pager.page?.content.fields ?? []
        for fault in faults {
            let label = fields.first { $0.key == fault.key }?.label ?? fault.key
            writer.paragraph("\(label): \(fault.phrase.text(for: languages))")
        }
        return true
    }

    /// Does what may take its time; Ctrl-C cancels it.
    ///
    /// - Returns: Whether Ctrl-C came.
    private nonisolated(nonsending) func interruptibly(
        _ work: nonisolated(nonsending) () async throws(OnboardingStorageError) -> Void
    ) async throws(OnboardingStorageError) -> Bool {
        let watch = reader.watchInterrupts()
        do throws(OnboardingStorageError) {
            try await work()
        } catch {
            if watch.end().contains(.interrupted) { return true }
            throw error
        }
        return watch.end().contains(.interrupted)
    }
}
