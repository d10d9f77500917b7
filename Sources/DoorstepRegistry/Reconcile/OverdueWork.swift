internal import Doorstep
internal import Synchronization

/// The work of plugins in this process that was late and still hasn't ended.
///
/// A check that blocks its thread can't be ended. An app that reconciles whenever it becomes active would lose one more
/// thread each time, so a step whose last check still runs isn't asked again.
final class OverdueWork: Sendable {
    /// What a plugin is asked for.
    enum Purpose: String, Sendable {
        case check, page, action
    }

    /// One purpose of one step of one app.
    struct Key: Sendable, Hashable {
        var purpose: Purpose
        var app: String
        var step: OnboardingStepID
    }

    /// One piece of work from its start to its end.
    final class Run: Sendable {
        let keys: [Key]
        fileprivate let hasEnded = Mutex(false)

        init(keys: [Key]) { self.keys = keys }
    }

    static let shared = OverdueWork()
    private let overdue = Mutex<[Key: ObjectIdentifier]>([:])

    /// Whether late work of each of these names still runs.
    func contains(_ keys: [Key]) -> Bool {
        overdue.withLock { overdue in !overdue.isEmpty && keys.allSatisfy { overdue[$0] != nil } }
    }

    /// Notes work that was late, unless it ended meanwhile.
    func note(_ run: Run) {
        overdue.withLock { overdue in
            if run.hasEnded.withLock({ $0 }) { return }
            for key in run.keys { overdue[key] = ObjectIdentifier(run) }
        }
    }

    /// Notes the end of work.
    func end(_ run: Run) {
        overdue.withLock { overdue in
            run.hasEnded.withLock { $0 = true }
            if overdue.isEmpty { return }
            for key in run.keys where overdue[key] == ObjectIdentifier(run) { overdue[key] = nil }
        }
    }
}
