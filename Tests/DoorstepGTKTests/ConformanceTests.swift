#if GTK
import DoorstepTestSupport
import Testing

@testable import DoorstepGTK

extension WindowTests {
    @Suite("Every presenter keeps the rules of a showing")
    @MainActor
    struct ConformanceTests {
        @Test("in a window", arguments: PresenterConformance.cases)
        func window(_ rule: PresenterConformance.Case) async throws {
            try await rule.check { pager, visits in
                nonisolated(unsafe) let pager = pager
                return try await Self.visit(pager, visits)
            }
        }

        private static func visit(
            _ pager: OnboardingPager, _ visits: [PresenterConformance.Visit]
        ) async throws -> PresenterConformance.Shown {
            let stage = try Stage(pager)
            try await stage.open()
            for visit in visits where stage.outcome == nil {
                try await stage.settle()
                fill(stage, visit.lines)
                switch visit.act {
                case .primary: try await stage.press(try #require(stage.actions.first))
                case .skip: try await stage.press("Skip")
                case .back: try await stage.press("Back")
                case .quit: stage.window.close()
                }
            }
            let isFinished = stage.outcome == .finished
            try await stage.end()
            return .init(isFinished: isFinished, text: stage.read)
        }

        /// A line that isn't accepted is tried, and its page stays; the next one stands in its place.
        private static func fill(_ stage: Stage, _ lines: [String]) {
            var lines = lines[...]
            for view in stage.window.pages[stage.window.pager.position].fields {
                guard var line = lines.popFirst() else { return }
                while true {
                    stage.fill(view, line)
                    let value = stage.window.pager.value(for: view.field.key)
                    guard view.field.fault(in: value) != nil, let next = lines.popFirst() else { break }
                    stage.window.choose(0)
                    stage.look()
                    line = next
                }
            }
        }
    }
}
#endif
