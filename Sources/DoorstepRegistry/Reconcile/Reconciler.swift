public import Doorstep
internal import DoorstepPluginKit
public import DoorstepSQLite

/// Runs the reconcile pass over apps: asks their checks side by side, and records what is satisfied.
public struct Reconciler: Sendable {
    /// The environment that checks may see.
    public var environment: [String: String]
    /// The languages of names in contexts.
    public var languages: LanguagePreferences
    /// How long the whole pass may take.
    public var timeout: Duration

    /// A reconciler.
    public init(
        environment: [String: String] = ProcessEnvironment.current, timeout: Duration = ReconcilePass.standardTimeout
    ) {
        self.environment = environment
        self.languages = LanguagePreferences(environment: environment)
        self.timeout = timeout
    }

    /// Asks every step of these apps that the mode concerns, in one pass, and records `true` where satisfied.
    ///
    /// - Parameters:
    ///   - apps: The apps.
    ///   - suite: Where their records are.
    ///   - mode: Which answers may change.
    /// - Returns: What each check said and what became of it; an app whose records can't be read or written is reported
    ///   and costs the others nothing.
    public func reconcile(
        _ apps: [RegisteredApp], in suite: OnboardingSuite, mode: OnboardingReconcileMode = .unanswered
    ) async -> ReconcileReport {
        var report = ReconcileReport()
        var flows: [(app: RegisteredApp, flow: OnboardingFlow)] = []
        for app in apps {
            do throws(RegistryError) {
                flows.append((app, try app.flow(in: suite)))
            } catch {
                report.failures.append(ReconcileReport.Failure(app: app.id, error: error))
            }
        }
        let answers = await check(flows.map { ($0.app, $0.flow.stepsToReconcile(mode).map(\.id)) })
        for (index, (app, flow)) in flows.enumerated() {
            let rows = answers[index].map {
                ReconcileReport.Row(app: app.id, answer: $0, before: flow.value(for: $0.step))
            }
            do throws(OnboardingStorageError) {
                try flow.reconcile(mode, satisfied: answers[index].satisfied)
            } catch {
                report.failures.append(ReconcileReport.Failure(app: app.id, error: .storage(error)))
            }
            report.rows += rows.map { $0.settled(as: flow.value(for: $0.step)) }
        }
        return report
    }

    /// Asks the checks of these steps, all in one pass; steps without a check aren't asked. Nothing is recorded, so this
    /// is also how a drift report asks about answered steps.
    ///
    /// - Returns: The answers by app, in the order given.
    public func check(_ questions: [(app: RegisteredApp, steps: [OnboardingStepID])]) async -> [[StepAnswer]] {
        let scope = PassScope()
        let answers = await check(questions, in: scope)
        await scope.end()
        return answers
    }

    /// As ``check(_:)``, in a scope that the caller ends.
    func check(
        _ questions: [(app: RegisteredApp, steps: [OnboardingStepID])], in scope: PassScope
    ) async -> [[StepAnswer]] {
        var checks: [(question: Int, step: BoundManifestStep, check: StepCheck)] = []
        for (index, question) in questions.enumerated() {
            let wanted = Set(question.steps)
            for step in question.app.steps where step.plugin.hasCheck && wanted.contains(step.step.config.id) {
                let context = context(of: step, in: question.app, scope: scope)
                checks.append((index, step, StepCheck(plugin: step.plugin, context: context)))
            }
        }
        let outcomes = await ReconcilePass.run(checks.map(\.check), timeout: timeout)
        var answers = [[StepAnswer]](repeating: [], count: questions.count)
        for (asked, outcome) in zip(checks, outcomes) {
            answers[asked.question].append(
                StepAnswer(step: asked.step.step.config.id, plugin: asked.step.plugin.kind, outcome: outcome))
        }
        return answers
    }

    /// What a step's plugin may know.
    func context(of step: BoundManifestStep, in app: RegisteredApp, scope: PassScope) -> StepContext {
        StepContext(
            app: app.id, appName: app.manifest.name.text(for: languages), step: step.step.config,
            isWelcome: step.step.config.id == app.manifest.welcome?.config.id, texts: step.step.texts,
            languages: languages, deadline: .now + timeout, environment: environment, scope: scope)
    }
}
