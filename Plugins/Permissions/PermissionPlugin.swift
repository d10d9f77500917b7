internal import DoorstepBus
internal import DoorstepPluginKit

/// A probe as a step: the options that all checks share, the page, and what an answer means.
struct PermissionPlugin<Probe: PermissionProbe>: StepPlugin {
    struct Options: Sendable {
        var check: CheckOptions
        var portalID: String?
        var own: Probe.Options
    }

    /// What a page's primary action does: asks the platform, opens the desktop's settings, or nothing but have the step
    /// checked again, which follows every action anyway.
    enum Action: String {
        case ask, settings, check
    }

    private let probe: Probe
    private let machine: Machine

    init(_ probe: Probe, on machine: Machine) {
        self.probe = probe
        self.machine = machine
    }

    var kind: String { probe.kind }
    var summary: String { probe.summary }
    var hasCheck: Bool { true }
    var checkSubject: CheckSubject { probe.subject }

    var optionHelp: [PluginOption] {
        probe.optionHelp + CheckOptions.help + [
            PluginOption("portalID", "application ID", "the app's name for portals, where it isn't the app's ID")
        ]
    }

    func options(from reader: JSONReader) -> Options {
        Options(
            check: CheckOptions(from: reader), portalID: reader.optionalString("portalID"),
            own: probe.options(from: reader))
    }

    func timeout(_ options: Options) -> Duration? { options.check.timeout }

    func page(_ options: Options, in context: StepContext) async throws(PluginError) -> StepPage {
        var page = context.page(title: probe.title, icon: probe.icon)
        guard let satisfaction = context.satisfaction else {
            page.primary = .perform(action: Action.check.rawValue, title: .next)
            return page
        }
        page.status = StatusWords.text(
            satisfaction, own: probe.words(for: satisfaction.status, options.own), for: context.languages)
        // Going on from an unsatisfied page must not record it as granted, so its own action is never completing.
        if satisfaction.isSatisfied != true {
            let (action, title) = offer(for: satisfaction.status, options, in: probing(options, context))
            page.primary = .perform(action: action.rawValue, title: title)
        }
        return page
    }

    private func probing(_ options: Options, _ context: StepContext) -> ProbeContext {
        ProbeContext(step: context, machine: machine, portalID: options.portalID)
    }

    private func offer(
        for status: AuthorizationStatus, _ options: Options, in context: ProbeContext
    ) -> (Action, Phrase) {
        switch probe.remedy(for: status, options.own, in: context) {
        case .ask(let title): (.ask, title)
        case .settings where probe.settings?.command(in: context) != nil: (.settings, .openSettings)
        case .settings, .none: (.check, .tryAgain)
        }
    }

    func satisfaction(_ options: Options, in context: StepContext) async -> Satisfaction {
        let probing = probing(options, context)
        let finding: Finding
        do throws(BusError) {
            finding = try await probe.finding(options.own, in: probing)
        } catch {
            finding = Finding(error)
        }
        return options.check.acceptance.satisfaction(finding.status, basis: finding.basis, evidence: finding.evidence)
    }

    func changes(_ options: Options, in context: StepContext) -> AsyncStream<Void> {
        let probing = probing(options, context)
        return probing.changes(probe.watches(options.own, in: probing))
    }

    func perform(_ action: String, _ options: Options, in context: StepContext) async throws(PluginError) {
        switch Action(rawValue: action) {
        case .check: return
        case .ask:
            do throws(RequestError) {
                try await Request.run(in: probing(options, context)) { request throws(RequestError) in
                    try await probe.ask(options.own, with: request)
                }
            } catch {
                throw PluginError(StatusWords.text(error, for: context.languages))
            }
        case .settings:
            guard let command = probe.settings?.command(in: probing(options, context)),
                DetachedProgram.start(command, environment: context.environment)
            else { throw PluginError(StatusWords.noSettings(for: context.languages)) }
        case nil:
            throw PluginError("\"\(action)\" isn't something that a step of the kind \"\(kind)\" can do")
        }
    }
}
