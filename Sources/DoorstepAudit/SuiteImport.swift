public import Doorstep
internal import DoorstepJSON
public import DoorstepRegistry
public import DoorstepSQLite

/// An import, validated whole: what it would change can be looked at before anything is written.
public struct SuiteImport {
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

    private let restoration: SuiteRestoration
    /// The keys that were left out because a policy locks them.
    public private(set) var skipped: [String] = []
    /// What was asked for and isn't in the file: each with its sentence.
    public let warnings: [String]

    init(_ restoration: SuiteRestoration, warnings: [String]) {
        self.restoration = restoration
        self.warnings = warnings
    }

    /// An export of ours, as JSON Lines or CSV; it is read once, line by line, and kept in a file for as long as this lives.
    ///
    /// - Parameters:
    ///   - path: The export; `-` is standard input.
    ///   - suite: The suite that it is for: the file that keeps it is beside that one.
    /// - Throws: ``Failure``.
    public init(export path: String, for suite: OnboardingSuite) throws(Failure) {
        restoration = try Self.restoration(for: suite)
        warnings = []
        let faults = try ImportFile(ImportSource(path: path), into: restoration).faults
        if !faults.isEmpty { throw .invalid(faults.map { "\(path): \($0)" }) }
    }

    /// An import of nothing so far.
    static func restoration(for suite: OnboardingSuite) throws(Failure) -> SuiteRestoration {
        do throws(OnboardingStorageError) {
            return try SuiteRestoration(beside: suite)
        } catch {
            throw .storage(error)
        }
    }

    /// Looks for keys that a policy locks, and refuses them or leaves them out.
    ///
    /// - Throws: ``Failure/locked(_:)`` unless they are left out.
    public mutating func honour(_ policy: Policy, of registry: Registry, skipping: Bool) throws(Failure) {
        var locked: [String] = []
        var names: [String: String] = [:]
        for app in registry.contents().apps { names[app.manifest.prefix] = app.id }
        do throws(OnboardingStorageError) {
            try restoration.forEachOwner { (owner) throws(OnboardingStorageError) in
                if names[owner.prefix] == nil { names[owner.prefix] = owner.app }
            }
            for (prefix, app) in try restoration.namesInEvents() where names[prefix] == nil { names[prefix] = app }
            restoration.apps = names
            if policy.rules.isEmpty { return }
            var refused: [String] = []
            try restoration.removeRecords { prefix, step in
                let app = names[prefix] ?? String(prefix.dropLast())
                guard let lock = policy.policy(app: app, step: step).lock else { return false }
                refused.append(
                    "the key \"\(step)\" of \(app) is locked to \(lock.value) by the policy \"\(lock.file)\"; import the others with --skip-locked"
                )
                skipped.append(step.rawValue)
                return true
            }
            if refused.isEmpty || skipping { return }
            locked = refused
        } catch {
            throw .storage(error)
        }
        throw .locked(locked)
    }

    /// What the import would change.
    ///
    /// - Parameter lists: Whether the records that change are listed, too, rather than only counted.
    package func difference(
        from suite: OnboardingSuite, keep: Keep, lists: Bool = false
    ) throws(Failure) -> SuiteDifference {
        do throws(OnboardingStorageError) {
            return try suite.difference(of: restoration, keep: keep, lists: lists)
        } catch {
            throw .storage(error)
        }
    }

    /// Imports in one transaction.
    ///
    /// - Parameter lists: Whether the records that change are listed, too, rather than only counted.
    package func write(to suite: OnboardingSuite, keep: Keep, lists: Bool = false) throws(Failure) -> SuiteDifference {
        do throws(OnboardingStorageError) {
            return try suite.restore(restoration, keep: keep, lists: lists)
        } catch {
            throw .storage(error)
        }
    }
}
