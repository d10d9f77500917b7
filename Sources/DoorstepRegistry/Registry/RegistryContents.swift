internal import DoorstepSQLite

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
            let name = path.split(separator: "/").last.map { String($0.dropLast(".json".count)) }
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

/// A file or directory of the registry that can't be used.
public struct RegistryProblem: Sendable {
    /// The app that the file is named for, or nil for a directory.
    public var app: String?
    /// The reason.
    public var error: RegistryError
}

/// The rule that no app's prefix begins with another's.
enum PrefixOverlap {
    /// Apps in the order in which they get their prefixes: the ones whose prefix is their own ID before those that claim
    /// another name space, so that one wide claim never shuts out the apps below it; otherwise as given.
    static func ranked(_ apps: [RegisteredApp]) -> [RegisteredApp] {
        apps.filter(\.manifest.hasOwnPrefix) + apps.filter { !$0.manifest.hasOwnPrefix }
    }

    /// The first app whose prefix overlaps this one's and that doesn't give way to it.
    ///
    /// Sorted by prefix, only neighbours could overlap; families are small enough for a plain walk over the accepted ones.
    static func find(_ app: RegisteredApp, among others: [RegisteredApp]) -> RegisteredApp? {
        others.first { other in
            let givesWay = app.manifest.hasOwnPrefix && !other.manifest.hasOwnPrefix
            return other.id != app.id && !givesWay
                && FlowRegistration.overlap(app.manifest.prefix, other.manifest.prefix)
        }
    }

    static func fault(of app: RegisteredApp, with other: RegisteredApp) -> ManifestFault {
        ManifestFault(
            file: app.file.path, place: "prefix",
            message:
                "the prefix \"\(app.manifest.prefix)\" of \"\(app.id)\" overlaps \"\(other.manifest.prefix)\" of \"\(other.id)\" "
                + "(\(other.file.path)); neither may begin with the other, so give one app another prefix")
    }
}
