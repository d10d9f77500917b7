internal import Doorstep
internal import Synchronization

/// The checks of this process that were late and still haven't ended.
///
/// A check that blocks its thread can't be ended. An app that reconciles whenever it becomes active would lose one more
/// thread each time, so a step whose last check still runs isn't asked again.
final class OverdueChecks: Sendable {
    /// One step of one app.
    struct Key: Sendable, Hashable {
        var app: String
        var step: OnboardingStepID
    }

    /// One check from its start to its end.
    final class Run: Sendable {
        let key: Key
        fileprivate let hasEnded = Mutex(false)

        init(key: Key) { self.key = key }
    }

    static let shared = OverdueChecks()
    private let overdue = Mutex<[Key: ObjectIdentifier]>([:])

    /// Whether a late check of this step still runs.
    func contains(_ key: Key) -> Bool {
        overdue.withLock { $0[key] != nil }
    }

    /// Notes a check that was late, unless it ended meanwhile.
    func note(_ run: Run) {
        overdue.withLock { overdue in
            if !run.hasEnded.withLock({ $0 }) { overdue[run.key] = ObjectIdentifier(run) }
        }
    }

    /// Notes the end of a check.
    func end(_ run: Run) {
        overdue.withLock { overdue in
            run.hasEnded.withLock { $0 = true }
            if overdue[run.key] == ObjectIdentifier(run) { overdue[run.key] = nil }
        }
    }
}
