internal import DoorstepBus
internal import DoorstepPluginKit
internal import Glibc

/// The program of the user's session that answers for the user when GeoClue asks whether an app may have the location.
///
/// Without one GeoClue doesn't answer apps at all, and has no way to be asked whether one is there. An agent owns no name
/// on the bus, so it is looked for among the user's programs that are connected to it.
enum LocationAgent {
    private static let daemon = "org.freedesktop.DBus"
    private static let daemonPath = "/org/freedesktop/DBus"

    /// Why GeoClue answers no app of this user, or nil where an agent is there.
    ///
    /// What an agent allows isn't asked: the machine's bus lets only GeoClue ask it, and writes down who else tries.
    static func finding(in context: ProbeContext) async -> Result<Finding?, BusError> {
        do throws(BusError) {
            return .success(
                try await isConnected(in: context)
                    ? nil
                    : Finding(
                        .unknown,
                        "no agent of this user answers for GeoClue (such as gnome-shell or geoclue-demo-agent), without which it lets no app know"
                    ))
        } catch {
            return .failure(error)
        }
    }

    /// A value once this stands, then one for each agent that connects to the bus.
    ///
    /// An agent tells GeoClue alone that it is there, and GeoClue nobody; but the bus tells of every new connection, and
    /// one question to the bus, on the connection that listens, says whose it is.
    static func arrivals(
        _ client: BusClient, _ machine: Machine, confirmedBy deadline: ContinuousClock.Instant
    ) -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                let connections = BusMatch(
                    sender: daemon, path: daemonPath, interface: daemon, member: "NameOwnerChanged")
                if let signals = try? await client.signals(.system, [connections], deadline: deadline) {
                    // Whoever came before this moment is seen by looking.
                    continuation.yield()
                    for await signal in signals {
                        guard let name = signal.arguments.first?.string, name.hasPrefix(":"),
                            signal.arguments.last?.string == name
                        else { continue }
                        let bus = Connections(
                            client: client, machine: machine.readingOnce(), deadline: .now + .seconds(10))
                        if (try? await bus.isAgent(name)) == true { continuation.yield() }
                    }
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Whether one of the user's connections to the bus is an agent's.
    private static func isConnected(in context: ProbeContext) async throws(BusError) -> Bool {
        let names = try await context.buses.names(.system, deadline: context.deadline)
        let bus = Connections(client: context.buses, machine: context.machine, deadline: context.deadline)
        let results = await withTaskGroup(of: Result<Bool, BusError>.self) { group in
            for connection in names where connection.hasPrefix(":") {
                group.addTask {
                    do throws(BusError) {
                        return .success(try await bus.isAgent(connection))
                    } catch {
                        return .failure(error)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        for result in results {
            do throws(BusError) {
                if try result.get() { return true }
            } catch {
                // Whoever has left the bus meanwhile was no agent; a bus that doesn't answer says nothing about any.
                guard case .remote = error else { throw error }
            }
        }
        return false
    }

    /// Who is behind the connections of the system bus.
    private struct Connections: Sendable {
        let client: BusClient
        let machine: Machine
        let deadline: ContinuousClock.Instant
        private let programs: Set<String>

        init(client: BusClient, machine: Machine, deadline: ContinuousClock.Instant) {
            self.client = client
            self.machine = machine
            self.deadline = deadline
            programs = LocationAgent.programs(on: machine)
        }

        func isAgent(_ connection: String) async throws(BusError) -> Bool {
            guard try await number("GetConnectionUnixUser", of: connection) == getuid() else { return false }
            let directory = "/proc/\(try await number("GetConnectionUnixProcessID", of: connection))"
            let command = machine.text(directory + "/cmdline") ?? ""
            let parts = command.prefix { $0 != "\0" }.lowercased().pathParts
            let name = parts.last ?? ""
            // GeoClue's own agent has a name that says nothing, in a directory that does.
            return programs.contains(name) || name == "agent" && parts.contains { $0.hasPrefix("geoclue") }
        }

        private func number(_ question: String, of connection: String) async throws(BusError) -> UInt32 {
            let answer = try await client.call(
                .system, destination: daemon, path: daemonPath, interface: daemon, member: question,
                arguments: [.string(connection)], expecting: "u", deadline: deadline)
            return answer.first?.uint32 ?? 0
        }
    }

    /// What the programs are called that GeoClue takes for agents: its list has their desktop IDs, whose last parts they
    /// are named for.
    private static func programs(on machine: Machine) -> Set<String> {
        let configuration = machine.parsed("/etc/geoclue/geoclue.conf", by: KeyFile.init)
        let list = configuration?["agent", "whitelist"] ?? "gnome-shell;sm.puri.Phosh;lipstick"
        var programs: Set<String> = []
        for id in list.lowercased().split(separator: ";") {
            programs.insert(id.trimmed)
            if let last = id.split(separator: ".").last { programs.insert(last.trimmed) }
        }
        return programs
    }
}
