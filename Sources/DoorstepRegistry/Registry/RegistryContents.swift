internal import Doorstep

/// What the registry's directories hold: the apps that can be used, and what is wrong with the others.
public struct RegistryContents: Sendable {
    /// The apps that can be used, sorted by ID.
    public internal(set) var apps: [RegisteredApp] = []
    /// The files and directories that can't be used, each with its reason.
    public internal(set) var problems: [RegistryProblem] = []

    /// The app of this ID, or nil where it isn't among the usable ones.
    public subscript(id: String) -> RegisteredApp? {
        apps.first { $0.id == id }
    }

    mutating func add(_ path: String, registry: Registry, known: RegisteredApp?) {
        if let known, known.file.path == path {
            apps.append(known)
            return
        }
        do throws(RegistryError) {
            var app = try Registry.read(path, catalogue: registry.catalogue, as: .usable)
            if let reason = app.file.distrust { throw .untrusted(path: path, reason: reason) }
            app.policyDirectories = registry.policyDirectories
            apps.append(app)
        } catch {
            let name = String(path.lastPathPart.dropLast(".json".count))
            problems.append(RegistryProblem(app: name, error: error))
        }
    }

    /// Refuses each app whose prefix overlaps one that goes before it, naming both.
    mutating func refuseOverlaps() {
        var accepted: [RegisteredApp] = []
        for app in PrefixOverlap.ranked(apps) {
            if let other = PrefixOverlap.find(app, among: accepted) {
                problems.append(
                    RegistryProblem(app: app.id, error: .invalid([PrefixOverlap.fault(of: app, with: other)])))
            } else {
                accepted.append(app)
            }
        }
        apps = accepted.sorted { $0.id < $1.id }
    }
}
