internal import Doorstep
internal import DoorstepJSON
internal import Glibc
internal import Synchronization

/// Serves plugins to a host over standard input and output: what the `main` of a plugin program calls.
///
/// ```swift
/// import DoorstepPluginKit
///
/// await PluginServer.serve(RoomPlugin())
/// ```
///
/// The same `StepPlugin` works in the host's process and behind this. Standard error is the plugin's log.
public enum PluginServer {
    /// Answers requests, side by side, until the input ends; then what still runs is cancelled.
    ///
    /// A message that can't be read is reported on standard error and costs only itself.
    public static func serve(_ plugins: any StepPlugin...) async {
        await serve(plugins, from: STDIN_FILENO, to: STDOUT_FILENO)
    }

    /// Answers requests from one descriptor on another.
    static func serve(_ plugins: [any StepPlugin], from input: Int32, to output: Int32) async {
        signal(SIGPIPE, SIG_IGN)
        let desk = PluginDesk(plugins: plugins, output: output)
        var splitter = LineSplitter()
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        reading: while true {
            let count = buffer.withUnsafeMutableBytes { read(input, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count <= 0 { break }
            splitter.append(buffer[..<count])
            while true {
                do throws(PluginMessageError) {
                    guard let line = try splitter.next() else { break }
                    desk.take(line)
                } catch {
                    desk.log(error.message)
                    break reading
                }
            }
        }
        desk.cancelAll()
    }
}

/// What a serving plugin has in hand.
private final class PluginDesk: Sendable {
    private let plugins: [String: any StepPlugin]
    private let output: Int32
    private let environment: [String: String]
    private let scope = PassScope()
    private let running = Mutex<[Int: Task<Void, Never>]>([:])
    private let writing = Mutex(())

    init(plugins: [any StepPlugin], output: Int32) {
        self.plugins = Dictionary(plugins.map { ($0.kind, $0) }, uniquingKeysWith: { first, _ in first })
        self.output = output
        self.environment = Self.environment()
    }

    func take(_ line: [UInt8]) {
        let message: HostMessage
        do throws(PluginMessageError) {
            message = try HostMessage(line: line)
        } catch {
            log(error.message)
            return
        }
        switch message {
        case .cancel(let id):
            running.withLock { $0.removeValue(forKey: id) }?.cancel()
        case .request(let request):
            // Under the lock, so that a quick answer can't come before its task is noted.
            running.withLock { running in
                running[request.id] = Task {
                    let answer = await self.answer(request.call)
                    if self.running.withLock({ $0.removeValue(forKey: request.id) }) != nil {
                        self.write(PluginMessage(id: request.id, answer: answer).line + "\n")
                    }
                }
            }
        }
    }

    func cancelAll() {
        for task in running.withLock({ Array($0.values) }) { task.cancel() }
    }

    func log(_ message: String) {
        var text = "plugin: \(message)\n"
        text.withUTF8 { bytes in _ = Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
    }

    private func answer(_ call: PluginRequest.Call) async -> PluginMessage.Answer {
        switch call {
        case .hello(let version, _):
            if version != PluginProtocol.version { log("the host speaks protocol \(version)") }
            return .hello(PluginHello(kinds: plugins.keys.sorted(), features: [PluginProtocol.pageFeature]))
        case .validate(let kind, let options):
            return validate(kind, options)
        case .check(let query):
            switch bound(query.kind, query.options) {
            case .failure(let error): return .error(error.message)
            case .success(let step): return .satisfaction(await step.satisfaction(in: context(query)))
            }
        case .page(let query):
            return await page(query)
        case .perform(let action, let query):
            switch bound(query.kind, query.options) {
            case .failure(let error): return .error(error.message)
            case .success(let step):
                do throws(PluginError) {
                    try await step.perform(action, in: context(query))
                } catch {
                    return .error(error.message)
                }
                return await page(query)
            }
        case .unknown(let method):
            return .error("this plugin has no method \"\(method)\"")
        }
    }

    private func page(_ query: StepQuery) async -> PluginMessage.Answer {
        switch bound(query.kind, query.options) {
        case .failure(let error): return .error(error.message)
        case .success(let step):
            let context = context(query)
            do throws(PluginError) {
                return .page(PluginPage(try await step.page(in: context), languages: context.languages))
            } catch {
                return .error(error.message)
            }
        }
    }

    private func validate(_ kind: String, _ options: JSONObject) -> PluginMessage.Answer {
        guard let plugin = plugins[kind] else { return .error("this plugin has no kind \"\(kind)\"") }
        do throws(JSONFaults) {
            _ = try BoundStep(plugin, options: options, at: .root)
            return .valid
        } catch {
            return .faults(error.faults.map { PluginOptionFault(path: $0.path.pointer, message: $0.message) })
        }
    }

    private func bound(_ kind: String, _ options: JSONObject) -> Result<BoundStep, PluginError> {
        guard let plugin = plugins[kind] else { return .failure(PluginError("this plugin has no kind \"\(kind)\"")) }
        do throws(JSONFaults) {
            return .success(try BoundStep(plugin, options: options, at: .root))
        } catch {
            return .failure(PluginError("the options are invalid: \(error.faults[0])"))
        }
    }

    private func context(_ query: StepQuery) -> StepContext {
        StepContext(
            app: query.app, appName: query.app, step: OnboardingStepConfig(id: OnboardingStepID(query.step)),
            languages: LanguagePreferences([query.locale]),
            deadline: .now + .milliseconds(query.deadlineMilliseconds), environment: environment, scope: scope,
            satisfaction: query.satisfaction)
    }

    private func write(_ line: String) {
        writing.withLock { _ in
            var line = line
            line.withUTF8 { bytes in
                var count = 0
                while count < bytes.count {
                    let put = Glibc.write(output, bytes.baseAddress! + count, bytes.count - count)
                    if put < 0, errno == EINTR { continue }
                    // A host that is gone wants no answer.
                    if put <= 0 { return }
                    count += put
                }
            }
        }
    }

    private static func environment() -> [String: String] {
        var variables: [String: String] = [:]
        var entry = environ
        while let text = entry.pointee {
            let pair = String(cString: text)
            if let equals = pair.firstIndex(of: "=") {
                variables[String(pair[..<equals])] = String(pair[pair.index(after: equals)...])
            }
            entry += 1
        }
        return variables
    }
}

extension JSONPath {
    /// The path as a JSON pointer (RFC 6901).
    fileprivate var pointer: String {
        elements.map { element in
            switch element {
            case .index(let index): "/\(index)"
            case .key(let key): "/" + key.replacing("~", with: "~0").replacing("/", with: "~1")
            }
        }.joined()
    }
}
