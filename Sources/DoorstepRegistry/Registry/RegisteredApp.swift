public import Doorstep
internal import DoorstepPluginKit
public import DoorstepSQLite

/// One app of the family: its manifest, where that was found, and its steps bound to their plugins.
public struct RegisteredApp: Sendable {
    /// The manifest.
    public let manifest: Manifest
    /// The file it was read from.
    public let file: ManifestFile
    /// The welcome and the steps, in order, with their plugins.
    public let steps: [BoundManifestStep]
    /// Where the policy files are that overlay the app's records; nil for those that the environment names.
    var policyDirectories: [String]?
    /// Where in ``steps`` a step is.
    private let places: [OnboardingStepID: Int]

    init(manifest: Manifest, file: ManifestFile, steps: [BoundManifestStep]) {
        self.manifest = manifest
        self.file = file
        self.steps = steps
        var places: [OnboardingStepID: Int] = [:]
        for (place, step) in steps.enumerated() { places[step.step.config.id] = place }
        self.places = places
    }

    /// The app's ID.
    public var id: String { manifest.app }

    /// What the suite keeps of the flow.
    public var registration: FlowRegistration { manifest.registration(source: file.identity) }

    /// The step of this ID, or nil.
    public func step(_ id: OnboardingStepID) -> BoundManifestStep? {
        places[id].map { steps[$0] }
    }

    /// The app's flow in a suite, with its records read once.
    ///
    /// - Throws: ``RegistryError/storage(_:)``.
    public func flow(in suite: OnboardingSuite) throws(RegistryError) -> OnboardingFlow {
        try flow(in: suite, records: nil)
    }

    /// The same from records that were read already.
    func flow(
        in suite: OnboardingSuite, records: [OnboardingStepID: OnboardingRecord]?
    ) throws(RegistryError) -> OnboardingFlow {
        try OnboardingFlow.make(
            registration, in: suite,
            policyDirectories: policyDirectories
                ?? PolicyDirectories.standard(environment: ProcessEnvironment.current),
            records: records)
    }
}

extension OnboardingFlow {
    /// The flow of a registration under the admin's policy, from records that were read with it, or else from the suite.
    static func make(
        _ registration: FlowRegistration, in suite: OnboardingSuite, policyDirectories: [String],
        records: [OnboardingStepID: OnboardingRecord]? = nil
    ) throws(RegistryError) -> OnboardingFlow {
        let policy = Policy(directories: policyDirectories)
        let storage: any OnboardingStorage
        let shown: [OnboardingStepID: OnboardingRecord]
        do throws(OnboardingStorageError) {
            let base = try suite.storage(for: registration)
            let own = if let records { records } else { try base.records() }
            shown = policy.overlaid(own, app: registration.app, steps: registration.allSteps)
            storage = PolicyStorage(base: base, registration: registration, directories: policyDirectories)
        } catch {
            throw .storage(error)
        }
        do throws(OnboardingFlowError) {
            let flow = try OnboardingFlow(
                welcome: registration.welcome?.id, steps: registration.steps, storage: storage, records: shown)
            flow.withheld = policy.withheld(app: registration.app, steps: registration.allSteps)
            return flow
        } catch {
            if case .storage(let error) = error { throw .storage(error) }
            throw .invalid([
                ManifestFault(file: registration.source?.path ?? registration.app, message: error.description)
            ])
        }
    }
}
