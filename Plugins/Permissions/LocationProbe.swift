internal import DoorstepBus
internal import DoorstepPluginKit

/// Whether the app may learn where the machine is, and how exactly.
///
/// The level that GeoClue offers says only that a source exists. Its `GetClient` is never called: without an agent for the
/// user it doesn't answer. What nobody may do comes before what this app may not.
struct LocationProbe: PermissionProbe {
    /// How exact a place is, from the store's words, coarse to fine.
    enum Accuracy: String, CaseIterable, Comparable {
        case country, city, neighborhood, street, exact

        static func < (left: Accuracy, right: Accuracy) -> Bool { left.rank < right.rank }

        var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    let kind = "location"
    let summary = "The app may learn the machine's location"
    let subject = CheckSubject.app
    let optionHelp = [
        PluginOption(
            "accuracy", Accuracy.allCases.map(\.rawValue).joined(separator: ", "),
            "how exact the place must be; a grant below it is limited")
    ]
    let icon = "find-location-symbolic"
    let title = LocalizedText([
        LocalizedText.Entry(tag: "en", text: "Location"),
        LocalizedText.Entry(tag: "de", text: "Standort"),
        LocalizedText.Entry(tag: "ar", text: "الموقع"),
        LocalizedText.Entry(tag: "ja", text: "位置情報"),
    ])

    private static let name = "org.freedesktop.GeoClue2"

    func options(from reader: JSONReader) -> Accuracy? {
        reader.optionalChoice("accuracy", of: Accuracy.self)
    }

    let settings: SettingsPanel? = .location

    func watches(_ wanted: Accuracy?, in context: ProbeContext) -> [Watch] {
        [
            .owner(.system, Self.name),
            .properties(.system, of: Self.name, path: "/org/freedesktop/GeoClue2/Manager"),
            .file("/etc/geoclue/geoclue.conf"), .locationAgent,
        ] + Watch.store("location") + Lockdown.location.watches(in: context)
    }

    func remedy(for status: AuthorizationStatus, _ wanted: Accuracy?, in context: ProbeContext) -> Remedy {
        status == .notDetermined || status == .unknown ? .ask(.allow) : .settings
    }

    func ask(_ wanted: Accuracy?, with request: Request) async throws(RequestError) {
        try await request.start(Request.portal, on: .session)
        // The portal counts none, country, city, neighbourhood, street and exact from 0 on.
        let level = (wanted ?? .exact).rank + 1
        let session = try await request.call(
            .session, Request.portal, Request.portalPath, "org.freedesktop.portal.Location.CreateSession",
            [.options(["session_handle_token": .string("doorstep"), "accuracy": .uint32(UInt32(level))])])
        guard let path = session.first?.objectPath else { throw .declined }
        // The session ends with the connection.
        try await request.portal(
            "org.freedesktop.portal.Location.Start", [.objectPath(path), .string("")])
    }

    func finding(_ wanted: Accuracy?, in context: ProbeContext) async throws(BusError) -> Finding {
        if let configuration = context.machine.parsed("/etc/geoclue/geoclue.conf", by: KeyFile.init),
            configuration[context.appID, "allowed"] == "false"
        {
            return Finding(.restricted, "/etc/geoclue/geoclue.conf doesn't allow \(context.appID)")
        }
        async let shared = context.pass.location.answer(by: context.deadline) {
            .success(await self.surroundings(in: context))
        }
        let entry = await context.storeEntry(table: "location", id: "location")
        let surroundings = try await shared.get()
        if let locked = try surroundings.lockdown.get() { return locked }
        let stored = try entry.get()
        if case .found(let words) = stored, words.first == "NONE" {
            return Finding(.denied, "the permission store's entry for the location is \"NONE\"")
        }
        if let obstacle = try surroundings.obstacle.get() { return obstacle }
        switch stored {
        case .silent:
            return Finding(.unknown, "the sandbox hides what was decided on the location")
        case .damaged(let path): return StoredDecision.damaged(path)
        case .found, .missing, .absent: break
        }
        guard case .found(let words) = stored, let word = words.first else {
            return Finding(.notDetermined, "nobody has decided on the location yet")
        }
        guard let level = Accuracy(rawValue: word.lowercased()), word == word.uppercased() else {
            return StoredDecision.unreadable(word, in: "location")
        }
        let isEnough = wanted.map { level >= $0 } ?? true
        return .granted(
            .explicit, mode: isEnough ? .always : .limited,
            "the permission store's entry for the location is \"\(word)\"")
    }

    /// What keeps every app of the user from the location: switches, and what is missing.
    struct Surroundings: Sendable {
        var lockdown: Result<Finding?, BusError>
        var obstacle: Result<Finding?, BusError>
    }

    private func surroundings(in context: ProbeContext) async -> Surroundings {
        async let lockdown = Lockdown.location.finding(in: context)
        let obstacle = await self.obstacle(in: context)
        return Surroundings(lockdown: await lockdown, obstacle: obstacle)
    }

    /// Why no app can learn a location, whatever was decided on this one: no service, no source, nobody to answer for the
    /// user. Nil where nothing is in the way, as far as can be told without starting the service.
    private func obstacle(in context: ProbeContext) async -> Result<Finding?, BusError> {
        // A sandboxed app asks the portal, and sees neither the service nor the agent.
        guard !context.isSandboxed else { return .success(nil) }
        async let agent = LocationAgent.finding(in: context)
        do throws(BusError) {
            if let missing = try await source(in: context) { return .success(missing) }
            return .success(try await agent.get())
        } catch {
            return .failure(error)
        }
    }

    /// Why there is no source of locations, or nil where there is one, as far as can be told without starting it.
    private func source(in context: ProbeContext) async throws(BusError) -> Finding? {
        switch try await context.presence(.system, Self.name) {
        case .absent: return Finding(.unavailable, "no location service (\(Self.name)) is installed")
        case .activatable, .hidden: return nil
        case .running: break
        }
        let level = try await context.buses.property(
            .system, destination: Self.name, path: "/org/freedesktop/GeoClue2/Manager",
            interface: "org.freedesktop.GeoClue2.Manager", name: "AvailableAccuracyLevel", expecting: "u",
            deadline: context.deadline)
        return level.uint32 == 0 ? Finding(.unavailable, "the location service has no source of locations") : nil
    }
}
