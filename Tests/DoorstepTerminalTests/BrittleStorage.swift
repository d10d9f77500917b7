import Doorstep
import Synchronization

/// A storage that can't be written to until it is repaired.
final class BrittleStorage: OnboardingStorage {
    private let inner = InMemoryOnboardingStorage()
    private let isBroken = Mutex(true)

    func repair() { isBroken.withLock { $0 = false } }

    func records() throws(OnboardingStorageError) -> [OnboardingStepID: OnboardingRecord] { try inner.records() }

    func inputs() throws(OnboardingStorageError) -> [OnboardingStepID: [String: OnboardingInputValue]] {
        try inner.inputs()
    }

    func commit(_ changes: [OnboardingChange], eraseInputs: Bool) throws(OnboardingStorageError)
        -> [OnboardingStepID: OnboardingRecord]
    {
        if isBroken.withLock({ $0 }) { throw OnboardingStorageError(.full, "no space is left") }
        return try inner.commit(changes, eraseInputs: eraseInputs)
    }
}
