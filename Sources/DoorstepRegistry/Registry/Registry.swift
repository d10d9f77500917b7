internal import DoorstepJSON
internal import DoorstepPluginKit
internal import DoorstepSQLite
internal import Glibc

/// The family: every app whose manifest stands in one of the registry's directories.
///
/// ```swift
/// let registry = Registry.standard(catalogue: catalogue)
/// let flow = try registry.flow(for: "com.example.aurora", in: suite)
/// ```
///
/// A registry keeps nothing in memory: each call looks at the directories as they are then.
public struct Registry: Sendable {
    /// The directories, the first of which is the user's own; earlier ones win.
    public let directories: [String]
    /// The plugins that steps can name.
    public let catalogue: PluginCatalogue
    /// Where the admin's policy files are, from the weakest directory to the strongest.
    public let policyDirectories: [String]

    /// A registry over these directories.
    ///
    /// - Parameters:
    ///   - directories: The directories of manifests, the first of which is the user's own.
    ///   - catalogue: The plugins that steps can name.
    ///   - policyDirectories: The directories of policy files; nil for those that this process's environment names.
    public init(directories: [String], catalogue: PluginCatalogue, policyDirectories: [String]? = nil) {
        self.directories = directories
        self.catalogue = catalogue
        self.policyDirectories =
            policyDirectories ?? PolicyDirectories.standard(environment: ProcessEnvironment.current)
    }

    /// What the admin's policy files say now.
    public var policy: Policy { Policy(directories: policyDirectories) }

    /// The name of the JSON Schema, which is no manifest.
    private static let schemaName = "flow.schema.json"

    /// The registry that an environment names; by default this process's own.
    public static func standard(
        catalogue: PluginCatalogue, environment: [String: String] = ProcessEnvironment.current
    ) -> Registry {
        Registry(
            directories: RegistryDirectories.standard(environment: environment), catalogue: catalogue,
            policyDirectories: PolicyDirectories.standard(environment: environment))
    }

    /// The manifest file of an app, by the directories' precedence; nothing is read.
    ///
    /// - Throws: ``RegistryError/unknownApp(_:nearest:)``, `unreadable` for a file that can't be looked at, or `untrusted`
    ///   for one that others than root and the user can have put there.
    public func locate(_ app: String) throws(RegistryError) -> ManifestFile {
        if AppID.fault(in: app) == nil {
            var unreadable: RegistryError?
            for directory in directories {
                // As the XDG Base Directory Specification has it, a directory that can't be entered is passed over; but
                // then an app that is found nowhere isn't simply unknown.
                let file: ManifestFile
                do throws(RegistryError) {
                    guard let found = try ManifestFile(at: "\(directory)/\(app).json") else { continue }
                    file = found
                } catch {
                    unreadable = unreadable ?? error
                    continue
                }
                if let reason = file.distrust { throw .untrusted(path: file.path, reason: reason) }
                if let error = Self.distrust(of: directory) { throw error }
                return file
            }
            if let unreadable { throw unreadable }
        }
        throw .unknownApp(app, nearest: nearestSpelling(of: app, among: appIDs()))
    }

    /// One app, read and checked whole.
    ///
    /// - Throws: ``RegistryError``: `unknownApp`, `unreadable`, or `invalid` with every mistake at once, an overlap of its
    ///   prefix with another app's among them.
    public func app(_ id: String) throws(RegistryError) -> RegisteredApp {
        var app = try Self.read(try locate(id).path, catalogue: catalogue, as: .usable)
        app.policyDirectories = policyDirectories
        if mayBeRefused(app.manifest) {
            let family = contents(reading: app)
            for problem in family.problems where problem.app == id { throw problem.error }
        }
        return app
    }

    /// Whether another app's prefix could shut this one out, found with as little reading as that takes; only then the
    /// whole family is read and checked.
    ///
    /// An app whose prefix is its own ID gives way to no wider claim, so for most apps the names of the others will do.
    func mayBeRefused(_ manifest: Manifest) -> Bool {
        for other in manifestPaths() where other.app != manifest.app {
            let own = Manifest.ownPrefix(of: other.app)
            let prefix = manifest.hasOwnPrefix ? own : ManifestFile.prefix(at: other.path) ?? own
            if FlowRegistration.overlap(prefix, manifest.prefix) { return true }
        }
        return false
    }

    /// The manifest file of each app, by the directories' precedence; nothing is read.
    private func manifestPaths() -> [(app: String, path: String)] {
        var seen: Set<String> = []
        return directories.flatMap { directory in
            Self.names(in: directory).files.filter { seen.insert($0).inserted }.map { name in
                (String(name.dropLast(".json".count)), "\(directory)/\(name)")
            }
        }
    }

    /// Every app that can be used, and what is wrong with the others: one broken manifest never hides the rest.
    public func contents() -> RegistryContents {
        contents(reading: nil)
    }

    /// The IDs of the apps that have a manifest file, sorted; nothing is read.
    public func appIDs() -> [String] {
        manifestPaths().map(\.app).filter { AppID.fault(in: $0) == nil }.sorted()
    }

    /// Reads and checks one manifest file by itself.
    ///
    /// - Throws: ``RegistryError``: `unreadable`, or `invalid` with every mistake in the file and its steps' options.
    public static func read(_ path: String, catalogue: PluginCatalogue) throws(RegistryError) -> RegisteredApp {
        try read(path, catalogue: catalogue, as: .strict)
    }

    static func read(
        _ path: String, catalogue: PluginCatalogue, as binding: PluginCatalogue.Binding
    ) throws(RegistryError) -> RegisteredApp {
        try reading(path, catalogue: catalogue, as: binding).app
    }

    /// The same, with the bytes that were checked.
    static func reading(
        _ path: String, catalogue: PluginCatalogue, as binding: PluginCatalogue.Binding = .strict
    ) throws(RegistryError) -> (app: RegisteredApp, bytes: [UInt8]) {
        let (file, value, bytes) = try ManifestFile.read(path)
        // It stands beside the manifests, so "*.json" names it too.
        if file.name == schemaName {
            throw .invalid([
                ManifestFault(file: path, message: "this is the JSON Schema of manifests, not a manifest; leave it out")
            ])
        }
        let (manifest, faults) = Manifest.reading(value, fileName: file.name)
        let (steps, stepFaults) = catalogue.bind(manifest, known: faults, as: binding)
        let all = value.inDocumentOrder(faults + stepFaults)
        if !all.isEmpty { throw .invalid(all.map { ManifestFault(file: path, $0) }) }
        return (RegisteredApp(manifest: manifest, file: file, steps: steps), bytes)
    }

    private func contents(reading known: RegisteredApp?) -> RegistryContents {
        var contents = RegistryContents()
        var seen: Set<String> = []
        for directory in directories {
            let (files, problem) = Self.names(in: directory)
            if let problem { contents.problems.append(RegistryProblem(app: nil, error: problem)) }
            for name in files where seen.insert(name).inserted {
                contents.add("\(directory)/\(name)", registry: self, known: known)
            }
        }
        contents.refuseOverlaps()
        return contents
    }

    /// Why the manifests in a directory may not be what its owner put there, or nil.
    private static func distrust(of directory: String) -> RegistryError? {
        RegistryTrust.fault(ofDirectory: directory).map { .untrusted(path: directory, reason: $0) }
    }

    /// The manifest files in a directory, sorted. A directory that doesn't exist has none.
    private static func names(in directory: String) -> (files: [String], problem: RegistryError?) {
        guard let stream = opendir(directory) else {
            return ([], errno == ENOENT ? nil : .unreadable(directory))
        }
        defer { closedir(stream) }
        if let error = distrust(of: directory) { return ([], error) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            let isManifest = name.hasSuffix(".json") && !name.hasPrefix(".") && name != schemaName
            if isManifest { names.append(name) }
        }
        return (names.sorted(), nil)
    }
}
