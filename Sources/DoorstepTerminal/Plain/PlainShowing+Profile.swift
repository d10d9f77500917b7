internal import Doorstep

/// The page after the last one: what was stored, and the way to take it back.
extension PlainShowing {
    /// Shows what was stored. Whatever ends it ends it as done, apart from the way back itself: the flow is finished.
    nonisolated(nonsending) func show(
        _ profile: PresenterProfile
    ) async throws(OnboardingStorageError) -> PresenterOutcome {
        let entries = try profile.entries()
        if entries.isEmpty { return .finished }
        writer.gap()
        say(.profileTitle)
        say(.profileBody)
        writer.gap()
        for entry in entries { writer.paragraph(entry.line(for: languages)) }
        while try await choose(.signOut, besides: .done) == true {
            writer.gap()
            say(.signOutQuestion)
            switch try await choose(.signOutConfirm, besides: .cancel) {
            case nil: return .finished
            case false?: continue
            case true?: break
            }
            try profile.signOut()
            writer.gap()
            say(.signedOut)
            return .signedOut
        }
        return .finished
    }

    /// Whether the second of two things is chosen; nil where the user leaves or is gone.
    private nonisolated(nonsending) func choose(
        _ second: PresenterPhrase, besides first: PresenterPhrase
    ) async throws(OnboardingStorageError) -> Bool? {
        let actions = [first, second].map { phrase in
            StepAction(role: .perform(""), title: phrase.text(for: languages))
        }
        switch try await choose(among: actions) {
        case .answer(let action): return action == actions[1]
        case .turned, .left: return nil
        }
    }
}
