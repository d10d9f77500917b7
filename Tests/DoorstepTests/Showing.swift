import Doorstep
import Testing

/// What one showing told its presenter, in order.
final class Events {
    var shown: [OnboardingStepID] = []
    var finished = 0

    init(_ pager: OnboardingPager) {
        pager.onPageShown = { [self] in shown.append($0) }
        pager.onFinished = { [self] in finished += 1 }
    }
}

let nameField = StepField(
    key: "name", label: "Name", kind: .text(length: 3...20, pattern: nil, initial: nil))
let weeklyField = StepField(key: "weekly", label: "Weekly", kind: .toggle(initial: false))
let ageField = StepField(
    key: "age", label: "Age", kind: .integer(range: 0...150, step: 1, initial: nil), isOptional: true)

/// The usual pages: a profile with a name that is needed, a newsletter with a switch, a permission.
func content(_ step: OnboardingStepConfig) -> StepPage {
    switch step.id {
    case profile: StepPage(title: "You", fields: [nameField, ageField])
    case news: StepPage(title: "News", fields: [weeklyField])
    case alerts: StepPage(title: "Alerts", primary: .perform(action: "ask", title: .allow))
    default: StepPage(title: "Page")
    }
}

/// Pages that ask for nothing.
func bare(_ step: OnboardingStepConfig) -> StepPage {
    StepPage(title: step.id.rawValue)
}

/// A flow of plain pages: optional and skippable ones, named by number.
func plain(_ count: Int, _ storage: any OnboardingStorage) throws -> OnboardingFlow {
    try OnboardingFlow(steps: (0..<count).map { OnboardingStepConfig(id: number($0)) }, storage: storage)
}

func number(_ index: Int) -> OnboardingStepID {
    OnboardingStepID("com.example.aurora.step\(index)")
}
