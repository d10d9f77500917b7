public import Doorstep
internal import DoorstepJSON
public import DoorstepRegistry
public import DoorstepSQLite
internal import Glibc

/// An import, validated whole: what it would change can be looked at before anything is written.
public struct SuiteImport: Sendable {
    /// Which record stays where the suite and the import both have one.
    public typealias Keep = SuiteRestoration.Keep

    /// Why nothing was imported.
    public enum Failure: Error, Sendable {
        /// The file has these mistakes.
        case invalid([String])
        /// The file can't be read.
        case unreadable(String)
        /// Keys that the import would change are locked by policy: each with its sentence.
        case locked([String])
        /// The suite can't be read or written.
        case storage(OnboardingStorageError)
    }

    private(set) var restoration: SuiteRestoration
    /// The keys that were left out because a policy locks them.
    public private(set) var skipped: [String] = []

    init(_ restoration: SuiteRestoration) {
        self.restoration = restoration
    }

    /// An export of ours, as JSON Lines or CSV.
    public init(export path: String) throws(Failure) {
        let file = ImportFile(try Self.bytes(path))
        if !file.faults.isEmpty { throw .invalid(file.faults.map { "\(path): \($0)" }) }
        restoration = file.restoration
    }

    /// The most bytes that an import may have.
    static let maximumSize = 2 * 1024 * 1024 * 1024

    static func bytes(_ path: String) throws(Failure) -> [UInt8] {
        let descriptor = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw .unreadable("\"\(path)\" can't be read: \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count < 0 { throw .unreadable("\"\(path)\" can't be read: \(String(cString: strerror(errno)))") }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
            if bytes.count > maximumSize { throw .unreadable("\"\(path)\" has more than \(maximumSize) bytes") }
        }
    }

    /// Looks for keys that a policy locks, and refuses them or leaves them out.
    ///
    /// - Throws: ``Failure/locked(_:)`` unless they are left out.
    public mutating func honour(_ policy: Policy, of registry: Registry, skipping: Bool) throws(Failure) {
        var names: [String: String] = [:]
        for app in registry.contents().apps { names[app.manifest.prefix] = app.id }
        for owner in restoration.owners where names[owner.prefix] == nil { names[owner.prefix] = owner.app }
        for event in restoration.events where names[event.prefix] == nil { names[event.prefix] = event.app }
        restoration.apps = names
        if policy.rules.isEmpty { return }
        var refused: [String] = []
        restoration.records.removeAll { record in
            let app = names[record.prefix] ?? String(record.prefix.dropLast())
            guard let lock = policy.policy(app: app, step: record.step).lock else { return false }
            refused.append(
                "the key \"\(record.step)\" of \(app) is locked to \(lock.value) by the policy \"\(lock.file)\"; import the others with --skip-locked"
            )
            skipped.append(record.step.rawValue)
            return true
        }
        if !refused.isEmpty, !skipping { throw .locked(refused) }
        let left = Set(skipped)
        restoration.inputs.removeAll { left.contains($0.step.rawValue) }
    }

    /// What the import would change.
    package func difference(from suite: OnboardingSuite, keep: Keep) throws(Failure) -> SuiteDifference {
        do throws(OnboardingStorageError) {
            return try suite.difference(of: restoration, keep: keep)
        } catch {
            throw .storage(error)
        }
    }

    /// Imports in one transaction.
    package func write(to suite: OnboardingSuite, keep: Keep) throws(Failure) -> SuiteDifference {
        do throws(OnboardingStorageError) {
            return try suite.restore(restoration, keep: keep)
        } catch {
            throw .storage(error)
        }
    }
}
