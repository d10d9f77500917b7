internal import DoorstepBus
internal import DoorstepPluginKit

/// What a probe may ask: the pass's private bus connections, the machine's files, and who the app is.
final class ProbeContext: Sendable {
    let step: StepContext
    let pass: ProbePass
    /// The ID under which portals and their permission store know the app. Inside a sandbox that is the sandbox's own
    /// name, whatever the app says of itself.
    let appID: String

    init(step: StepContext, machine: Machine, portalID: String? = nil) {
        self.step = step
        // The first check of a pass makes it.
        pass = step.scope.shared { ProbePass(machine: machine, environment: step.environment) }
        appID = pass.sandboxID ?? portalID ?? step.app
    }

    var machine: Machine { pass.machine }
    var buses: BusClient { pass.buses }

    /// When the answer is no longer waited for.
    var deadline: ContinuousClock.Instant { step.deadline }

    /// Whether this runs inside a Flatpak-like sandbox, whose bus hides most names.
    var isSandboxed: Bool { pass.sandboxID != nil }

    /// An environment variable; an empty one counts as unset.
    func variable(_ name: String) -> String? {
        step.environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// A directory from the environment; relative ones count as unset.
    func directory(_ name: String) -> String? {
        variable(name).flatMap { $0.isAbsolutePath ? $0 : nil }
    }

    /// The absolute directories that a variable lists, else those of a standard list.
    func directories(_ name: String, else standard: String) -> [String] {
        (variable(name) ?? standard).listedPaths.filter(\.isAbsolutePath)
    }

    /// What the session's desktop calls itself, in lower case, its own name first.
    var desktops: [String] {
        (variable("XDG_CURRENT_DESKTOP") ?? "").lowercased().split(separator: ":").map(String.init)
    }

    /// Who could answer for `name`, without starting anybody.
    func presence(_ bus: Bus, _ name: String) async throws(BusError) -> ServicePresence {
        try await pass.names.presence(of: name, on: bus, deadline: deadline)
    }

    /// What it means that a service isn't running: nil where it is.
    ///
    /// - Parameters:
    ///   - name: The bus name that was looked for.
    ///   - what: The service in words, such as "the location service".
    func absence(of name: String, _ what: String, on bus: Bus) async throws(BusError) -> Finding? {
        switch try await presence(bus, name) {
        case .running: nil
        case .activatable:
            Finding(.unknown, "\(what) (\(name)) is installed but not running, and a check starts nothing")
        case .absent: Finding(.unavailable, "\(what) (\(name)) isn't on the \(bus)")
        case .hidden: Finding(.unknown, "the sandbox hides whether \(what) (\(name)) is there")
        }
    }
}
