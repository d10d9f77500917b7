/// The questions that most probes ask.
extension BusClient {
    /// Whether somebody owns `name` right now, as the bus daemon says: it answers even where the owner hangs.
    ///
    /// Inside a sandbox a proxy hides names, so `false` there doesn't mean that the service isn't installed.
    ///
    /// - Throws: `BusError` as `call` does.
    public func nameHasOwner(
        _ bus: Bus, _ name: String, deadline: ContinuousClock.Instant
    ) async throws(BusError) -> Bool {
        let call = MethodCall.toDaemon("NameHasOwner", [.string(name)], expecting: "b")
        return try await answer(to: call, on: bus, deadline: deadline).first?.bool ?? false
    }

    /// The names that are owned right now; those of connections, such as `:1.42`, are among them.
    ///
    /// - Throws: `BusError` as `call` does.
    public func names(_ bus: Bus, deadline: ContinuousClock.Instant) async throws(BusError) -> Set<String> {
        let call = MethodCall.toDaemon("ListNames", [], expecting: "as")
        return Set(try await answer(to: call, on: bus, deadline: deadline).first?.strings ?? [])
    }

    /// The names that the bus could start a service for. Asked once and shared by everybody who uses this client.
    ///
    /// - Throws: `BusError` as `call` does.
    public func activatableNames(
        _ bus: Bus, deadline: ContinuousClock.Instant
    ) async throws(BusError) -> Set<String> {
        Set(try await activatable(bus, deadline: deadline)?.strings ?? [])
    }

    /// Whether the bus could start a service for `name`, running or not.
    ///
    /// - Throws: `BusError` as `call` does.
    public func isActivatable(
        _ bus: Bus, _ name: String, deadline: ContinuousClock.Instant
    ) async throws(BusError) -> Bool {
        // Looked for in the answer as it is: a set of its own for every question would cost more than the look.
        guard case .array(_, let names) = try await activatable(bus, deadline: deadline) else { return false }
        return names.contains(.string(name))
    }

    private func activatable(_ bus: Bus, deadline: ContinuousClock.Instant) async throws(BusError) -> BusValue? {
        var call = MethodCall.toDaemon("ListActivatableNames", [], expecting: "as")
        call.isShared = true
        return try await answer(to: call, on: bus, deadline: deadline).first
    }

    /// The unique name of this client's connection, such as `:1.42`: how it names itself to a service that asks "for
    /// whom?".
    ///
    /// - Throws: `BusError` as `call` does.
    public func ownName(_ bus: Bus, deadline: ContinuousClock.Instant) async throws(BusError) -> String {
        var call = MethodCall.toDaemon("GetId", [], expecting: "s")
        call.asksForOwnName = true
        return try await answer(to: call, on: bus, deadline: deadline).first?.string ?? ""
    }

    /// The value of one property, out of the variant that it comes in.
    ///
    /// - Parameter signature: What the value itself must be, such as `"u"`, or nil for anything.
    /// - Throws: `BusError` as `call` does; a property that isn't there is a `.remote` error with `isUnknownFeature`.
    public func property(
        _ bus: Bus, destination: String, path: String, interface: String, name: String,
        expecting signature: String? = nil, deadline: ContinuousClock.Instant
    ) async throws(BusError) -> BusValue {
        let call = MethodCall(
            destination: destination, path: path, interface: MethodCall.propertiesInterface, member: "Get",
            arguments: [.string(interface), .string(name)], expected: "v")
        guard case .variant(let value)? = try await propertyAnswer(to: call, on: bus, deadline: deadline).first else {
            throw .invalidReply(expected: signature ?? "v", found: "nothing")
        }
        if let signature, value.signature != signature {
            throw .invalidReply(expected: signature, found: value.signature)
        }
        return value
    }

    /// All properties of an interface, by name and out of their variants.
    ///
    /// - Throws: `BusError` as `call` does.
    public func properties(
        _ bus: Bus, destination: String, path: String, interface: String, deadline: ContinuousClock.Instant
    ) async throws(BusError) -> [String: BusValue] {
        let call = MethodCall(
            destination: destination, path: path, interface: MethodCall.propertiesInterface, member: "GetAll",
            arguments: [.string(interface)], expected: "a{sv}")
        let properties = try await propertyAnswer(to: call, on: bus, deadline: deadline).first?.dictionary ?? [:]
        return properties.mapValues { value in
            if case .variant(let inner) = value { inner } else { value }
        }
    }

    /// The answer to a question about properties, in which a lacking one has one name of error.
    ///
    /// GLib's servers call it invalid arguments and say which in their user's language (ours are valid, so nothing else can
    /// be meant); some others have a name of their own for it.
    private func propertyAnswer(
        to call: MethodCall, on bus: Bus, deadline: ContinuousClock.Instant
    ) async throws(BusError) -> [BusValue] {
        do throws(BusError) {
            return try await answer(to: call, on: bus, deadline: deadline)
        } catch {
            guard case .remote(let name, let message) = error,
                name == "org.freedesktop.DBus.Error.InvalidArgs" || name.hasSuffix(".UnknownProperty")
                    || name.hasSuffix(".UnknownInterface")
            else { throw error }
            throw .remote(name: "org.freedesktop.DBus.Error.UnknownProperty", message: message)
        }
    }
}

extension MethodCall {
    static let propertiesInterface = "org.freedesktop.DBus.Properties"

    /// A question to the bus itself, which answers at once and starts nothing.
    static func toDaemon(_ member: String, _ arguments: [BusValue], expecting signature: String) -> MethodCall {
        MethodCall(
            destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
            member: member, arguments: arguments, expected: signature)
    }
}
