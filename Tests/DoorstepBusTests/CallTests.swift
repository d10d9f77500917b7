import BusTestSupport
import Testing

@testable import DoorstepBus

/// Everything that needs a real bus runs one after another: each test starts daemons of its own.
@Suite(.serialized) enum RealBusTests {}

extension RealBusTests {
    @Suite("Calls to a service that answers") struct Calls {
        @Test func `a method's answer comes back as values`() async throws {
            try await withService { client, service in
                let answer = try await client.ask(service, "GetServerInformation", expecting: "ssss")
                #expect(answer == [.string("mock"), .string("doorstep"), .string("1.0"), .string("1.2")])
                let sum = try await client.ask(service, "Add", [.uint32(40), .uint32(2)], expecting: "u")
                #expect(sum.first?.uint32 == 42)
                let nothing = try await client.ask(service, "Nothing", expecting: "")
                #expect(nothing == [])
            }
        }

        @Test func `a nested value survives the way there and back`() async throws {
            try await withService { client, service in
                let value: BusValue = .structure([
                    .string("unix-session"),
                    .dictionary(
                        key: "s", value: "v",
                        [.string("id"): .variant(.array(of: "(ub)", [.structure([.uint32(7), .bool(true)])]))]),
                    .array(of: "s", []),
                ])
                let answer = try await client.ask(service, "Echo", [.variant(value)], expecting: "v")
                #expect(answer == [.variant(value)])
            }
        }

        @Test func `one property is read out of its variant`() async throws {
            try await withService { client, service in
                let version = try await client.property(
                    .session, destination: service.name, path: MockService.path, interface: MockService.interface,
                    name: "version", expecting: "u", deadline: .now + .seconds(20))
                #expect(version == .uint32(4))
            }
        }

        @Test func `a property of another type than expected is an invalid reply`() async throws {
            try await withService { client, service in
                await #expect(throws: BusError.invalidReply(expected: "b", found: "u")) {
                    try await client.property(
                        .session, destination: service.name, path: MockService.path, interface: MockService.interface,
                        name: "version", expecting: "b", deadline: .now + .seconds(20))
                }
            }
        }

        @Test func `all properties come by name`() async throws {
            try await withService { client, service in
                let properties = try await client.properties(
                    .session, destination: service.name, path: MockService.path, interface: MockService.interface,
                    deadline: .now + .seconds(20))
                #expect(properties["version"]?.uint32 == 4)
                #expect(properties["Label"]?.string == "a label")
                #expect(properties["Enabled"]?.bool == true)
                #expect(properties["Levels"]?.dictionary?["a"]?.array == [.int32(1), .int32(2)])
                #expect(properties.count == 4)
            }
        }

        @Test func `an answer of another type than expected is an invalid reply`() async throws {
            try await withService { client, service in
                await #expect(throws: BusError.invalidReply(expected: "u", found: "ssss")) {
                    try await client.ask(service, "GetServerInformation", expecting: "u")
                }
                await #expect(throws: BusError.invalidReply(expected: "u", found: "nothing")) {
                    try await client.ask(service, "Nothing", expecting: "u")
                }
            }
        }

        @Test func `a service's own error keeps its name and message`() async throws {
            try await withService { client, service in
                await #expect(throws: BusError.remote(name: "org.example.Error.Broken", message: "It broke.")) {
                    try await client.ask(service, "Fail")
                }
            }
        }

        @Test func `a method that isn't there is an unknown feature`() async throws {
            try await withService { client, service in
                let error = await #expect(throws: BusError.self) { try await client.ask(service, "NoSuchMethod") }
                #expect(error?.isUnknownFeature == true)
            }
        }

        @Test func `a call that D-Bus has no form for isn't sent, and the next one works`() async throws {
            try await withService { client, service in
                let refused: [BusValue] = [
                    .string("a\0b"), .objectPath("not a path"), .signature("!"), .array(of: "u", [.string("x")]),
                    .structure([]), .variant(.structure([])), .array(of: "()", []), .array(of: "", []),
                    .dictionary(key: "v", value: "s", [:]), .array(of: "s}", []),
                    nested(levels: BusValue.depthLimit + 1),
                ]
                for value in refused {
                    let error = await #expect(throws: BusError.self) { try await client.ask(service, "Echo", [value]) }
                    guard case .invalidCall = error else {
                        Issue.record("\(value) gave \(String(describing: error))")
                        continue
                    }
                }
                let error = await #expect(throws: BusError.self) { try await client.ask(service, "not a method") }
                guard case .invalidCall = error else {
                    Issue.record("a bad method name gave \(String(describing: error))")
                    return
                }
                let sum = try await client.ask(service, "Add", [.uint32(1), .uint32(1)])
                #expect(sum == [.uint32(2)])
            }
        }

        @Test func `the second address of a list is tried when the first is dead`() async throws {
            try await PrivateBus.run { bus in
                let address = "unix:path=\(bus.directory)/dead;" + bus.address
                let client = BusClient(environment: ["DBUS_SESSION_BUS_ADDRESS": address])
                defer { client.close() }
                let isOwned = try await client.nameHasOwner(
                    .session, "org.freedesktop.DBus", deadline: .now + .seconds(20))
                #expect(isOwned)
            }
        }

        @Test func `two buses are asked side by side`() async throws {
            try await PrivateBus.run { session in
                try await PrivateBus.run { system in
                    try await MockService.run(on: system) { service in
                        let client = BusClient(environment: [
                            "DBUS_SESSION_BUS_ADDRESS": session.address, "DBUS_SYSTEM_BUS_ADDRESS": system.address,
                        ])
                        defer { client.close() }
                        let deadline = ContinuousClock.now + .seconds(20)
                        async let onSession = client.nameHasOwner(.session, service.name, deadline: deadline)
                        async let onSystem = client.nameHasOwner(.system, service.name, deadline: deadline)
                        async let sum = client.ask(service, "Add", [.uint32(1), .uint32(2)], on: .system)
                        let answers = try await (onSession, onSystem, sum)
                        #expect(answers == (false, true, [.uint32(3)]))
                    }
                }
            }
        }
    }
}

/// A value of `levels` containers inside one another.
func nested(levels: Int) -> BusValue {
    var value = BusValue.byte(1)
    for _ in 0..<levels { value = .variant(value) }
    return value
}

/// A fresh client on a private bus with one mock service.
func withService(_ body: (BusClient, MockService) async throws -> Void) async throws {
    try await PrivateBus.run { bus in
        try await MockService.run(on: bus) { service in
            let client = BusClient(environment: bus.environment)
            defer { client.close() }
            try await body(client, service)
        }
    }
}
