import DoorstepPluginKit

/// A check that takes 20 milliseconds.
struct SlowPlugin: StepPlugin {
    let kind = "info"
    let summary = "A check of a benchmark"
    let hasCheck = true

    func options(from reader: JSONReader) -> CheckOptions { CheckOptions(from: reader) }

    func satisfaction(_ options: CheckOptions, in context: StepContext) async -> Satisfaction {
        try? await Task.sleep(for: .milliseconds(20))
        return .cannotTell("it is a benchmark")
    }

    func page(_ options: CheckOptions, in context: StepContext) async throws(PluginError) -> StepPage {
        context.page(title: "A page")
    }
}
