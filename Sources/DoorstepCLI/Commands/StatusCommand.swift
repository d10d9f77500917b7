internal import CommandLineKit
internal import Doorstep
internal import DoorstepJSON
internal import DoorstepRegistry

/// `doorstep status`: every app on one screen.
enum StatusCommand {
    static let command = Command(
        "status", abstract: "Show every app: whether onboarding is needed, and its next step.",
        discussion:
            "JSON: apps[] with app, needsOnboarding, allRequiredSatisfied, nextStep; problems[] with app and message.",
        parameters: [Parameters.strict, Parameters.json]
    ) { invocation in
        let workspace = try Workspace(underPolicy: invocation)
        let contents = workspace.registry.contents()
        let (flows, refused) = try contents.flows(in: workspace.suite)
        let problems = contents.problems + refused
        workspace.warnOfAbsentDirectories()
        if invocation[Parameters.json] {
            try JSONOutput.print([
                "apps": .array(flows.map { json($0.app, $0.flow) }), "problems": problems.json,
            ])
            return .success
        }
        if contents.apps.isEmpty {
            try workspace.registry.sayNoApps()
        } else if !flows.isEmpty {
            var table = TextTable("APP", "ONBOARDING", "REQUIRED", "NEXT STEP")
            for (app, flow) in flows {
                table.add(
                    app.id, flow.needsOnboarding ? "needed" : "done", flow.allRequiredSatisfied ? "satisfied" : "unmet",
                    flow.nextStepNeeded?.rawValue ?? wayOut(of: app, flow))
            }
            try Console.write(table.text(columns: Console.columns(environment: workspace.environment)))
        }
        problems.warn()
        return .success
    }

    /// How an app that asks nothing more comes by what it requires: none where that is for the admin to allow.
    static func wayOut(of app: RegisteredApp, _ flow: OnboardingFlow) -> String {
        flow.needsOnboarding || flow.unmetRequiredSteps.isEmpty ? "" : "doorstep run \(app.id) --unmet"
    }

    private static func json(_ app: RegisteredApp, _ flow: OnboardingFlow) -> JSONValue {
        [
            "app": .string(app.id), "needsOnboarding": .bool(flow.needsOnboarding),
            "allRequiredSatisfied": .bool(flow.allRequiredSatisfied),
            "nextStep": JSONValue(flow.nextStepNeeded?.rawValue),
        ]
    }
}
