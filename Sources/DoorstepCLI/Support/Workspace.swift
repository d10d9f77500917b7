internal import CommandLineKit
internal import Doorstep
internal import DoorstepPluginKit
internal import DoorstepRegistry
internal import DoorstepSQLite
internal import PermissionPlugins
internal import ProfilePlugin
internal import WelcomePlugins

/// What a command works on: the environment, the suite, and the registry with the built-in plugins.
struct Workspace {
    let environment: [String: String]
    let suite: OnboardingSuite
    let registry: Registry

    /// The kinds that this doorstep brings.
    static var builtIn: PluginCatalogue {
        PluginCatalogue([WelcomePlugin(), InfoPlugin(), ProfilePlugin()] + PermissionPlugins.all)
    }

    /// - Parameters:
    ///   - invocation: Names the suite.
    ///   - catalogue: The plugins; the launch gate needs none.
    ///   - path: The suite's file, for a command that has an option of its own for it.
    init(
        _ invocation: Invocation, catalogue: PluginCatalogue = builtIn, suite path: String?? = nil
    ) throws(CommandFailure) {
        environment = ProcessEnvironment.current
        registry = Registry.standard(catalogue: catalogue, environment: environment)
        do throws(OnboardingStorageError) {
            suite = try OnboardingSuite.open(at: path ?? invocation[Parameters.suite], environment: environment)
        } catch {
            throw CommandFailure(error)
        }
    }

    var languages: LanguagePreferences { LanguagePreferences(environment: environment) }

    /// The app that the invocation names.
    func app(_ invocation: Invocation) throws(CommandFailure) -> RegisteredApp {
        try app(invocation[Parameters.app])
    }

    func app(_ id: String) throws(CommandFailure) -> RegisteredApp {
        do throws(RegistryError) {
            return try registry.app(id)
        } catch {
            throw CommandFailure(error)
        }
    }

    /// The flow of the app that the invocation names.
    func flow(_ invocation: Invocation) throws(CommandFailure) -> OnboardingFlow {
        try flow(of: try app(invocation))
    }

    func flow(of app: RegisteredApp) throws(CommandFailure) -> OnboardingFlow {
        do throws(RegistryError) {
            return try app.flow(in: suite)
        } catch {
            throw CommandFailure(error)
        }
    }

    /// The step that the invocation names: one of the flow's, or one that only a record is left of.
    func step(_ invocation: Invocation, in app: RegisteredApp, _ flow: OnboardingFlow) throws(CommandFailure)
        -> OnboardingStepID
    {
        let id = OnboardingStepID(invocation[Parameters.step])
        if flow.config(for: id) != nil || flow.records[id] != nil { return id }
        throw CommandFailure(.absent, app.unknownStep(id.rawValue))
    }

    func reconciler(_ timeout: Duration) -> Reconciler {
        Reconciler(environment: environment, timeout: timeout)
    }
}
