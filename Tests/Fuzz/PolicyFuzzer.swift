import Doorstep
import DoorstepRegistry

/// Policy files: either their rules count, or a problem is told.
enum PolicyFuzzer {
    static func run(_ bytes: [UInt8]) {
        FuzzPlace.write(bytes, to: "policy/input.json")
        let policy = Policy(directories: [FuzzPlace.directory + "/policy"])
        precondition(policy.rules.isEmpty || policy.problems.isEmpty, "a file with a fault has rules that count")
        precondition(policy.files.count + policy.problems.count == 1, "a file is neither used nor told of")
        for step in FuzzPlace.app.registration.allSteps {
            let own = OnboardingRecord(value: false, revision: 1, origin: .user, at: OnboardingInstant(milliseconds: 0))
            let said = policy.policy(app: FuzzPlace.app.id, step: step.id)
            let (record, isPolicy) = policy.effective(own, app: FuzzPlace.app.id, step: step)
            precondition(isPolicy == (said.lock != nil), "only a lock stands over an answer")
            precondition(record?.value == said.lock?.value ?? false, "the lock's answer isn't the one that stands")
        }
    }
}
