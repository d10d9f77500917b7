public import Doorstep

/// What has happened to pages while they were shown.
extension OnboardingSuite {
    /// Appends events in one transaction, in their order; creates the suite if it is absent.
    ///
    /// - Parameters:
    ///   - events: The events.
    ///   - patience: How long a lock of another process is waited for; nil for as long as usual.
    /// - Throws: ``OnboardingStorageError``; then none of them was appended.
    public func append(
        _ events: [OnboardingPageEvent], patience: Duration? = nil
    ) throws(OnboardingStorageError) {
        if events.isEmpty { return }
        _ = try write("write what was shown", touchesRecords: false, patience: patience) {
            (connection) throws(OnboardingStorageError) in
            for event in events {
                try connection.execute(
                    """
                    INSERT INTO page_events (at, prefix, app, step, event, showing) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                    """,
                    [
                        .integer(event.at.milliseconds), .text(event.prefix), .text(event.app),
                        .text(event.step.rawValue), .text(event.kind.rawValue), .text(event.showing),
                    ], "write what was shown")
            }
        }
    }

    /// The page events in the order in which they happened; none from a suite that was made before they were kept.
    ///
    /// - Parameters:
    ///   - app: Only events under this app's name.
    ///   - prefix: Only events of pages with this prefix.
    ///   - after: Only events with a greater ``OnboardingPageEvent/sequence``.
    ///   - limit: At most so many.
    /// - Throws: ``OnboardingStorageError``.
    public func pageEvents(
        app: String? = nil, prefix: String? = nil, after: Int64? = nil, limit: Int? = nil
    ) throws(OnboardingStorageError) -> [OnboardingPageEvent] {
        try read("read what was shown") { (connection) throws(OnboardingStorageError) in
            // A read never migrates, and a suite of the first version has no such table.
            var events: [OnboardingPageEvent] = []
            guard try connection.hasTable("page_events") else { return events }
            try connection.query(
                """
                SELECT sequence, at, prefix, app, step, event, showing FROM page_events
                WHERE (?1 IS NULL OR app = ?1) AND (?2 IS NULL OR prefix = ?2) AND sequence > ?3
                ORDER BY sequence LIMIT ?4
                """,
                [
                    SQLValue(app), SQLValue(prefix), .integer(after ?? .min),
                    .integer(limit.map { Int64(max(0, $0)) } ?? -1),
                ], "read what was shown"
            ) { (row) throws(OnboardingStorageError) in
                guard let kind = OnboardingPageEvent.Kind(rawValue: row.text(5)) else {
                    throw connection.damaged("a page event is of a kind that doesn't exist")
                }
                events.append(
                    OnboardingPageEvent(
                        sequence: row.integer(0), at: OnboardingInstant(milliseconds: row.integer(1)),
                        prefix: row.text(2), app: row.text(3), step: OnboardingStepID(row.text(4)), kind: kind,
                        showing: row.text(6)))
            }
            return events
        } ?? []
    }
}
