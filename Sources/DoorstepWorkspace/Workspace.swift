package import CommandLineKit
package import Doorstep
internal import DoorstepPluginHost
package import DoorstepPluginKit
package import DoorstepRegistry
package import DoorstepSQLite
internal import Glibc
internal import PermissionPlugins
internal import ProfilePlugin
internal import WelcomePlugins

/// What a command works on: the environment, the suite, and the registry with the built-in plugins.
package struct Workspace {
    /// The environment of this process, read once: nothing here changes it.
    package static let environment = ProcessEnvironment.current

    package let environment: [String: String]
    package let registry: Registry
    private let location: Result<OnboardingSuite, OnboardingStorageError>

    /// The kinds that this doorstep brings.
    package static var builtIn: [any StepPlugin] {
        [WelcomePlugin(), InfoPlugin(), ProfilePlugin()] + PermissionPlugins.all
    }

    /// Refuses a plugin whose kind is one that this doorstep brings.
    package static func requireOwnKind(_ kind: String, path: String) throws(CommandFailure) {
        guard builtIn.contains(where: { $0.kind == kind }) else { return }
        throw CommandFailure(.invalid, PluginRefusal.builtIn(kind, path: path).description)
    }

    /// The kinds that this doorstep brings, and the programs that an environment's directories hold.
    package static func catalogue(environment: [String: String]) -> PluginCatalogue {
        PluginCatalogue(builtIn, external: .standard(environment: environment))
    }

    /// - Parameters:
    ///   - invocation: Names the suite.
    ///   - catalogue: The plugins, by default all there are; the launch gate needs none.
    ///   - path: The suite's file, for a command that has an option of its own for it.
    package init(_ invocation: Invocation, catalogue: PluginCatalogue? = nil, suite path: String?? = nil) {
        self.init(
            catalogue: catalogue ?? Self.catalogue(environment: Self.environment),
            suite: path ?? invocation[Parameters.suite])
    }

    /// A workspace with these plugins, and with the suite that is named here, else with the one that the environment names.
    package init(catalogue: PluginCatalogue, suite path: String? = nil) {
        environment = Self.environment
        registry = Registry.standard(catalogue: catalogue, environment: environment)
        do throws(OnboardingStorageError) {
            location = .success(try OnboardingSuite.open(at: path, environment: environment))
        } catch {
            location = .failure(error)
        }
    }

    /// A workspace for a command that applies the admin's policy: files of it that can't be used are named once, or with
    /// `--strict` refused.
    ///
    /// - Parameter handsOver: Whether the command may become another program of ours, which then names them; where it
    ///   doesn't, it calls ``warnOfPolicy()`` itself.
    package init(underPolicy invocation: Invocation, handsOver: Bool = false) throws(CommandFailure) {
        self.init(invocation)
        if invocation[Parameters.strict] { try refusePolicyProblems() }
        if !handsOver { warnOfPolicy() }
    }

    /// Names the policy files that can't be used.
    package func warnOfPolicy() {
        registry.policy.warn()
    }

    /// Throws the first policy file that can't be used.
    package func refusePolicyProblems() throws(CommandFailure) {
        if let problem = registry.policy.problems.first { throw CommandFailure(problem.error) }
    }

    /// The suite; that nothing says where it is only matters to a command that uses it.
    package var suite: OnboardingSuite {
        get throws(CommandFailure) {
            switch location {
            case .success(let suite):
                try Self.requireText(suite.path)
                return suite
            // A place that can't be one is nothing that a manifest or an answer got wrong: the suite can't be read.
            case .failure(let error): throw CommandFailure(.storage, error.message)
            }
        }
    }

    /// The suite for reading alone, for a command to which a suite that isn't there would look like one without answers: one
    /// that `--suite` names has to be there, because a name that leads nowhere is more likely misspelt.
    package func suiteToRead(_ invocation: Invocation) throws -> OnboardingSuite {
        try requireNamedSuite(invocation)
        return try OnboardingSuite.open(at: try suite.path, access: .readOnly)
    }

    /// Refuses a suite that `--suite` names and that isn't there.
    package func requireNamedSuite(_ invocation: Invocation) throws(CommandFailure) {
        if invocation[Parameters.suite] != nil { try Self.requireSuite(at: try suite.path) }
    }

    /// Refuses a suite that isn't there; one that can't be looked at is told of by whoever opens it.
    package static func requireSuite(at path: String) throws(CommandFailure) {
        var facts = stat()
        guard lstat(path, &facts) != 0, errno == ENOENT || errno == ENOTDIR else { return }
        throw CommandFailure(.absent, "there is no suite \"\(path)\"; name one that is there, nothing was changed")
    }

    /// Refuses a path from the environment or the command line that wasn't UTF-8: what it was repaired to is another path.
    package static func requireText(_ path: String) throws(CommandFailure) {
        if path.unicodeScalars.contains("\u{FFFD}") {
            throw CommandFailure(
                .storage,
                "the path \"\(path)\" is not UTF-8, and nothing else can be used; set DOORSTEP_SUITE and "
                    + "DOORSTEP_REGISTRY_PATH to other places, nothing was changed")
        }
    }

    package var languages: LanguagePreferences { LanguagePreferences(environment: environment) }

    /// The app that the invocation names.
    package func app(_ invocation: Invocation) throws(CommandFailure) -> RegisteredApp {
        try app(invocation[Parameters.app])
    }

    package func app(_ id: String) throws(CommandFailure) -> RegisteredApp {
        do throws(RegistryError) {
            return try registry.app(id)
        } catch {
            throw CommandFailure(error)
        }
    }

    /// The flow of the app that the invocation names.
    package func flow(_ invocation: Invocation) throws(CommandFailure) -> OnboardingFlow {
        try flow(of: try app(invocation))
    }

    package func flow(of app: RegisteredApp) throws(CommandFailure) -> OnboardingFlow {
        let suite = try suite
        do throws(RegistryError) {
            return try app.flow(in: suite)
        } catch {
            throw CommandFailure(error)
        }
    }

    /// The step that the invocation names: one of the flow's, or one that only a record is left of.
    package func step(_ invocation: Invocation, in app: RegisteredApp, _ flow: OnboardingFlow) throws(CommandFailure)
        -> OnboardingStepID
    {
        let id = OnboardingStepID(invocation[Parameters.step])
        if flow.config(for: id) != nil || flow.records[id] != nil { return id }
        throw CommandFailure(.absent, app.unknownStep(id.rawValue))
    }

    package func reconciler(_ timeout: Timeout) -> Reconciler {
        Reconciler(environment: environment, timeout: timeout.duration)
    }
}
