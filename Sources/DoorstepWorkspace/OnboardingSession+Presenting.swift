internal import Doorstep
internal import DoorstepPluginKit
package import DoorstepPresenting
package import DoorstepRegistry

extension PresenterSession {
    /// What a presenter asks of a registered app's showing, whose pages' fates a recorder keeps.
    package init(_ session: OnboardingSession, recorder: PageEventRecorder) {
        self.init(
            perform: { action, step async throws(OnboardingStorageError) in
                try await session.perform(action, step: step)?.message
            },
            becameActive: { () async throws(OnboardingStorageError) in try await session.becomeActive() },
            changes: { step in session.changes(of: step) },
            recheck: { step async throws(OnboardingStorageError) in try await session.recheck(step) },
            profile: session.presenterProfile,
            ended: { recorder.end() })
    }
}

extension OnboardingSession {
    /// The page after the last one: every value that is stored of the flow, whenever it was given.
    fileprivate var presenterProfile: PresenterProfile {
        let (pager, fields) = (pager, fields)
        return PresenterProfile(
            entries: { () throws(OnboardingStorageError) in
                let stored = try pager.flow.storage.inputs()
                var entries: [PresenterProfile.Entry] = []
                for (step, field) in fields {
                    guard let value = stored[step]?[field.key] else { continue }
                    entries.append(.init(label: field.label, value: field.shown(value, for: pager.languages)))
                }
                return entries
            },
            signOut: { () throws(OnboardingStorageError) in try pager.flow.signOut(including: pager.flow.orphans) })
    }
}

extension StepField {
    /// A value of this field, as it is read.
    fileprivate func shown(_ value: OnboardingInputValue, for languages: LanguagePreferences) -> String {
        switch value {
        case .integer(let number): return String(number)
        case .toggle(let isOn): return (isOn ? Phrase.yes : Phrase.no).text(for: languages)
        case .text(let text):
            guard case .choice(let choices, _) = kind else { return text }
            return choices.first { $0.value == text }?.label ?? text
        }
    }
}
