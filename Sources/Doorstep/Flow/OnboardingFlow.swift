public import Observation

/// One app's onboarding: its ordered steps, at most one welcome, and what its storage says of them.
///
/// ```swift
/// let flow = try OnboardingFlow(
///     welcome: "com.example.aurora.welcome",
///     steps: [OnboardingStepConfig(id: "com.example.aurora.reqs.notifications", isRequired: true)],
///     storage: storage)
/// if flow.needsOnboarding { … }
/// ```
///
/// The records are read once, when the flow is made, and again by ``refresh()``; every question is answered from
/// memory, every change goes through to the storage first. A change that fails leaves the answers as they were and
/// notifies nobody. A flow belongs to one isolation domain, such as the main actor.
@Observable
public final class OnboardingFlow {
    /// The welcome, shown before every step, or nil for a flow without one. It is never skippable or required.
    public let welcome: OnboardingStepConfig?
    /// The steps in declaration order, without the welcome.
    public let steps: [OnboardingStepConfig]
    /// Where the answers are kept.
    @ObservationIgnored public let storage: any OnboardingStorage

    /// Every record of the app, also those of steps that the flow no longer has.
    public internal(set) var records: [OnboardingStepID: OnboardingRecord]

    /// The steps that are never shown whatever their records say, because an admin's policy decides them.
    @ObservationIgnored package var withheld: Set<OnboardingStepID> = []

    /// What the storage held when the records were last the same as there; nil where that isn't known.
    @ObservationIgnored var mark: OnboardingStorageMark?

    @ObservationIgnored private let configs: [OnboardingStepID: OnboardingStepConfig]

    /// Makes a flow and reads its records once.
    ///
    /// - Parameters:
    ///   - welcome: The welcome's ID, or nil for a flow without one.
    ///   - steps: The steps in order.
    ///   - storage: The app's storage.
    /// - Throws: ``OnboardingFlowError``: a duplicate or invalid ID or revision, or a storage that can't be read.
    public convenience init(
        welcome: OnboardingStepID? = nil, steps: [OnboardingStepConfig], storage: any OnboardingStorage
    ) throws(OnboardingFlowError) {
        try self.init(welcome: welcome, steps: steps, storage: storage, records: nil)
    }

    /// Makes a flow from records that were read with its definition, or else reads them.
    package init(
        welcome: OnboardingStepID?, steps: [OnboardingStepConfig], storage: any OnboardingStorage,
        records: [OnboardingStepID: OnboardingRecord]?
    ) throws(OnboardingFlowError) {
        let welcome = welcome.map { OnboardingStepConfig(id: $0, isSkippable: false) }
        self.configs = try Self.index(welcome: welcome, steps: steps)
        self.welcome = welcome
        self.steps = steps
        self.storage = storage
        if let records {
            self.records = records
            return
        }
        do throws(OnboardingStorageError) {
            self.records = try storage.records()
        } catch {
            throw .storage(error)
        }
    }

    private static func index(
        welcome: OnboardingStepConfig?, steps: [OnboardingStepConfig]
    ) throws(OnboardingFlowError) -> [OnboardingStepID: OnboardingStepConfig] {
        var configs: [OnboardingStepID: OnboardingStepConfig] = [:]
        if let welcome {
            if let fault = welcome.id.fault { throw .invalidID(fault) }
            configs[welcome.id] = welcome
        }
        for step in steps {
            if let fault = step.id.fault { throw .invalidID(fault) }
            if step.revision < 1 { throw .invalidRevision(step.id, step.revision) }
            if step.id == welcome?.id { throw .welcomeIsAStep(step.id) }
            if configs.updateValue(step, forKey: step.id) != nil { throw .duplicateStep(step.id) }
        }
        return configs
    }

    /// What the flow says of a step or its welcome, or nil for an ID that it doesn't have.
    public func config(for id: OnboardingStepID) -> OnboardingStepConfig? {
        configs[id]
    }

    /// Reads the records again if they may have changed, so that answers of other processes are seen.
    ///
    /// - Throws: ``OnboardingStorageError``; the flow then answers as before.
    public func refresh() throws(OnboardingStorageError) {
        // Before the records: what is written in between is seen the next time.
        let found = try storage.mark()
        if let found, found == mark { return }
        let fresh = try storage.records()
        mark = found
        if fresh != records { records = fresh }
    }
}
