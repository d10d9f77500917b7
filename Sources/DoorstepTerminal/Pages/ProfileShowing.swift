internal import Doorstep

/// The page after the last one: what was stored, and the way to take it back.
struct ProfileShowing {
    private enum Choice {
        case done, signOut, confirm, cancel
    }

    let profile: PresenterProfile
    let port: any ScreenPort
    let layout: PageLayout
    let heading: String
    let languages: LanguagePreferences

    init(
        _ profile: PresenterProfile, port: any ScreenPort, layout: PageLayout, heading: String,
        languages: LanguagePreferences
    ) {
        self.profile = profile
        self.port = port
        self.layout = layout
        self.heading = heading
        self.languages = languages
    }

    func result() -> Result<PresenterOutcome, OnboardingStorageError> {
        do throws(OnboardingStorageError) {
            return .success(try show())
        } catch {
            return .failure(error)
        }
    }

    private func show() throws(OnboardingStorageError) -> PresenterOutcome {
        let entries = try profile.entries()
        if entries.isEmpty { return .finished }
        var scene = PageScene()
        scene.heading = heading
        scene.icon = "user"
        scene.languages = languages
        scene.title = PresenterPhrase.profileTitle.text(for: languages)
        scene.headline = PresenterPhrase.profileBody.text(for: languages)
        scene.body = entries.map {
            "\($0.label): \(Direction.isolated(PrintableText.singleLine($0.value), for: languages))"
        }
        var choices: [Choice] = [.done, .signOut]
        while true {
            scene.actions = choices.map(title)
            let size = port.size
            let frame = layout.frame(scene, columns: size.columns, rows: size.rows)
            scene.scroll = frame.scroll
            port.draw(frame)
            for event in port.next(milliseconds: nil) {
                guard let choice = take(event, &scene, frame, choices) else { continue }
                switch choice {
                case .done: return .finished
                case .signOut:
                    choices = [.cancel, .confirm]
                    scene.notice = PresenterPhrase.signOutQuestion.text(for: languages)
                    scene.focus = .action(0)
                case .cancel:
                    choices = [.done, .signOut]
                    scene.notice = nil
                    scene.focus = .action(0)
                case .confirm:
                    try profile.signOut()
                    return .signedOut
                }
                // What was typed ahead is not for a question that wasn't there yet.
                break
            }
        }
    }

    private func title(_ choice: Choice) -> String {
        let phrase: PresenterPhrase =
            switch choice {
            case .done: .done
            case .signOut: .signOut
            case .confirm: .signOutConfirm
            case .cancel: .cancel
            }
        return phrase.text(for: languages)
    }

    /// What an event chooses, or nil. Whatever ends the showing here ends it as done: the flow is finished.
    private func take(_ event: ScreenEvent, _ scene: inout PageScene, _ frame: Frame, _ choices: [Choice]) -> Choice? {
        var index = 0
        if case .action(let focused) = scene.focus { index = focused }
        func focus(_ wanted: Int) {
            scene.focus = .action((wanted + choices.count) % choices.count)
            scene.followsFocus = true
        }
        switch event {
        case .end, .key(.control("c")), .key(.control("d")): return .done
        case .stop, .key(.control("z")): port.suspend()
        case .continued: port.resume()
        case .key(.enter), .key(.character(" ")): return choices[index]
        case .key(.escape): return choices.contains(.cancel) ? .cancel : .done
        case .key(.tab), .key(.right), .key(.left), .key(.backTab): focus(index + 1)
        case .key(.down), .key(.wheel(3)): scroll(1, &scene, frame)
        case .key(.up), .key(.wheel(-3)): scroll(-1, &scene, frame)
        case .key(.pageDown): scroll(8, &scene, frame)
        case .key(.pageUp): scroll(-8, &scene, frame)
        case .key(.click(let column, let row)):
            if case .action(let clicked)? = frame.area(at: column, row)?.target { return choices[clicked] }
        default: break
        }
        return nil
    }

    private func scroll(_ lines: Int, _ scene: inout PageScene, _ frame: Frame) {
        scene.scroll = min(max(0, scene.scroll + lines), frame.maximumScroll)
        scene.followsFocus = false
    }
}
