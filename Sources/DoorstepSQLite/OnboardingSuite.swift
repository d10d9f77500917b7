public import Doorstep
internal import Glibc
internal import Synchronization

/// The one SQLite file that holds every app's records for one user.
///
/// ```swift
/// let suite = try OnboardingSuite.open()
/// let storage = try suite.storage(prefix: "com.example.aurora.")
/// ```
///
/// Opening only settles where the file is. The first read opens it, and an absent one reads as empty; the first write
/// creates it, whole and for its owner alone (directory 0700, file 0600).
///
/// A link at the suite's path is followed if the caller or root made it; a link to nothing is an error. A suite that
/// others may write, itself or its directory, or that belongs to neither the caller nor root, is refused.
///
/// A suite can be used by any number of threads and processes. A child made by `fork` alone must not use its
/// parent's suite: it opens its own.
public final class OnboardingSuite: Sendable {
    /// What the suite is opened for.
    public enum Access: Sendable, Hashable {
        /// Reading and writing; writes need a writable place, reads don't.
        case readWrite
        /// Reading alone. Somebody else's suite can be read so, unless everybody may write it: audits do that.
        case readOnly
    }

    struct State {
        var opened: SuiteConnector.Opened?
        /// Whether the connection has run what only writers need.
        var isReadyToWrite = false
        /// Whether something has been read already, so that the file is worth keeping open.
        var hasBeenRead = false
        /// Whether the schema's version may have changed since it was looked at.
        var isVersionOld = false
    }

    /// The suite's absolute path.
    public let path: String
    /// What the suite is opened for.
    public let access: Access
    /// How long a lock of another process is waited for.
    public let busyTimeout: Duration

    let state = Mutex(State())

    private init(path: String, access: Access, busyTimeout: Duration) {
        self.path = path
        self.access = access
        self.busyTimeout = busyTimeout
    }

    /// Settles where the suite is; nothing is opened, created or changed yet.
    ///
    /// - Parameters:
    ///   - path: The suite's file. If nil: `$DOORSTEP_SUITE`, else `$XDG_DATA_HOME/doorstep/suite.db`, else
    ///     `$HOME/.local/share/doorstep/suite.db`, else the same below the home directory of the passwd entry. Empty
    ///     variables count as unset, and so does an `XDG_DATA_HOME` or `HOME` that is relative; a relative path here or
    ///     in `$DOORSTEP_SUITE` is relative to the working directory.
    ///   - access: What the suite is opened for.
    ///   - environment: The variables to look at; if nil, the process's own.
    ///   - busyTimeout: How long a lock of another process is waited for, before ``OnboardingStorageError/Code/busy``.
    /// - Throws: ``OnboardingStorageError`` with the code `invalid` for a path that can't be one, or if nothing says
    ///   where the suite is.
    public static func open(
        at path: String? = nil, access: Access = .readWrite, environment: [String: String]? = nil,
        busyTimeout: Duration = .seconds(5)
    ) throws(OnboardingStorageError) -> OnboardingSuite {
        OnboardingSuite(
            path: try SuiteLocation.resolve(path, environment: environment), access: access, busyTimeout: busyTimeout)
    }

    /// The storage of the app whose record keys begin with the prefix, for a flow declared in code.
    ///
    /// Its first commit registers an app named like the prefix without the last dot, unless the prefix is registered. An
    /// app of that name with another prefix is left as it is: the commit throws `invalid`.
    ///
    /// - Throws: ``OnboardingStorageError`` with the code `invalid` for a prefix that can't be one: it ends in a dot
    ///   and has at most ``FlowRegistration/maximumPrefixLength`` bytes, none of them a control character.
    public func storage(prefix: String) throws(OnboardingStorageError) -> any OnboardingStorage {
        if let fault = FlowRegistration.fault(ofPrefix: prefix) { throw OnboardingStorageError(.invalid, fault) }
        let implied = FlowRegistration(app: String(prefix.dropLast()), prefix: prefix)
        return SuiteStorage(suite: self, registration: implied, isImplied: true)
    }

    /// The storage of a registered app.
    ///
    /// Its first commit also makes the suite's kept definition of the flow what the registration says, and throws `invalid`
    /// as ``register(_:)`` does. Reading throws `invalid` where another app has records or inputs under the prefix.
    ///
    /// - Throws: ``OnboardingStorageError`` with the code `invalid` for a registration that the suite can't hold.
    public func storage(for registration: FlowRegistration) throws(OnboardingStorageError) -> any OnboardingStorage {
        if let fault = registration.fault { throw OnboardingStorageError(.invalid, fault) }
        return SuiteStorage(suite: self, registration: registration, isImplied: false)
    }

    /// Closes the file; the next use opens it again.
    ///
    /// A suite that is let go of closes by itself, but can't tell of a failure.
    ///
    /// - Throws: ``OnboardingStorageError`` if something still uses the file.
    public func close() throws(OnboardingStorageError) {
        try state.withLock { (state) throws(OnboardingStorageError) in
            let connection = state.opened?.connection
            state = State()
            try connection?.close()
        }
    }
}
