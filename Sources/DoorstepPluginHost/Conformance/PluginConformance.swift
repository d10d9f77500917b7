internal import CSpawn
public import DoorstepJSON
internal import DoorstepPluginKit
internal import Glibc

/// A run through everything that the protocol asks of a plugin, with a verdict for each point.
///
/// It is what `doorstep plugin check` prints, and what a test of a plugin of one's own can ask for:
///
/// ```swift
/// let verdicts = PluginConformance(try InstalledPlugin(kind: "room", in: directory)).run()
/// #expect(verdicts.filter { !$0.isGood } == [])
/// ```
///
/// Nothing but the plugin's own check, page and validation is asked; no action is performed. It blocks, for a few times
/// the plugin's own timeout at most.
public struct PluginConformance: Sendable {
    /// How long a plugin may take to start and to exit.
    private static let courtesy = Duration.seconds(15)
    /// How long an answer that shouldn't come is waited for.
    private static let silence = Duration.milliseconds(100)
    /// How many questions are put at once.
    private static let crowd = 20

    /// The plugin.
    public let plugin: InstalledPlugin
    /// The options of the step that is asked about.
    public let options: JSONObject
    /// The environment that the plugin sees its part of.
    public let environment: [String: String]

    /// A run over a plugin.
    ///
    /// - Parameters:
    ///   - options: The options of the step that is asked about; by default what the description's schema gives as
    ///     defaults and examples, else the least that it accepts.
    ///   - environment: The environment that the plugin sees its part of.
    public init(_ plugin: InstalledPlugin, options: JSONObject? = nil, environment: [String: String] = [:]) {
        self.plugin = plugin
        self.options = options ?? LeastOptions.object(for: plugin.description.options)
        self.environment = environment
    }

    /// Runs every point, each with a process of its own; a plugin that doesn't greet is asked nothing more.
    public func run() -> [ConformanceVerdict] {
        let first = [verdict(Self.points[0]), verdict(Self.points[1])]
        return first + (first[1].isGood ? Self.points.dropFirst(2).map(verdict) : [])
    }

    /// Runs one point.
    package func verdict(on name: String) -> ConformanceVerdict? {
        Self.points.first { $0.name == name }.map(verdict)
    }

    /// Something that the protocol asks for, and how it is tried.
    private struct Point {
        let name: String
        let isMet: (PluginConformance) -> () throws(Finding) -> Void

        init(_ name: String, _ isMet: @escaping (PluginConformance) -> () throws(Finding) -> Void) {
            self.name = name
            self.isMet = isMet
        }
    }

    private static var points: [Point] {
        [
            Point("has options that fit its own schema", optionsFit),
            Point("says hello", hello),
            Point("ignores fields that it doesn't know", unknownFields),
            Point("answers a check in time, with evidence", check),
            Point("says what it makes of options", validate),
            Point("answers \(crowd) questions at once, each once", crowdOfQuestions),
            Point("goes on after a method that it doesn't know", unknownMethod),
            Point("goes on after a line that is no JSON", garbage),
            Point("reads a long line", longLine),
            Point("goes on after a cancellation", cancellation),
            Point("makes a page", page),
            Point("exits at the end of its input", endOfInput),
            Point("leaves no process behind", leftovers),
        ]
    }

    /// Why a point isn't met, or doesn't count.
    private enum Finding: Error {
        case failed(String)
        case skipped(String)
    }

    private func verdict(_ point: Point) -> ConformanceVerdict {
        do throws(Finding) {
            try point.isMet(self)()
            return ConformanceVerdict(point: point.name, outcome: .passed)
        } catch {
            switch error {
            case .failed(let reason): return ConformanceVerdict(point: point.name, outcome: .failed(reason))
            case .skipped(let reason): return ConformanceVerdict(point: point.name, outcome: .skipped(reason))
            }
        }
    }

    // MARK: Points

    private func optionsFit() throws(Finding) {
        let faults = plugin.description.options.faults(in: .object(options), at: .root)
        if let fault = faults.first { throw .failed("\(fault); give options that fit with --option KEY=VALUE") }
    }

    private func hello() throws(Finding) {
        var talk = try start()
        try send(&talk, #"{"id":0,"hello":{"protocol":1,"host":"doorstep plugin check"}}"#)
        _ = try greeting(&talk)
        if case .success(let line?) = talk.line(within: Self.silence) {
            throw .failed("it said \(Self.quote(line)) without being asked")
        }
    }

    private func unknownFields() throws(Finding) {
        var talk = try start()
        try send(&talk, #"{"id":0,"hello":{"protocol":1,"host":"doorstep","future":[1,{"a":null}]},"more":true}"#)
        _ = try greeting(&talk)
        var question = checkLine(1)
        question.removeLast(2)
        try send(&talk, question + #","future":{"deep":[]}},"more":"\u00e9"}"#)
        try satisfaction(1, &talk)
    }

    private func check() throws(Finding) {
        var talk = try greeted()
        try send(&talk, checkLine(1))
        try satisfaction(1, &talk)
    }

    private func validate() throws(Finding) {
        var talk = try greeted()
        let request = PluginRequest(id: 1, call: .validate(kind: kind, options: options))
        try send(&talk, HostMessage.request(request).line)
        switch try answer(1, &talk) {
        case .valid: return
        case .faults(let faults):
            throw .failed(
                "it finds fault with the options that its own schema accepts: \(faults[0].path) \(faults[0].message)")
        case .error(let message): throw .failed("it answered validate with an error: \(message)")
        default: throw .failed("it answered validate with something else than valid or faults")
        }
    }

    private func crowdOfQuestions() throws(Finding) {
        var talk = try greeted()
        for id in 1...Self.crowd { try send(&talk, checkLine(id)) }
        var open = Set(1...Self.crowd)
        while !open.isEmpty {
            guard let message = try message(&talk) else {
                throw .failed("\(open.count) of \(Self.crowd) checks got no answer within \(limitText)")
            }
            if open.remove(message.id) == nil { throw .failed("it answered request \(message.id) twice, or unasked") }
        }
    }

    private func unknownMethod() throws(Finding) {
        var talk = try greeted()
        try send(&talk, #"{"id":1,"method-of-the-future":{"kind":"x"}}"#)
        try send(&talk, checkLine(2))
        guard var message = try message(&talk) else { throw .failed("it answered nothing after an unknown method") }
        if message.id == 1 {
            guard case .error = message.answer else { throw .failed("it answered an unknown method with no error") }
            guard let next = try self.message(&talk) else {
                throw .failed("it answered no check after an unknown method")
            }
            message = next
        }
        guard message.id == 2, case .satisfaction = message.answer else {
            throw .failed("it answered no check after an unknown method")
        }
    }

    private func garbage() throws(Finding) {
        var talk = try greeted()
        for line in ["this is no JSON", "", "[]", #"{"id":"#] { try send(&talk, line) }
        try send(&talk, checkLine(1))
        try satisfaction(1, &talk)
    }

    private func longLine() throws(Finding) {
        var talk = try greeted()
        var question = checkLine(1)
        question.removeLast(2)
        try send(&talk, question + #","future":""# + String(repeating: "x", count: 600_000) + "\"}}")
        try satisfaction(1, &talk)
    }

    private func cancellation() throws(Finding) {
        var talk = try greeted()
        try send(&talk, checkLine(1))
        try send(&talk, HostMessage.cancel(1).line)
        try send(&talk, HostMessage.cancel(77).line)
        try send(&talk, checkLine(2))
        // The answer may have crossed its cancellation.
        guard var message = try message(&talk) else { throw .failed("it answered nothing after a cancellation") }
        if message.id == 1 {
            guard let next = try self.message(&talk) else { throw .failed("it answered nothing after a cancellation") }
            message = next
        }
        guard message.id == 2 else { throw .failed("it answered request \(message.id) instead of 2") }
    }

    private func page() throws(Finding) {
        var talk = try start()
        try send(&talk, helloLine)
        guard try greeting(&talk).features.contains(PluginProtocol.pageFeature) else {
            throw .skipped("it leaves its pages to the host")
        }
        try send(&talk, HostMessage.request(PluginRequest(id: 1, call: .page(query))).line)
        switch try answer(1, &talk) {
        case .page: return
        case .error(let message): throw .failed("it answered page with an error: \(message)")
        default: throw .failed("it answered page with something else than a page")
        }
    }

    private func endOfInput() throws(Finding) {
        var talk = try greeted()
        guard let end = talk.finish(within: PluginExchange.courtesy) else {
            throw .failed("it didn't exit within a second of the end of its input; it would be killed")
        }
        if cspawn_exited(end.status) == 0 { throw .failed("signal \(cspawn_signal(end.status)) ended it") }
        let code = cspawn_code(end.status)
        if code != 0 { throw .failed("it exited with status \(code) at the end of its input; 0 is wanted") }
    }

    private func leftovers() throws(Finding) {
        var talk = try greeted()
        try send(&talk, checkLine(1))
        try satisfaction(1, &talk)
        guard let end = talk.finish(within: Self.courtesy) else { throw .skipped("it doesn't exit") }
        if end.left != 0 { throw .failed("processes that it had started were still running; they were killed") }
    }

    // MARK: Talking

    private var kind: String { plugin.description.kind }
    private var limit: Duration { plugin.description.timeout ?? .seconds(1) }
    private var limitText: String { "\(Int(limit / .milliseconds(1))) ms" }
    private var helloLine: String {
        HostMessage.request(
            PluginRequest(id: 0, call: .hello(version: PluginProtocol.version, host: PluginHost.name))
        ).line
    }

    private var query: StepQuery {
        StepQuery(
            kind: kind, app: "com.example.conformance", step: "com.example.conformance.step", options: options,
            locale: "en", deadlineMilliseconds: Int(limit / .milliseconds(1)))
    }

    private func checkLine(_ id: Int) -> String { HostMessage.request(PluginRequest(id: id, call: .check(query))).line }

    private func start() throws(Finding) -> PluginTalk {
        do throws(PluginRefusal) {
            return try PluginTalk(plugin, environment: environment)
        } catch {
            throw .failed(error.description)
        }
    }

    private func greeted() throws(Finding) -> PluginTalk {
        var talk = try start()
        try send(&talk, helloLine)
        _ = try greeting(&talk)
        return talk
    }

    private func send(_ talk: inout PluginTalk, _ line: String) throws(Finding) {
        if !talk.send(line) { throw .failed(talk.reason(else: "it didn't read \(Self.quote(Array(line.utf8)))")) }
    }

    private func greeting(_ talk: inout PluginTalk) throws(Finding) -> PluginHello {
        switch talk.message(within: Self.courtesy) {
        case .failure(let error): throw .failed("it answered hello wrongly: \(error.message)")
        case .success(nil): throw .failed(talk.reason(else: "it didn't answer hello"))
        case .success(let message?):
            guard message.id == 0, case .hello(let hello) = message.answer else {
                throw .failed("it answered hello with something else")
            }
            if let mismatch = hello.mismatch(with: kind) { throw .failed(mismatch) }
            return hello
        }
    }

    private func message(_ talk: inout PluginTalk) throws(Finding) -> PluginMessage? {
        switch talk.message(within: limit) {
        case .failure(let error): throw .failed("it broke the protocol: \(error.message)")
        case .success(let message): return message
        }
    }

    private func answer(_ id: Int, _ talk: inout PluginTalk) throws(Finding) -> PluginMessage.Answer {
        guard let message = try message(&talk) else {
            throw .failed(talk.reason(else: "no answer within \(limitText)"))
        }
        if message.id != id { throw .failed("it answered request \(message.id) instead of \(id)") }
        return message.answer
    }

    private func satisfaction(_ id: Int, _ talk: inout PluginTalk) throws(Finding) {
        switch try answer(id, &talk) {
        case .satisfaction: return
        case .error(let message): throw .failed("it answered a check with an error: \(message)")
        default: throw .failed("it answered a check with something else")
        }
    }

    private static func quote(_ line: [UInt8]) -> String {
        JSONValue.string(String(decoding: line.prefix(80), as: UTF8.self)).serialized(.compact)
    }
}
