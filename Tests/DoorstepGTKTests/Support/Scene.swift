#if GTK
import Foundation

@testable import DoorstepGTK

/// A flow with every kind of field and page.
struct Scene {
    static let welcome: OnboardingStepID = "a.welcome"
    static let name: OnboardingStepID = "a.name"
    static let number: OnboardingStepID = "a.number"
    static let choice: OnboardingStepID = "a.choice"
    static let permission: OnboardingStepID = "a.permission"
    static let notice: OnboardingStepID = "a.notice"
    static let all = [welcome, name, number, choice, permission, notice]

    let storage = InMemoryOnboardingStorage()
    let flow: OnboardingFlow
    let title: String
    let languages: LanguagePreferences

    init(title: String = "Hello there", language: String = "en") throws {
        self.title = title
        languages = LanguagePreferences([language])
        flow = try OnboardingFlow(
            welcome: Self.welcome,
            steps: [
                OnboardingStepConfig(id: Self.name, isRequired: true, isSkippable: false),
                OnboardingStepConfig(id: Self.number),
                OnboardingStepConfig(id: Self.choice),
                OnboardingStepConfig(id: Self.permission, isRequired: true),
                OnboardingStepConfig(id: Self.notice, isSkippable: false),
            ],
            storage: storage)
    }

    /// A pager on the pages from one on; those before it are answered.
    func pager(from first: OnboardingStepID = welcome, mode: OnboardingCommitMode = .eachStep) throws -> OnboardingPager
    {
        for id in Self.all.prefix(while: { $0 != first }) { try flow.record(true, for: id) }
        return try OnboardingPager(flow: flow, commitMode: mode, languages: languages) { page($0.id) }
    }

    func records() throws -> [OnboardingStepID: Bool] {
        try storage.records().mapValues(\.value)
    }

    func page(_ id: OnboardingStepID, isAllowed: Bool = false) -> StepPage {
        switch id {
        case Self.welcome: StepPage(title: title, headline: "One headline.", body: ["A paragraph."])
        case Self.name:
            StepPage(
                title: "Who are you?",
                fields: [
                    StepField(
                        key: "name", label: "Name", help: "At least 3 characters.",
                        kind: .text(length: 3...20, pattern: nil, initial: nil)),
                    StepField(key: "age", label: "Age", kind: .integer(range: 18...99, step: 1, initial: 50)),
                ])
        case Self.number:
            StepPage(
                title: "Numbers",
                fields: [
                    StepField(key: "pace", label: "Pace", kind: .integer(range: 5...99, step: 10, initial: 25)),
                    StepField(
                        key: "budget", label: "Budget", kind: .integer(range: 0...1_000_000, step: 1, initial: 10)),
                ])
        case Self.choice:
            StepPage(
                title: "Choices",
                fields: [
                    StepField(
                        key: "level", label: "Level",
                        kind: .choice(
                            [StepChoice(value: "low", label: "Low"), StepChoice(value: "high", label: "High")],
                            initial: nil)),
                    StepField(
                        key: "team", label: "Team",
                        kind: .choice(
                            [StepChoice(value: "red", label: "Red"), StepChoice(value: "blue", label: "Blue")],
                            initial: nil), isOptional: true),
                    StepField(key: "news", label: "News", kind: .toggle(initial: false)),
                ])
        case Self.permission:
            StepPage(
                title: "Notifications", body: ["So that you hear of it."],
                primary: isAllowed ? .complete(title: nil) : .perform(action: "request", title: .allow),
                status: isAllowed ? "Allowed." : "Not allowed yet.")
        default: StepPage(title: "Good to know", body: ["Something to read."])
        }
    }
}
#endif
