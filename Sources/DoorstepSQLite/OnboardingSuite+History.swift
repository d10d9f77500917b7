public import Doorstep

/// What has happened to the records.
extension OnboardingSuite {
    /// The changes of records, newest first.
    ///
    /// - Parameters:
    ///   - app: Only changes made under this app's name.
    ///   - prefix: Only changes of records with this prefix.
    ///   - step: Only changes of this step.
    ///   - before: Only changes with a smaller ``OnboardingEvent/sequence``: the way to the next page.
    ///   - limit: At most so many.
    /// - Throws: ``OnboardingStorageError``.
    public func history(
        app: String? = nil, prefix: String? = nil, step: OnboardingStepID? = nil, before: Int64? = nil,
        limit: Int? = nil
    ) throws(OnboardingStorageError) -> [OnboardingEvent] {
        var conditions: [String] = []
        var values: [SQLValue] = []
        func require(_ condition: String, _ value: SQLValue?) {
            guard let value else { return }
            values.append(value)
            conditions.append("\(condition) ?\(values.count)")
        }
        require("app =", app.map { .text($0) })
        require("prefix =", prefix.map { .text($0) })
        require("step =", step.map { .text($0.rawValue) })
        require("sequence <", before.map { .integer($0) })
        let filter = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
        values.append(.integer(limit.map { Int64(max(0, $0)) } ?? -1))
        let sql = """
            SELECT sequence, at, prefix, app, step, old, new, revision, origin, evidence, uid, program FROM history
            \(filter) ORDER BY sequence DESC LIMIT ?\(values.count)
            """
        let bound = values
        return try read("read the history") { (connection) throws(OnboardingStorageError) in
            var events: [OnboardingEvent] = []
            try connection.query(sql, bound, "read the history") { (row) throws(OnboardingStorageError) in
                events.append(try row.event(connection))
            }
            return events
        } ?? []
    }
}
