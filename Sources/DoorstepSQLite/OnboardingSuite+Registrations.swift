public import Doorstep

/// The apps that the suite knows, and the kept definitions of their flows.
extension OnboardingSuite {
    /// What a launch gate needs, in one read: an app's kept definition and its steps' answers; nil for an app that
    /// isn't registered.
    ///
    /// - Throws: ``OnboardingStorageError``; a suite that can't be read is never an empty one.
    public func flowSnapshot(app: String) throws(OnboardingStorageError) -> FlowSnapshot? {
        try read("read the flow") { (connection) throws(OnboardingStorageError) in
            try Registrar(connection: connection).snapshot(of: app)
        } ?? nil
    }

    /// The same as ``flowSnapshot(app:)`` for every registered app, in one read, in order of the apps' names.
    ///
    /// - Throws: ``OnboardingStorageError``.
    public func flowSnapshots() throws(OnboardingStorageError) -> [FlowSnapshot] {
        try read("read the flows") { (connection) throws(OnboardingStorageError) in
            try Registrar(connection: connection).snapshots()
        } ?? []
    }

    /// The kept definition of one app's flow, or nil for an app that isn't registered.
    ///
    /// - Throws: ``OnboardingStorageError``.
    public func registration(of app: String) throws(OnboardingStorageError) -> FlowRegistration? {
        try flowSnapshot(app: app)?.registration
    }

    /// Every kept definition, in order of the apps' names.
    ///
    /// - Throws: ``OnboardingStorageError``.
    public func registrations() throws(OnboardingStorageError) -> [FlowRegistration] {
        try flowSnapshots().map(\.registration)
    }

    /// Keeps a definition, in the place of an earlier one of the same app; records stay as they are.
    ///
    /// A prefix belongs to its app for as long as records or inputs stand under it, and without them for as long as the
    /// app's manifest exists; a flow declared in code has to be unregistered before another app can have its prefix.
    ///
    /// - Throws: ``OnboardingStorageError``, with the code `invalid` for a registration that the suite can't hold, whose
    ///   prefix overlaps another app's, or that changes the app's prefix while records or inputs stand under the old one.
    public func register(_ registration: FlowRegistration) throws(OnboardingStorageError) {
        if let fault = registration.fault { throw OnboardingStorageError(.invalid, fault) }
        _ = try write("register the app") { (connection) throws(OnboardingStorageError) in
            try Registrar(connection: connection).ensure(registration)
        }
    }

    /// Refuses a definition that changes its app's prefix while records or inputs stand under the old one, as
    /// ``register(_:)`` would; nothing is written.
    ///
    /// - Throws: ``OnboardingStorageError``, with the code `invalid` for such a definition.
    public func requireKeptPrefix(of registration: FlowRegistration) throws(OnboardingStorageError) {
        _ = try read("look for answers") { (connection) throws(OnboardingStorageError) in
            let registrar = Registrar(connection: connection)
            guard let kept = try registrar.registration(of: registration.app) else { return }
            try registrar.requireNothingLeft(by: registration, under: kept.prefix)
        }
    }

    /// Removes an app's kept definition; its records, inputs and history stay. Its manifest isn't needed for that.
    ///
    /// With records or inputs the prefix stays the app's too, so that no other app comes by them: what is kept then is a
    /// registration without a source, a welcome and steps. Once they are erased, it blocks nobody.
    ///
    /// - Returns: Whether there was a definition.
    /// - Throws: ``OnboardingStorageError``.
    @discardableResult
    public func unregister(app: String) throws(OnboardingStorageError) -> Bool {
        try write("unregister the app", creates: false) { (connection) throws(OnboardingStorageError) in
            try Registrar(connection: connection).remove(app)
        } ?? false
    }

    /// Every prefix that has records or inputs, also those of apps that aren't registered, in order.
    ///
    /// - Throws: ``OnboardingStorageError``.
    public func prefixes() throws(OnboardingStorageError) -> [String] {
        try read("read the prefixes") { (connection) throws(OnboardingStorageError) in
            var prefixes: [String] = []
            try connection.query(
                "SELECT prefix FROM records UNION SELECT prefix FROM inputs ORDER BY prefix", [], "read the prefixes"
            ) { (row) throws(OnboardingStorageError) in
                prefixes.append(row.text(0))
            }
            return prefixes
        } ?? []
    }
}
