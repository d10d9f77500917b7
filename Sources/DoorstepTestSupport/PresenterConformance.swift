public import Doorstep

/// The rules of a showing, one case each, for every presenter: what somebody does at its pages comes out the same on a
/// screen, line by line, or in a window.
///
/// ```swift
/// @Test(arguments: PresenterConformance.cases)
/// func `keeps the rule`(_ rule: PresenterConformance.Case) async throws {
///     try await rule.check { pager, visits in … }
/// }
/// ```
public enum PresenterConformance {
    /// What somebody does at one page: fills in its fields in order, then acts.
    public struct Visit: Sendable, Hashable {
        /// What is done with the page once it is filled in.
        public enum Act: Sendable, Hashable {
            /// The page's first action.
            case primary
            /// Skip, where it is offered; where it isn't, nothing comes of it.
            case skip
            /// The page before.
            case back
            /// Leaving the showing.
            case quit
        }

        /// What is typed at each field, in order: every field of the page, or none. A line that isn't accepted is
        /// followed by the one that is typed in its place.
        public var lines: [String]
        /// What is done then.
        public var act: Act

        /// A visit from its parts.
        public init(_ lines: [String] = [], _ act: Act = .primary) {
            self.lines = lines
            self.act = act
        }
    }

    /// What came of a showing.
    public struct Shown: Sendable {
        /// Whether the presenter says that the flow was finished.
        public var isFinished: Bool
        /// Everything that was to be read, in any layout.
        public var text: String

        /// A result from its parts.
        public init(isFinished: Bool, text: String) {
            self.isFinished = isFinished
            self.text = text
        }
    }

    /// Shows a pager to somebody who visits its pages so, and then is gone.
    public typealias Presenter =
        nonisolated(nonsending) (OnboardingPager, [Visit]) async throws -> Shown

    /// One rule.
    public struct Case: Sendable, CustomStringConvertible {
        /// The rule, as a sentence.
        public let name: String
        let mode: OnboardingCommitMode
        let visits: [Visit]
        let judge: @Sendable (Outcome) throws(Failure) -> Void

        /// The rule, as a sentence.
        public var description: String { name }

        /// Checks the rule on a presenter.
        ///
        /// - Throws: ``Failure`` if it isn't kept, or what the presenter throws.
        public nonisolated(nonsending) func check(_ present: Presenter) async throws {
            let storage = InMemoryOnboardingStorage()
            let flow = try OnboardingFlow(welcome: "a.welcome", steps: PresenterConformance.steps, storage: storage)
            let pager = try OnboardingPager(flow: flow, commitMode: mode, languages: LanguagePreferences(["en"])) {
                PresenterConformance.page($0.id)
            }
            var pages: [String] = []
            var finishes = 0
            pager.onPageShown = { pages.append($0.rawValue) }
            pager.onFinished = { finishes += 1 }
            let shown = try await present(pager, visits)
            try judge(
                Outcome(
                    shown: shown, pages: pages, finishes: finishes,
                    records: try storage.records().mapValues(\.value), inputs: try storage.inputs()))
        }
    }

    /// A rule that a presenter doesn't keep.
    public struct Failure: Error, CustomStringConvertible {
        /// What was expected and what was found.
        public let description: String
    }

    /// What a showing left behind.
    struct Outcome {
        let shown: Shown
        let pages: [String]
        let finishes: Int
        let records: [OnboardingStepID: Bool]
        let inputs: [OnboardingStepID: [String: OnboardingInputValue]]
    }

    static let steps = [
        OnboardingStepConfig(id: "a.name", isRequired: true, isSkippable: false),
        OnboardingStepConfig(id: "a.look"),
    ]

    static func page(_ id: OnboardingStepID) -> StepPage {
        switch id {
        case "a.welcome":
            StepPage(title: "Hello there", headline: "One headline.", body: ["A paragraph.\u{1B}[31m"])
        case "a.name":
            StepPage(
                title: "Who are you?",
                fields: [
                    StepField(key: "name", label: "Name", kind: .text(length: 3...20, pattern: nil, initial: nil)),
                    StepField(key: "age", label: "Age", kind: .integer(range: 18...99, step: 1, initial: 50)),
                ])
        default:
            StepPage(
                title: "Look",
                fields: [
                    StepField(
                        key: "theme", label: "Theme",
                        kind: .choice(
                            [StepChoice(value: "light", label: "Light"), StepChoice(value: "dark", label: "Dark")],
                            initial: "light"))
                ])
        }
    }

    static func expect<Value: Equatable>(_ found: Value, _ wanted: Value, _ what: String) throws(Failure) {
        if found != wanted { throw Failure(description: "\(what): found \(found), wanted \(wanted)") }
    }
}
