internal import CommandLineKit
internal import Doorstep
internal import DoorstepJSON
internal import DoorstepRegistry

/// `doorstep record APP STEP true|false`: one answer, whatever stood there.
enum RecordCommand {
    /// An answer as it is typed.
    enum Answer: String, CaseIterable, ArgumentValue {
        case `true`, `false`
    }

    /// Who can be said to have answered.
    enum Origin: String, CaseIterable, ArgumentValue {
        case user, admin
    }

    static let answer = Argument<Answer>("answer", help: "true: granted, completed; false: declined, skipped.")
    static let origin = Option<Origin>("origin", help: "Who answers.", default: .user)

    static let command = Command(
        "record", abstract: "Record a step's answer, whatever stood there.",
        discussion: "When this exits with 0, the answer is on the disk.",
        parameters: [Parameters.app, Parameters.step, answer, origin, Parameters.strict]
    ) { invocation in
        let workspace = try Workspace(underPolicy: invocation)
        let app = try workspace.app(invocation)
        let flow = try workspace.flow(of: app)
        let step = try workspace.step(invocation, in: app, flow)
        let value = invocation[answer] == .true
        try flow.record(value, for: step, origin: invocation[origin] == .user ? .user : .admin)
        try Console.print("recorded \(step): \(value)")
        return .success
    }
}

/// `doorstep clear APP STEP`: one record back to absent.
enum ClearCommand {
    static let command = Command(
        "clear", abstract: "Put one step's record back to absent; its history stays.",
        parameters: [Parameters.app, Parameters.step, Parameters.strict]
    ) { invocation in
        let workspace = try Workspace(underPolicy: invocation)
        let app = try workspace.app(invocation)
        let flow = try workspace.flow(of: app)
        let step = try workspace.step(invocation, in: app, flow)
        try flow.clear(step, origin: .admin)
        try Console.print("cleared \(step)")
        return .success
    }
}

/// `doorstep reset APP`: every record back to absent.
enum ResetCommand {
    static let command = Command(
        "reset", abstract: "Put every record of an app back to absent; its inputs and history stay.",
        parameters: [Parameters.app, Parameters.strict]
    ) { invocation in
        let flow = try Workspace(underPolicy: invocation).flow(invocation)
        try flow.reset(including: flow.orphans, origin: .admin)
        try Console.print("reset \(invocation[Parameters.app])")
        return .success
    }
}

/// `doorstep sign-out APP`: a reset that also erases the inputs.
enum SignOutCommand {
    static let command = Command(
        "sign-out", abstract: "Forget an app's answers and erase its inputs; the next launch is a first launch.",
        parameters: [Parameters.app, Parameters.strict]
    ) { invocation in
        let workspace = try Workspace(underPolicy: invocation)
        let flow = try workspace.flow(invocation)
        try flow.signOut(including: flow.orphans)
        try Console.print("signed out of \(invocation[Parameters.app])")
        let policy = workspace.registry.policy
        for step in flow.allIDs {
            guard let lock = policy.policy(app: invocation[Parameters.app], step: step).lock else { continue }
            try Console.print("still locked: \(step) to \(lock.value), by the policy \(lock.file)")
        }
        return .success
    }
}

/// `doorstep value APP STEP`: one answer.
enum ValueCommand {
    static let command = Command(
        "value", abstract: "Print a step's answer: true, false or unrecorded.",
        discussion: "JSON: app, id, value (true, false, null).",
        parameters: [Parameters.app, Parameters.step, Parameters.strict, Parameters.json]
    ) { invocation in
        let workspace = try Workspace(underPolicy: invocation)
        let app = try workspace.app(invocation)
        let flow = try workspace.flow(of: app)
        let step = try workspace.step(invocation, in: app, flow)
        let value = flow.value(for: step)
        if invocation[Parameters.json] {
            try JSONOutput.print(["app": .string(app.id), "id": .string(step.rawValue), "value": JSONValue(value)])
        } else {
            try Console.print(RecordText.of(value))
        }
        return .success
    }
}

extension OnboardingFlow {
    /// The welcome and then the steps.
    var allIDs: [OnboardingStepID] { (welcome.map { [$0.id] } ?? []) + steps.map(\.id) }
}
