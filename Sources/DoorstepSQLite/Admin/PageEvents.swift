package import Doorstep

/// One thing that happened to a page in a showing, where the suite keeps such facts.
package struct PageEvent: Sendable, Hashable {
    /// When.
    package var at: OnboardingInstant
    /// The app.
    package var app: String
    /// The page's step.
    package var step: String
    /// `shown`, `answered`, `left` or `finished`.
    package var event: String
    /// What tells one showing from another.
    package var showing: String
}

extension OnboardingSuite {
    /// What happened to pages, oldest first; nil where the suite keeps no such facts.
    ///
    /// - Throws: ``OnboardingStorageError``.
    package func pageEvents() throws(OnboardingStorageError) -> [PageEvent]? {
        try read("read the page events") { (connection) throws(OnboardingStorageError) -> [PageEvent]? in
            guard try connection.hasTable("page_events") else { return nil }
            var events: [PageEvent] = []
            try connection.query(
                "SELECT at, app, step, event, showing FROM page_events ORDER BY sequence", [], "read the page events"
            ) { (row) throws(OnboardingStorageError) in
                events.append(
                    PageEvent(
                        at: OnboardingInstant(milliseconds: row.integer(0)), app: row.text(1), step: row.text(2),
                        event: row.text(3), showing: row.text(4)))
            }
            return events
        } ?? nil
    }
}
