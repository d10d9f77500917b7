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

    /// The app's ID.
    public var id: String { manifest.app }

    /// What the suite keeps of the flow.
    public var registration: FlowRegistration { manifest.registration(source: file.identity) }

    /// The step of this ID, or nil.
    public func step(_ id: OnboardingStepID) -> BoundManifestStep? {
        steps.first { $0.step.config.id == id }
    }

    /// The app's flow in a suite, with its records read once.
    ///
    /// - Throws: ``RegistryError/storage(_:)``.
    public func flow(in suite: OnboardingSuite) throws(RegistryError) -> OnboardingFlow {
        try OnboardingFlow.make(registration, in: suite)
    }
}

extension OnboardingFlow {
    /// The flow of a registration, from records that were read with it, or else from the suite.
    static func make(
        _ registration: FlowRegistration, in suite: OnboardingSuite,
        records: [OnboardingStepID: OnboardingRecord]? = nil
    ) throws(RegistryError) -> OnboardingFlow {
        let storage: any OnboardingStorage
        do throws(OnboardingStorageError) {
            storage = try suite.storage(for: registration)
        } catch {
            throw .storage(error)
        }
        do throws(OnboardingFlowError) {
            return try OnboardingFlow(
                welcome: registration.welcome?.id, steps: registration.steps, storage: storage, records: records)
        } catch {
            if case .storage(let error) = error { throw .storage(error) }
            throw .invalid([
                ManifestFault(file: registration.source?.path ?? registration.app, message: error.description)
            ])
        }
    }
}
