internal import DoorstepBus
internal import DoorstepPluginKit
internal import Glibc

/// The program of the user's session that answers for the user when GeoClue asks whether an app may have the location.
///
/// Without one GeoClue doesn't answer apps at all, and has no way to be asked whether one is there. An agent owns no name
/// on the bus, so it is looked for among the user's programs that are connected to it.
enum LocationAgent {
    private static let daemon = "org.freedesktop.DBus"
    private static let path = "/org/freedesktop/GeoClue2/Agent"

    /// Why GeoClue answers no app of this user, or nil where an agent is there.
    static func finding(in context: ProbeContext) async throws(BusError) -> Finding? {
        guard let name = try await connection(in: context) else {
            return Finding(
                .unknown,
                "no agent of this user answers for GeoClue (such as gnome-shell or geoclue-demo-agent), without which it lets no app know"
            )
        }
        do throws(BusError) {
            let level = try await context.buses.property(
                .system, destination: name, path: path, interface: "org.freedesktop.GeoClue2.Agent",
                name: "MaxAccuracyLevel", expecting: "u", deadline: context.deadline)
            return level.uint32 == 0
                ? Finding(.restricted, "GeoClue's agent has the location switched off (MaxAccuracyLevel 0)") : nil
        } catch {
            // The machine's bus lets only GeoClue and root ask; that the agent is there is enough then.
            guard error.isAccessDenied || error.isUnknownFeature else { throw error }
            return nil
        }
    }

    /// The agent's connection to the bus, or nil where the user has none.
    private static func connection(in context: ProbeContext) async throws(BusError) -> String? {
        let names = try await context.buses.call(
            .system, destination: daemon, path: "/org/freedesktop/DBus", interface: daemon, member: "ListNames",
            expecting: "as", deadline: context.deadline)
        let connections = (names.first?.strings ?? []).filter { $0.hasPrefix(":") }
        let programs = programs(in: context)
        let found = await withTaskGroup(of: Result<String?, BusError>.self) { group in
            for connection in connections {
                group.addTask {
                    do throws(BusError) {
                        let isAgent = try await isAgent(connection, programs, in: context)
                        return .success(isAgent ? connection : nil)
                    } catch {
                        return .failure(error)
                    }
                }
            }
            var found: [Result<String?, BusError>] = []
            for await result in group { found.append(result) }
            return found
        }
        var agents: [String] = []
        for result in found {
            do throws(BusError) {
                if let agent = try result.get() { agents.append(agent) }
            } catch {
                // Whoever has left the bus meanwhile was no agent; a bus that doesn't answer says nothing about any.
                guard case .remote = error else { throw error }
            }
        }
        return agents.min()
    }

    private static func isAgent(
        _ connection: String, _ programs: Set<String>, in context: ProbeContext
    ) async throws(BusError) -> Bool {
        async let user = number("GetConnectionUnixUser", of: connection, in: context)
        async let process = number("GetConnectionUnixProcessID", of: connection, in: context)
        guard try await user.get() == getuid() else {
            _ = await process
            return false
        }
        let directory = "/proc/\(try await process.get())"
        let command = context.machine.text(directory + "/cmdline")?.prefix { $0 != "\0" }
        guard let program = command.map(String.init) ?? context.machine.text(directory + "/comm") else { return false }
        let parts = program.trimmed.lowercased().split(separator: "/")
        let name = parts.last.map(String.init) ?? ""
        // GeoClue's own agent has a name that says nothing, in a directory that does.
        return programs.contains(name) || name == "agent" && parts.contains { $0.hasPrefix("geoclue") }
    }

    private static func number(
        _ question: String, of connection: String, in context: ProbeContext
    ) async -> Result<UInt32, BusError> {
        do throws(BusError) {
            let answer = try await context.buses.call(
                .system, destination: daemon, path: "/org/freedesktop/DBus", interface: daemon, member: question,
                arguments: [.string(connection)], expecting: "u", deadline: context.deadline)
            return .success(answer.first?.uint32 ?? 0)
        } catch {
            return .failure(error)
        }
    }

    /// What the programs are called that GeoClue takes for agents: its list has their desktop IDs, whose last parts they
    /// are named for.
    private static func programs(in context: ProbeContext) -> Set<String> {
        let configuration = context.machine.text("/etc/geoclue/geoclue.conf").map(KeyFile.init)
        let list = configuration?["agent", "whitelist"] ?? "gnome-shell;sm.puri.Phosh;lipstick"
        var programs: Set<String> = []
        for id in list.lowercased().split(separator: ";") {
            programs.insert(id.trimmed)
            if let last = id.split(separator: ".").last { programs.insert(last.trimmed) }
        }
        return programs
    }
}
