internal import DoorstepBus
internal import DoorstepPluginKit
internal import Glibc

/// The program of the user's session that answers for the user when GeoClue asks whether an app may have the location.
///
/// Without one GeoClue doesn't answer apps at all, and has no way to be asked whether one is there. An agent owns no name
/// on the bus, so it is looked for among the user's programs that are connected to it.
enum LocationAgent {
    private static let daemon = "org.freedesktop.DBus"

    /// Why GeoClue answers no app of this user, or nil where an agent is there.
    ///
    /// What an agent allows isn't asked: the machine's bus lets only GeoClue ask it, and writes down who else tries.
    static func finding(in context: ProbeContext) async -> Result<Finding?, BusError> {
        // All steps of a pass look once; one whose own time lasts longer than that look's tries again.
        var answer = await context.step.scope.shared { Look(in: context) }.task.value
        if case .failure = answer { answer = await Look(in: context).task.value }
        return answer.map { isConnected in
            isConnected
                ? nil
                : Finding(
                    .unknown,
                    "no agent of this user answers for GeoClue (such as gnome-shell or geoclue-demo-agent), without which it lets no app know"
                )
        }
    }

    /// A look for an agent that several steps wait for.
    private struct Look: Sendable {
        let task: Task<Result<Bool, BusError>, Never>

        init(in context: ProbeContext) {
            task = Task {
                do throws(BusError) {
                    return .success(try await isConnected(in: context))
                } catch {
                    return .failure(error)
                }
            }
        }
    }

    /// Whether one of the user's connections to the bus is an agent's.
    private static func isConnected(in context: ProbeContext) async throws(BusError) -> Bool {
        let names = try await context.buses.call(
            .system, destination: daemon, path: "/org/freedesktop/DBus", interface: daemon, member: "ListNames",
            expecting: "as", deadline: context.deadline)
        let connections = (names.first?.strings ?? []).filter { $0.hasPrefix(":") }
        let programs = programs(in: context)
        let results = await withTaskGroup(of: Result<Bool, BusError>.self) { group in
            for connection in connections {
                group.addTask {
                    do throws(BusError) {
                        return .success(try await isAgent(connection, programs, in: context))
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

    private static func isAgent(
        _ connection: String, _ programs: Set<String>, in context: ProbeContext
    ) async throws(BusError) -> Bool {
        guard try await number("GetConnectionUnixUser", of: connection, in: context) == getuid() else { return false }
        let directory = "/proc/\(try await number("GetConnectionUnixProcessID", of: connection, in: context))"
        let command = context.machine.text(directory + "/cmdline") ?? ""
        let parts = command.prefix { $0 != "\0" }.lowercased().split(separator: "/")
        let name = parts.last.map(String.init) ?? ""
        // GeoClue's own agent has a name that says nothing, in a directory that does.
        return programs.contains(name) || name == "agent" && parts.contains { $0.hasPrefix("geoclue") }
    }

    private static func number(
        _ question: String, of connection: String, in context: ProbeContext
    ) async throws(BusError) -> UInt32 {
        let answer = try await context.buses.call(
            .system, destination: daemon, path: "/org/freedesktop/DBus", interface: daemon, member: question,
            arguments: [.string(connection)], expecting: "u", deadline: context.deadline)
        return answer.first?.uint32 ?? 0
    }

    /// What the programs are called that GeoClue takes for agents: its list has their desktop IDs, whose last parts they
    /// are named for.
    private static func programs(in context: ProbeContext) -> Set<String> {
        let configuration = context.machine.parsed("/etc/geoclue/geoclue.conf", by: KeyFile.init)
        let list = configuration?["agent", "whitelist"] ?? "gnome-shell;sm.puri.Phosh;lipstick"
        var programs: Set<String> = []
        for id in list.lowercased().split(separator: ";") {
            programs.insert(id.trimmed)
            if let last = id.split(separator: ".").last { programs.insert(last.trimmed) }
        }
        return programs
    }
}
