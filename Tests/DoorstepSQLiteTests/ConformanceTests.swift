import Doorstep
import DoorstepSQLite
import DoorstepTestSupport
import Testing

@Suite struct `Storages keep the promises of the protocol` {
    @Test(arguments: StorageConformance.cases)
    func `A suite's storage`(promise: StorageConformance.Case) throws {
        let directory = try TemporaryDirectory()
        let suite = try OnboardingSuite.open(at: directory.path + "/suite.db")
        try promise.check { try suite.storage(prefix: $0) }
    }

    @Test(arguments: StorageConformance.cases)
    func `A suite's storage that is opened anew for each call`(promise: StorageConformance.Case) throws {
        let directory = try TemporaryDirectory()
        try promise.check { prefix in
            try ReopeningStorage(path: directory.path + "/suite.db", prefix: prefix)
        }
    }

    @Test(arguments: StorageConformance.cases)
    func `The storage in memory`(promise: StorageConformance.Case) throws {
        try promise.check { _ in InMemoryOnboardingStorage() }
    }
}

/// A storage that forgets everything between two calls but what is in the file.
private final class ReopeningStorage: OnboardingStorage {
    let path: String
    let prefix: String

    init(path: String, prefix: String) throws {
        self.path = path
        self.prefix = prefix
    }

    private func storage() throws(OnboardingStorageError) -> any OnboardingStorage {
        try OnboardingSuite.open(at: path).storage(prefix: prefix)
    }

    func records() throws(OnboardingStorageError) -> [OnboardingStepID: OnboardingRecord] {
        try storage().records()
    }

    func inputs() throws(OnboardingStorageError) -> [OnboardingStepID: [String: OnboardingInputValue]] {
        try storage().inputs()
    }

    func commit(_ changes: [OnboardingChange], eraseInputs: Bool) throws(OnboardingStorageError)
        -> [OnboardingStepID: OnboardingRecord]
    {
        try storage().commit(changes, eraseInputs: eraseInputs)
    }
}
