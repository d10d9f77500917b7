internal import DoorstepBus
internal import DoorstepPluginKit

/// What tells that a probe may have another answer now.
enum Watch: Hashable, Sendable {
    /// A signal on a bus.
    case signal(Bus, BusMatch)
    /// A file or directory that appears, goes, or is changed; a `*` at the end stands for any ending of its name.
    case file(String)
    /// A systemd unit's state. systemd tells of its units as long as anybody is subscribed, so the watch is.
    case unit(Bus, String)
    /// An agent that comes to answer for the user when GeoClue asks.
    case locationAgent
    /// A route of the kernel's that comes or goes.
    case routes

    /// A service that starts or leaves.
    static func owner(_ bus: Bus, _ name: String) -> Watch { .signal(bus, .owner(of: name)) }

    /// A service's properties.
    static func properties(_ bus: Bus, of name: String, path: String? = nil) -> Watch {
        .signal(bus, .properties(of: name, path: path))
    }

    /// A table of the portals' permission store, and the store itself coming up.
    static func store(_ table: String) -> [Watch] {
        [
            .signal(
                .session,
                BusMatch(
                    sender: PermissionStore.name, path: PermissionStore.path, interface: PermissionStore.name,
                    member: "Changed", firstArgument: table)), .owner(.session, PermissionStore.name),
        ]
    }
}

extension ProbeContext {
    /// How long a bus may take to confirm that it will send signals. It isn't waited for by anybody.
    private static var confirmation: Duration { .seconds(10) }

    /// A value once each watch stands, then one whenever it stirs; values that nobody has read yet become one.
    ///
    /// The connections are this stream's own and end with it. A bus that isn't there is no watch, and no failure.
    func changes(_ watches: [Watch]) -> AsyncStream<Void> {
        if watches.isEmpty { return AsyncStream { $0.finish() } }
        let environment = step.environment
        let isSandboxed = isSandboxed
        var matches: [Bus: [BusMatch]] = [:]
        var subscribed: Set<Bus> = []
        var paths: [String] = []
        for watch in watches {
            switch watch {
            case .signal(let bus, let match): matches[bus, default: []].append(match)
            case .file(let path): paths.append(machine.path(path))
            case .unit(let bus, let unit):
                matches[bus, default: []] += [Systemd.changes(of: unit), .owner(of: Systemd.name)]
                subscribed.insert(bus)
            case .routes, .locationAgent: break
            }
        }
        let tellsRoutes = watches.contains(.routes)
        let tellsAgents = watches.contains(.locationAgent)
        let machine = machine
        return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { [matches, subscribed, paths] continuation in
            let task = Task {
                let client = BusClient(environment: environment, isSandboxed: isSandboxed)
                await withTaskGroup(of: Void.self) { group in
                    for (bus, matches) in matches {
                        group.addTask {
                            let deadline = ContinuousClock.now + Self.confirmation
                            guard let signals = try? await client.signals(bus, matches, deadline: deadline) else {
                                return
                            }
                            if subscribed.contains(bus) { await Systemd.subscribe(client, bus, deadline: deadline) }
                            continuation.yield()
                            for await _ in signals { continuation.yield() }
                        }
                    }
                    if !paths.isEmpty {
                        group.addTask { for await _ in FileWatch.changes(of: paths) { continuation.yield() } }
                    }
                    if tellsAgents {
                        group.addTask {
                            let arrivals = LocationAgent.arrivals(
                                client, machine, confirmedBy: .now + Self.confirmation)
                            for await _ in arrivals { continuation.yield() }
                        }
                    }
                    if tellsRoutes {
                        group.addTask { for await _ in RouteWatch.changes() { continuation.yield() } }
                    }
                }
                client.close()
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
