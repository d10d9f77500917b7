public import Doorstep

/// The promises of ``OnboardingStorage``, one case each, for everyone who implements it.
///
/// ```swift
/// @Test(arguments: StorageConformance.cases)
/// func `keeps the promise`(_ promise: StorageConformance.Case) throws {
///     try promise.check { MyStore().storage(prefix: $0) }
/// }
/// ```
public enum StorageConformance {
    /// Gives the storage of one app, by prefix; every storage from one such call shares one store.
    public typealias Store = (_ prefix: String) throws -> any OnboardingStorage

    /// One promise.
    public struct Case: Sendable, CustomStringConvertible {
        /// The promise, as a sentence.
        public let name: String
        private let body: @Sendable (Store) throws -> Void

        init(_ name: String, _ body: @escaping @Sendable (Store) throws -> Void) {
            self.name = name
            self.body = body
        }

        /// The promise, as a sentence.
        public var description: String { name }

        /// Checks the promise on an empty store.
        ///
        /// - Throws: ``Failure`` if it isn't kept, or what the storage throws.
        public func check(_ store: Store) throws {
            try body(store)
        }
    }

    /// A promise that a storage doesn't keep.
    public struct Failure: Error, CustomStringConvertible {
        /// What was expected and what was found.
        public let description: String
    }

    /// Every promise.
    public static let cases: [Case] = answers + conditions + inputs + names + marks

    /// Fails unless both are equal.
    static func expect<Value: Equatable>(_ found: Value, _ wanted: Value, _ what: String) throws(Failure) {
        if found != wanted { throw Failure(description: "\(what): found \(found), wanted \(wanted)") }
    }

    /// Fails unless the call throws the code.
    static func expect(
        _ code: OnboardingStorageError.Code, _ what: String, _ body: () throws(OnboardingStorageError) -> Void
    ) throws(Failure) {
        do throws(OnboardingStorageError) {
            try body()
        } catch {
            try expect(error.code, code, what)
            return
        }
        throw Failure(description: "\(what): nothing was thrown, wanted \(code)")
    }

    static func record(
        _ step: OnboardingStepID, _ value: Bool = true, revision: Int = 1,
        condition: OnboardingChange.Condition = .always, origin: OnboardingOrigin = .user, evidence: String? = nil,
        inputs: [String: OnboardingInputValue]? = nil
    ) -> OnboardingChange {
        OnboardingChange(
            step: step, action: .record(value, revision: revision), condition: condition, origin: origin,
            evidence: evidence, inputs: inputs)
    }

    static func clear(_ step: OnboardingStepID) -> OnboardingChange {
        OnboardingChange(step: step, action: .clear, origin: .user)
    }

    static let prefix = "com.example.aurora."
    static let step: OnboardingStepID = "com.example.aurora.profile"
}
