package import Doorstep

/// What an import changes.
package struct SuiteDifference: Sendable {
    /// One record that changes.
    package struct Change: Sendable {
        /// The record as the import has it.
        package var new: StoredRecord
        /// What the suite has, or nil.
        package var old: OnboardingRecord?
        /// Where the import has it.
        var line: Int
    }

    /// The records that change, in the order of the import, if they were to be listed: they can be many.
    package var changes: [Change] = []
    /// How many records change.
    package var changed = 0
    /// How many records of the import are in the suite already, byte for byte.
    package var equal = 0
    /// How many records the suite keeps although the import has another.
    package var kept = 0
    /// How many inputs are written.
    package var inputs = 0
    /// How many events are added.
    package var events = 0
}

extension OnboardingSuite {
    /// What an import would change; nothing is written.
    ///
    /// - Parameter lists: Whether the records that change are listed, too, rather than only counted.
    /// - Throws: ``OnboardingStorageError``.
    package func difference(
        of restoration: SuiteRestoration, keep: SuiteRestoration.Keep, lists: Bool
    ) throws(OnboardingStorageError) -> SuiteDifference {
        let difference = try read("compare the import") { (connection) throws(OnboardingStorageError) in
            try connection.atOneMoment { () throws(OnboardingStorageError) in
                try restoration.merge(with: connection, keep: keep, writes: false, lists: lists)
            }
        }
        if let difference { return difference }
        return try restoration.merge(with: nil, keep: keep, writes: false, lists: lists)
    }

    /// Imports in one transaction, with one history row for each record that changes unless the import explains it.
    ///
    /// - Parameter lists: Whether the records that change are listed, too, rather than only counted.
    /// - Throws: ``OnboardingStorageError``; then nothing has changed.
    package func restore(
        _ restoration: SuiteRestoration, keep: SuiteRestoration.Keep, lists: Bool
    ) throws(OnboardingStorageError) -> SuiteDifference {
        try write("import") { (connection) throws(OnboardingStorageError) in
            try restoration.merge(with: connection, keep: keep, writes: true, lists: lists)
        } ?? SuiteDifference()
    }
}
