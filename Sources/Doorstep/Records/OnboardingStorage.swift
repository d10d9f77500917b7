/// Where one app's records and inputs live.
///
/// A storage belongs to one app: it neither shows nor changes what another app has stored, whatever IDs both use.
/// Everyone who implements this protocol runs the storage conformance suite of `DoorstepTestSupport`.
public protocol OnboardingStorage: AnyObject, Sendable {
    /// Reads every record of the app at once. Never creates anything.
    ///
    /// - Throws: ``OnboardingStorageError``; a store that can't be read is never an empty one.
    func records() throws(OnboardingStorageError) -> [OnboardingStepID: OnboardingRecord]

    /// Reads every input of the app, by step and key. Never creates anything.
    ///
    /// - Throws: ``OnboardingStorageError``.
    func inputs() throws(OnboardingStorageError) -> [OnboardingStepID: [String: OnboardingInputValue]]

    /// A mark that stays the same while ``records()`` would answer the same, apart from the commits that it counts; nil
    /// where that can't be told, so that the records have to be read again. Never creates anything.
    ///
    /// - Throws: ``OnboardingStorageError``.
    func mark() throws(OnboardingStorageError) -> OnboardingStorageMark?

    /// Applies the changes in order, with one history row for each that applies, in one transaction.
    ///
    /// Conditions are looked at inside the transaction. When this returns, the answers are durable.
    ///
    /// - Parameters:
    ///   - changes: The changes, in order. A step may stand in several of them.
    ///   - eraseInputs: Whether every input of the app is erased first, in the same transaction.
    /// - Returns: The record of each changed step as it stands afterwards; a step that is missing here is unrecorded.
    /// - Throws: ``OnboardingStorageError``; then nothing has changed.
    func commit(_ changes: [OnboardingChange], eraseInputs: Bool) throws(OnboardingStorageError)
        -> [OnboardingStepID: OnboardingRecord]
}

extension OnboardingStorage {
    /// No mark: the records are read again each time.
    public func mark() throws(OnboardingStorageError) -> OnboardingStorageMark? { nil }

    /// Applies the changes in one transaction and leaves the other inputs as they are.
    public func commit(_ changes: [OnboardingChange]) throws(OnboardingStorageError)
        -> [OnboardingStepID: OnboardingRecord]
    {
        try commit(changes, eraseInputs: false)
    }
}
