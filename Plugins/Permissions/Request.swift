internal import DoorstepBus
internal import DoorstepPluginKit

/// Asking the user through the platform: what `perform` does, and no check ever.
///
/// A request starts the service that asks, if the bus can, and waits for the user. It keeps its own connection to the end:
/// a portal takes a connection that closes for a "no", and stores that.
struct Request {
    /// How long a person may take.
    static var patience: Duration { .seconds(300) }

    let context: ProbeContext
    let client: BusClient

    /// Runs a request on a connection of its own.
    static func run<Value>(
        in context: ProbeContext, _ body: (Request) async throws(RequestError) -> Value
    ) async throws(RequestError) -> Value {
        let client = BusClient(environment: context.step.environment, isSandboxed: context.isSandboxed)
        defer { client.close() }
        return try await body(Request(context: context, client: client))
    }

    /// When a service must have answered that has nobody to ask.
    var deadline: ContinuousClock.Instant { .now + .seconds(10) }

    /// Makes sure that a service runs.
    ///
    /// - Throws: `.missing` where nobody owns the name and nobody could be started.
    func start(_ name: String, on bus: Bus) async throws(RequestError) {
        var canStart = true
        do throws(BusError) {
            if try await client.nameHasOwner(bus, name, deadline: deadline) { return }
            canStart = try await client.isActivatable(bus, name, deadline: deadline)
            if canStart {
                _ = try await client.call(
                    bus, destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
                    interface: "org.freedesktop.DBus", member: "StartServiceByName",
                    arguments: [.string(name), .uint32(0)], deadline: .now + .seconds(30))
            }
        } catch {
            throw .bus(error)
        }
        guard canStart else { throw .missing(name) }
    }

    /// Calls a method that may have to ask somebody first.
    func call(
        _ bus: Bus, _ name: String, _ path: String, _ method: String, _ arguments: [BusValue],
        deadline: ContinuousClock.Instant? = nil
    ) async throws(RequestError) -> [BusValue] {
        let parts = method.split(separator: ".")
        do throws(BusError) {
            return try await client.call(
                bus, destination: name, path: path, interface: parts.dropLast().joined(separator: "."),
                member: parts.last.map(String.init) ?? "", arguments: arguments, deadline: deadline ?? self.deadline)
        } catch {
            throw .bus(error)
        }
    }

    /// Begins something that answers with a signal, and waits for the first one.
    func signal(
        _ match: BusMatch, on bus: Bus, after begin: () async throws(RequestError) -> Void
    ) async throws(RequestError) -> BusSignal {
        let signals: AsyncStream<BusSignal>
        do throws(BusError) {
            signals = try await client.signals(bus, [match], deadline: deadline)
        } catch {
            throw .bus(error)
        }
        try await begin()
        let first = await withTaskGroup(of: BusSignal?.self) { group in
            group.addTask {
                for await signal in signals { return signal }
                return nil
            }
            group.addTask {
                try? await Task.sleep(for: Self.patience)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        guard let first else { throw .bus(.timeout) }
        return first
    }
}

/// Why the user couldn't be asked, or what they said.
enum RequestError: Error, Equatable {
    /// Nobody is there who could ask.
    case missing(String)
    /// The user said no, or closed the question.
    case declined
    /// The bus or the service failed.
    case bus(BusError)
}

/// The desktop portal's requests.
extension Request {
    static var portal: String { "org.freedesktop.portal.Desktop" }
    static var portalPath: String { "/org/freedesktop/portal/desktop" }

    /// Makes a portal request and waits for the user's answer.
    ///
    /// - Parameters:
    ///   - method: Interface and method, such as `org.freedesktop.portal.Camera.AccessCamera`.
    ///   - arguments: The arguments before the options.
    ///   - options: The options besides the token.
    func portal(
        _ method: String, _ arguments: [BusValue] = [], options: [String: BusValue] = [:]
    ) async throws(RequestError) {
        let own: String
        do throws(BusError) { own = try await client.ownName(.session, deadline: deadline) } catch { throw .bus(error) }
        let token = "doorstep\(UInt32.random(in: 0 ... .max))"
        // The path follows from our name and token, so that the answer can't come before we listen.
        let sender = String(own.dropFirst().map { $0 == "." ? "_" : $0 })
        let match = BusMatch(
            sender: Self.portal, path: "/org/freedesktop/portal/desktop/request/\(sender)/\(token)",
            interface: "org.freedesktop.portal.Request", member: "Response")
        let response = try await signal(match, on: .session) { () async throws(RequestError) in
            var options = options
            options["handle_token"] = .string(token)
            _ = try await call(.session, Self.portal, Self.portalPath, method, arguments + [.options(options)])
        }
        guard response.arguments.first?.uint32 == 0 else { throw .declined }
    }
}

extension BusValue {
    /// A dictionary of options, `a{sv}`.
    static func options(_ options: [String: BusValue]) -> BusValue {
        var entries: [BusValue: BusValue] = [:]
        for (key, value) in options { entries[.string(key)] = .variant(value) }
        return .dictionary(key: "s", value: "v", entries)
    }
}
