internal import DoorstepBus
internal import DoorstepPluginKit

/// A probe as a step: the options that all checks share, the page, and what an answer means.
struct PermissionPlugin<Probe: PermissionProbe>: StepPlugin {
    struct Options: Sendable {
        var check: CheckOptions
        var portalID: String?
        var own: Probe.Options
    }

    /// The one action of a permission's page. It does nothing but have the step checked again: the grant itself is given
    /// elsewhere, in the system's settings or by the app's own request.
    static var checkAgain: String { "check" }

    private let probe: Probe
    private let machine: Machine

    init(_ probe: Probe, on machine: Machine) {
        self.probe = probe
        self.machine = machine
    }

    var kind: String { probe.kind }
    var summary: String { probe.summary }
    var hasCheck: Bool { true }

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
        page.status = context.satisfaction?.evidence
        // Going on from an unsatisfied page must not record it as granted, so its own action is another look.
        if context.satisfaction?.isSatisfied != true {
            page.primary = .perform(action: Self.checkAgain, title: context.satisfaction == nil ? .next : .tryAgain)
        }
        return page
    }

    func satisfaction(_ options: Options, in context: StepContext) async -> Satisfaction {
        let probing = ProbeContext(step: context, machine: machine, portalID: options.portalID)
        let finding: Finding
        do throws(BusError) {
            finding = try await probe.finding(options.own, in: probing)
        } catch {
            finding = Finding(error)
        }
        return options.check.acceptance.satisfaction(finding.status, basis: finding.basis, evidence: finding.evidence)
    }

    func perform(_ action: String, _ options: Options, in context: StepContext) async throws(PluginError) {
        guard action == Self.checkAgain else {
            throw PluginError("\"\(action)\" isn't something that a step of the kind \"\(kind)\" can do")
        }
    }
}
