internal import DoorstepBus
internal import DoorstepPluginKit

/// Whether a service runs: by its bus name, or as a systemd unit.
struct ServiceProbe: PermissionProbe {
    /// Whose services are meant.
    enum Scope: String, CaseIterable {
        case session, system
    }

    /// What names the service.
    enum Subject: Sendable {
        case name(String, mustRun: Bool)
        case unit(String)
    }

    struct Options: Sendable {
        var bus: Bus
        var subject: Subject
    }

    let kind = "service"
    let summary = "A service runs, by its bus name or its systemd unit"
    let subject = CheckSubject.user
    let optionHelp = [
        PluginOption("name", "bus name", "the service's name on the bus, such as \"org.bluez\""),
        PluginOption("unit", "unit name", "its systemd unit, such as \"ssh.service\"; give one of the two"),
        PluginOption("bus", "session, system", "where it is: the user's services or the machine's; default session"),
        PluginOption(
            "running", "true or false", "name: whether it must run already, or may start on demand; default false"),
    ]
    let icon = "system-run-symbolic"
    let title = LocalizedText([
        LocalizedText.Entry(tag: "en", text: "A Service"),
        LocalizedText.Entry(tag: "de", text: "Ein Dienst"),
        LocalizedText.Entry(tag: "ar", text: "خدمة"),
        LocalizedText.Entry(tag: "ja", text: "サービス"),
    ])

    func options(from reader: JSONReader) -> Options {
        let bus: Bus = reader.optionalChoice("bus", of: Scope.self) == .system ? .system : .session
        let name = reader.optionalString("name") {
            $0.contains(".") ? nil : "this is no bus name, such as \"org.bluez\""
        }
        let unit = reader.optionalString("unit") {
            $0.contains(".") ? nil : "this unit lacks its type, such as \".service\""
        }
        let mustRun = reader.bool("running", default: false)
        if reader.has("name") == reader.has("unit") {
            reader.fault("exactly one of \"name\" and \"unit\" is needed, to say which service it is about")
        }
        return Options(bus: bus, subject: unit.map(Subject.unit) ?? .name(name ?? "", mustRun: mustRun))
    }

    func watches(_ options: Options, in context: ProbeContext) -> [Watch] {
        switch options.subject {
        case .name(let name, _): [.owner(options.bus, name)]
        case .unit(let unit): [.unit(options.bus, unit)]
        }
    }

    func remedy(for status: AuthorizationStatus, _ options: Options, in context: ProbeContext) -> Remedy {
        if case .name(_, mustRun: true) = options.subject, status == .unknown { return .ask(.turnOn) }
        if case .unit = options.subject, status == .unavailable { return .ask(.turnOn) }
        return .none
    }

    func ask(_ options: Options, with request: Request) async throws(RequestError) {
        switch options.subject {
        case .name(let name, _): try await request.start(name, on: options.bus)
        case .unit(let unit):
            _ = try await request.call(
                options.bus, Systemd.name, Systemd.path, Systemd.manager + ".StartUnit",
                [.string(unit), .string("replace")],
                deadline: .now + .seconds(30))
        }
    }

    func words(for status: AuthorizationStatus, _ options: Options) -> LocalizedText? {
        guard status == .unavailable || status == .unknown else { return nil }
        return .sentence(
            en: "The service isn’t running.",
            de: "Der Dienst läuft nicht.",
            ar: "الخدمة لا تعمل.",
            ja: "サービスが動いていません。")
    }

    func finding(_ options: Options, in context: ProbeContext) async throws(BusError) -> Finding {
        switch options.subject {
        case .unit(let unit): return try await finding(unit: unit, on: options.bus, in: context)
        case .name(let name, let mustRun):
            switch try await context.presence(options.bus, name) {
            case .running: return .granted(.ungated, "\(name) runs")
            case .activatable:
                return mustRun
                    ? Finding(.unknown, "\(name) is installed but not running, and a check starts nothing")
                    : .granted(.ungated, "\(name) is installed and starts on demand")
            case .absent: return Finding(.unavailable, "\(name) isn't on the \(options.bus)")
            case .hidden: return Finding(.unknown, "the sandbox hides whether \(name) is there")
            }
        }
    }

    private func finding(unit: String, on bus: Bus, in context: ProbeContext) async throws(BusError) -> Finding {
        if let absence = try await context.absence(of: Systemd.name, "systemd", on: bus) { return absence }
        do throws(BusError) {
            let path = try await context.buses.call(
                bus, destination: Systemd.name, path: Systemd.path, interface: Systemd.manager, member: "GetUnit",
                arguments: [.string(unit)], expecting: "o", deadline: context.deadline)
            let state = try await context.buses.property(
                bus, destination: Systemd.name, path: path.first?.objectPath ?? "/",
                interface: "org.freedesktop.systemd1.Unit", name: "ActiveState", expecting: "s",
                deadline: context.deadline)
            let evidence = "the unit \(unit) is \(state.string ?? "in no known state")"
            return switch state.string {
            case "active", "reloading": .granted(.ungated, evidence)
            case "activating", "deactivating": Finding(.unknown, evidence)
            default: Finding(.unavailable, evidence)
            }
        } catch {
            guard case .remote("org.freedesktop.systemd1.NoSuchUnit", _) = error else { throw error }
            return Finding(.unavailable, "the unit \(unit) isn't loaded")
        }
    }
}
