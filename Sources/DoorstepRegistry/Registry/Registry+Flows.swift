public import Doorstep
internal import DoorstepJSON
public import DoorstepSQLite

extension Registry {
    /// The flow of a registered app, with its records read once. The manifest is read and checked whole.
    ///
    /// - Throws: ``RegistryError``.
    public func flow(for app: String, in suite: OnboardingSuite) throws(RegistryError) -> OnboardingFlow {
        try self.app(app).flow(in: suite)
    }

    /// The flow of an app as its launch gate needs it: as few reads as its answer allows.
    ///
    /// While the manifest is the one that the suite knows, the flow and its records come from one read of the suite and no
    /// JSON is parsed; a manifest that changed, is new, or isn't known to the suite is read then and there. Nothing is
    /// written. A policy directory that isn't there costs one look; files are parsed only where there are some. Plugins
    /// aren't looked at, and other apps only where this one's prefix isn't its own ID: a manifest that is wrong in those
    /// counts as it reads.
    ///
    /// - Throws: ``RegistryError``; a failed read is never "needed".
    public func gate(for app: String, in suite: OnboardingSuite) throws(RegistryError) -> OnboardingFlow {
        let file = try locate(app)
        let snapshot: FlowSnapshot?
        do throws(OnboardingStorageError) {
            snapshot = try suite.flowSnapshot(app: app)
        } catch {
            throw .storage(error)
        }
        if let snapshot, snapshot.registration.source == file.identity {
            return try OnboardingFlow.make(
                snapshot.registration, in: suite, policyDirectories: policyDirectories, records: snapshot.records)
        }
        let (found, value, _) = try ManifestFile.read(file.path)
        let (manifest, faults) = Manifest.reading(value, fileName: found.name)
        if !faults.isEmpty {
            throw .invalid(value.inDocumentOrder(faults).map { ManifestFault(file: found.path, $0) })
        }
        if !manifest.hasOwnPrefix, mayBeRefused(manifest) { _ = try self.app(app) }
        let registration = manifest.registration(source: found.identity)
        try registration.requireKeptPrefix(after: snapshot, in: suite)
        return try OnboardingFlow.make(registration, in: suite, policyDirectories: policyDirectories)
    }
}

extension FlowRegistration {
    /// Refuses another prefix than the suite's snapshot has, while answers stand under that one: none could be recorded,
    /// so the app's onboarding would be needed for ever.
    fileprivate func requireKeptPrefix(
        after snapshot: FlowSnapshot?, in suite: OnboardingSuite
    ) throws(RegistryError) {
        guard let snapshot, !FlowRegistration.isSame(snapshot.registration.prefix, prefix) else { return }
        do throws(OnboardingStorageError) {
            try suite.requireKeptPrefix(of: self)
        } catch {
            throw .storage(error)
        }
    }
}

extension RegistryContents {
    /// The flows of ``apps``, in their order, and why the suite has none for the others: another app can hold answers under
    /// the prefix of one, or the app itself under an earlier prefix. One read of the suite serves every app whose definition the suite keeps as it is; the records of
    /// the others are read one by one.
    ///
    /// - Throws: ``RegistryError/storage(_:)`` where the suite itself can't be read.
    public func flows(
        in suite: OnboardingSuite
    ) throws(RegistryError) -> (flows: [(app: RegisteredApp, flow: OnboardingFlow)], refused: [RegistryProblem]) {
        var known: [String: FlowSnapshot] = [:]
        do throws(OnboardingStorageError) {
            for snapshot in try suite.flowSnapshots() { known[snapshot.registration.app] = snapshot }
        } catch {
            throw .storage(error)
        }
        var flows: [(RegisteredApp, OnboardingFlow)] = []
        var refused: [RegistryProblem] = []
        for app in apps {
            let snapshot = known[app.id].flatMap { $0.registration == app.registration ? $0 : nil }
            do throws(RegistryError) {
                try app.registration.requireKeptPrefix(after: known[app.id], in: suite)
                flows.append((app, try app.flow(in: suite, records: snapshot?.records)))
            } catch {
                guard error.isOfOneApp else { throw error }
                refused.append(RegistryProblem(app: app.id, error: error))
            }
        }
        return (flows, refused)
    }
}
