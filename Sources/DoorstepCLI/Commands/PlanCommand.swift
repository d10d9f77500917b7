internal import CommandLineKit
internal import Doorstep
internal import DoorstepJSON
internal import DoorstepPluginKit
internal import DoorstepRegistry

/// `doorstep plan APP`: what `run` would show now.
enum PlanCommand {
    static let command = Command(
        "plan", abstract: "List what run would record and show now; writes nothing.",
        discussion: """
            Asks the checks of the steps that are still needed.

            JSON: app; recorded[] with id, status, evidence; pages[] with id, plugin, required, skippable, isWelcome, declined.
            """,
        parameters: [Parameters.app, Parameters.unmet, Parameters.timeout, Parameters.strict, Parameters.json]
    ) { invocation in
        let workspace = try Workspace(underPolicy: invocation)
        let plan = try await OnboardingPlan(
            for: try workspace.app(invocation), in: workspace.suite,
            selection: invocation[Parameters.unmet] ? .unmetRequired : .needed,
            reconciler: workspace.reconciler(invocation[Parameters.timeout]))
        if invocation[Parameters.json] {
            try JSONOutput.print(json(plan))
            return .success
        }
        if plan.recorded.isEmpty && plan.pages.isEmpty { try Console.print("\(plan.app): nothing to record or show") }
        var table = TextTable("STEP", "KIND", "WOULD BE", "BECAUSE")
        for answer in plan.answers where plan.recorded.contains(answer.step) {
            table.add(answer.step.rawValue, answer.plugin, "recorded true", answer.outcome.satisfaction.evidence)
        }
        for page in plan.pages {
            let answer = plan.answers.first { $0.step == page.step.id }
            table.add(
                page.step.id.rawValue, page.plugin, "shown",
                answer?.outcome.satisfaction.evidence ?? reason(page))
        }
        if !plan.recorded.isEmpty || !plan.pages.isEmpty {
            try Console.write(table.text(columns: Console.columns(environment: workspace.environment)))
        }
        return .success
    }

    private static func reason(_ page: OnboardingPlan.Page) -> String {
        if let revision = page.outdatedRevision { return RecordText.outdated(revision, now: page.step.revision) }
        return page.isDeclined ? "declined" : "unanswered"
    }

    private static func json(_ plan: OnboardingPlan) -> JSONObject {
        let recorded = plan.answers.filter { plan.recorded.contains($0.step) }
        return [
            "app": .string(plan.app),
            "recorded": .array(
                recorded.map { answer in
                    [
                        "id": .string(answer.step.rawValue), "plugin": .string(answer.plugin),
                        "status": .string(answer.outcome.satisfaction.status.name),
                        "evidence": .string(answer.outcome.satisfaction.evidence),
                    ]
                }),
            "pages": .array(plan.pages.map(json)),
        ]
    }

    private static func json(_ page: OnboardingPlan.Page) -> JSONValue {
        [
            "id": .string(page.step.id.rawValue), "plugin": .string(page.plugin),
            "required": .bool(page.step.isRequired), "skippable": .bool(page.step.isSkippable),
            "isWelcome": .bool(page.isWelcome), "declined": .bool(page.isDeclined),
        ]
    }
}
