public import Doorstep
public import DoorstepJSON

/// A step's plugin together with the step's options, read once: what the registry works with.
public struct BoundStep: Sendable {
    /// The plugin's kind.
    public let kind: String
    /// Whether the step can be checked.
    public let hasCheck: Bool
    /// Of whom the check speaks.
    public let checkSubject: CheckSubject
    /// The options as the manifest gives them, byte for byte: for Swift's strings two spellings of one letter are equal, for
    /// the names of files they aren't.
    package let optionsText: [UInt8]
    /// How long a check may take, or nil for the pass's own limit.
    public let timeout: Duration?
    /// The keys under which the step keeps inputs.
    public let inputKeys: [String]

    private let makePage: @Sendable (StepContext) async -> Result<StepPage, PluginError>
    private let check: @Sendable (StepContext) async -> Satisfaction
    private let watch: @Sendable (StepContext) -> AsyncStream<Void>
    private let act: @Sendable (String, StepContext) async -> Result<Void, PluginError>

    /// Reads a step's options.
    ///
    /// - Throws: `JSONFaults`, every mistake in the options at once.
    public init(_ plugin: some StepPlugin, options: JSONObject, at path: JSONPath) throws(JSONFaults) {
        optionsText = Array(JSONValue.object(options).serialized(.compact).utf8)
        let options = try JSONReader.read(.object(options), at: path) { plugin.options(from: $0) }
        kind = plugin.kind
        hasCheck = plugin.hasCheck
        checkSubject = plugin.checkSubject
        timeout = plugin.timeout(options)
        inputKeys = plugin.inputKeys(options)
        // Stored closures answer with results, which keep the error's type.
        makePage = { context in
            do throws(PluginError) { return .success(try await plugin.page(options, in: context)) } catch {
                return .failure(error)
            }
        }
        check = { await plugin.satisfaction(options, in: $0) }
        watch = { plugin.changes(options, in: $0) }
        act = { action, context in
            do throws(PluginError) { return .success(try await plugin.perform(action, options, in: context)) } catch {
                return .failure(error)
            }
        }
    }

    /// The step's page.
    ///
    /// - Throws: ``PluginError``.
    public func page(in context: StepContext) async throws(PluginError) -> StepPage {
        try await makePage(context).get()
    }

    /// Whether the step is satisfied outside the flow.
    public func satisfaction(in context: StepContext) async -> Satisfaction {
        await check(context)
    }

    /// A value each time that the check may have another answer now; see ``StepPlugin/changes(_:in:)``.
    public func changes(in context: StepContext) -> AsyncStream<Void> {
        watch(context)
    }

    /// Does what a page's action stands for.
    ///
    /// - Throws: ``PluginError``.
    public func perform(_ action: String, in context: StepContext) async throws(PluginError) {
        try await act(action, context).get()
    }
}
