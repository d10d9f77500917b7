public import DoorstepJSON
public import DoorstepPluginKit

/// A plugin that is a program of its own, as a kind of step like any other.
public struct ExternalPlugin: StepPlugin {
    /// Where it was found, and what its description says.
    public let installed: InstalledPlugin

    /// A plugin that was found.
    public init(_ installed: InstalledPlugin) {
        self.installed = installed
    }

    /// The name that manifests use.
    public var kind: String { installed.description.kind }
    /// One line for people.
    public var summary: String { installed.description.summary }
    /// The options of its description's schema.
    public var optionHelp: [PluginOption] { installed.description.options.help }
    /// Every external kind can be asked.
    public var hasCheck: Bool { true }

    /// Checks the options against the description's schema; what the program itself says of them is asked when a
    /// manifest is validated or registered.
    public func options(from reader: JSONReader) -> JSONObject {
        reader.allowUnknownKeys()
        reader.add(installed.description.options.faults(in: .object(reader.object), at: reader.path))
        return reader.object
    }

    /// The time that its description names.
    public func timeout(_ options: JSONObject) -> Duration? { installed.description.timeout }

    /// The page that the program makes, else a plain one; the manifest's texts win.
    public func page(_ options: JSONObject, in context: StepContext) async -> StepPage {
        let answer = await connection(context).answer(
            to: .page(query(options, context)), until: context.deadline)
        switch answer {
        case .success(.page(let page)):
            return context.page(from: page)
        case .success(.error(let message)):
            return context.page(unmadeBy: self, because: message)
        case .success:
            return context.page(
                unmadeBy: self, because: "the plugin \"\(kind)\" answered with something else than a page")
        case .failure(.makesNoPages):
            return context.page(unmadeBy: self, because: nil)
        case .failure(let failure):
            return context.page(unmadeBy: self, because: sentence(failure))
        }
    }

    /// What the program says, or why it said nothing.
    public func satisfaction(_ options: JSONObject, in context: StepContext) async -> Satisfaction {
        let answer = await connection(context).answer(
            to: .check(query(options, context)), until: context.deadline)
        switch answer {
        case .success(.satisfaction(let satisfaction)): return satisfaction
        case .success(.error(let message)): return .cannotTell(message)
        case .success: return .cannotTell("the plugin \"\(kind)\" answered a check with something else")
        case .failure(let failure): return .cannotTell(sentence(failure))
        }
    }

    /// Lets the program do what the page's action stands for.
    ///
    /// - Throws: `PluginError` with the program's reason, or why it gave no answer.
    public func perform(_ action: String, _ options: JSONObject, in context: StepContext) async throws(PluginError) {
        // The host's own action on a page: nothing but another look.
        if action == StepContext.checkAgain { return }
        let answer = await connection(context).answer(
            to: .perform(action: action, query(options, context)), until: context.deadline)
        switch answer {
        case .success(.page): return
        case .success(.error(let message)): throw PluginError(message)
        case .success: throw PluginError("the plugin \"\(kind)\" answered an action with something else than a page")
        case .failure(.makesNoPages): throw PluginError("\"\(action)\" isn't something that \"\(kind)\" can do")
        case .failure(let failure): throw PluginError(sentence(failure))
        }
    }

    private func connection(_ context: StepContext) -> PluginConnection {
        context.scope.shared { PluginPass() }.connection(to: installed, environment: context.environment)
    }

    private func query(_ options: JSONObject, _ context: StepContext) -> StepQuery {
        let left = (context.deadline - .now) / .milliseconds(1)
        return StepQuery(
            kind: kind, app: context.app, step: context.step.id.rawValue, options: options,
            locale: context.languages.tags.first ?? "en", deadlineMilliseconds: max(0, Int(left)),
            satisfaction: context.satisfaction)
    }

    private func sentence(_ failure: PluginFailure) -> String {
        "the plugin \"\(kind)\" can't tell: \(failure.reason)"
    }
}

extension StepContext {
    /// The action of a page whose plugin offers none: the step is checked again.
    static let checkAgain = "doorstep-check-again"

    /// What a plugin's program says a page is, under the manifest's own texts.
    fileprivate func page(from page: PluginPage) -> StepPage {
        var made = self.page(
            title: LocalizedText(page.title), headline: page.headline.map { LocalizedText($0) }, icon: page.icon)
        if made.body.isEmpty { made.body = page.body }
        made.status = page.status ?? satisfaction?.evidence
        if let action = page.action {
            made.primary = .perform(
                action: action.name, title: .custom(texts.action.map(text) ?? action.title))
        } else {
            made.primary = lookAgain
        }
        return made
    }

    /// A page for a plugin that made none, which can be passed.
    package func page(unmadeBy plugin: some StepPlugin, because reason: String?) -> StepPage {
        var page = page(title: LocalizedText(plugin.summary))
        page.status = reason ?? satisfaction?.evidence
        page.primary = lookAgain
        return page
    }

    /// Going on from an unsatisfied page must not record it as granted, so its own action is another look.
    private var lookAgain: StepPage.Primary {
        if satisfaction?.isSatisfied == true { return .complete(title: texts.action.map(text)) }
        return .perform(action: Self.checkAgain, title: satisfaction == nil ? .next : .tryAgain)
    }
}
