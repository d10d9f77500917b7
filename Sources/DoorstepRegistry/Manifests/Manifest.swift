public import Doorstep
public import DoorstepSQLite

/// One app's flow as its manifest file describes it.
///
/// The contract of the file is `registry/flow.schema.json`; what stands in each key is explained in `registry/README.md`.
public struct Manifest: Sendable, Hashable {
    /// The app's ID, which is also the file's name without `.json`.
    public var app: String
    /// The app's name; its ID where the manifest gives none.
    public var name: LocalizedText
    /// What every record of the app is kept under.
    public var prefix: String
    /// When the flow's answers are written.
    public var commit: OnboardingCommitMode
    /// How presenters dress the pages.
    public var theme: ManifestTheme
    /// The welcome, or nil for a flow without one.
    public var welcome: ManifestStep?
    /// The steps in order, without the welcome.
    public var steps: [ManifestStep]

    /// The welcome and then the steps.
    public var allSteps: [ManifestStep] {
        (welcome.map { [$0] } ?? []) + steps
    }

    /// Whether the app keeps its records under its own ID, as it does unless its manifest says otherwise.
    var hasOwnPrefix: Bool { prefix == Self.ownPrefix(of: app) }

    /// The prefix of an app whose manifest names none.
    static func ownPrefix(of app: String) -> String { app + "." }

    /// What the suite keeps of the flow, so that the launch gate needs no manifest.
    public func registration(source: ManifestIdentity?) -> FlowRegistration {
        FlowRegistration(
            app: app, prefix: prefix, source: source, welcome: welcome?.config, steps: steps.map(\.config),
            commit: commit)
    }
}
