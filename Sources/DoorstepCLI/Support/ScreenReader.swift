internal import DoorstepBus

/// Whether a screen reader is announced by the session, for people whose terminal doesn't say so itself.
enum ScreenReader {
    /// How long the session is waited for: nobody should notice.
    private static let patience = Duration.milliseconds(50)

    /// Asks the launcher of the accessibility bus, if it runs; it is never started for this.
    ///
    /// An environment that decides how pages are shown is not asked about: `DOORSTEP_UI`, and `ACCESSIBLE` with any value.
    static func isAnnounced(environment: [String: String]) async -> Bool {
        for name in ["DOORSTEP_UI", "ACCESSIBLE"] where environment[name]?.isEmpty == false { return false }
        let client = BusClient(environment: environment)
        defer { client.close() }
        do throws(BusError) {
            let value = try await client.property(
                .session, destination: "org.a11y.Bus", path: "/org/a11y/bus", interface: "org.a11y.Status",
                name: "ScreenReaderEnabled", deadline: .now + patience)
            return value.bool == true
        } catch {
            return false
        }
    }
}
