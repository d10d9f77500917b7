import BusTestSupport
import Foundation
import Testing

@testable import DoorstepBus

extension RealBusTests {
    @Suite("Signals") struct Signals {
        private static let name = "org.example.Doorstep"

        @Test func `a service that comes and goes is told`() async throws {
            try await PrivateBus.run { bus in
                let client = BusClient(environment: bus.environment)
                defer { client.close() }
                let stream = try await client.signals(
                    .session, [.owner(of: Self.name)], deadline: .now + .seconds(20))
                var signals = stream.makeAsyncIterator()
                try await MockService.run(on: bus) { _ in
                    let came = try #require(await signals.next())
                    #expect(came.member == "NameOwnerChanged")
                    #expect(came.arguments.first?.string == Self.name)
                    #expect(came.arguments.last?.string?.hasPrefix(":") == true)
                }
                let left = try #require(await signals.next())
                #expect(left.arguments.last?.string == "")
            }
        }

        @Test func `a changed property is told by its service's name, and another's isn't`() async throws {
            try await PrivateBus.run { bus in
                try await MockService.run(["org.example.A", Self.name], on: bus) { services in
                    let client = BusClient(environment: bus.environment)
                    defer { client.close() }
                    let stream = try await client.signals(
                        .session, [.properties(of: Self.name, interface: MockService.interface)],
                        deadline: .now + .seconds(20))
                    for service in services {
                        _ = try await client.call(
                            .session, destination: service.name, path: MockService.path,
                            interface: "org.freedesktop.DBus.Properties", member: "Set",
                            arguments: [
                                .string(MockService.interface), .string("Label"), .variant(.string(service.name)),
                            ], deadline: .now + .seconds(20))
                    }
                    var signals = stream.makeAsyncIterator()
                    let changed = try #require(await signals.next())
                    #expect(changed.arguments.dropFirst().first?.dictionary?["Label"]?.string == Self.name)
                }
            }
        }

        @Test func `without a bus there is nothing to listen to`() async throws {
            let client = BusClient(environment: [:])
            defer { client.close() }
            await #expect(throws: BusError.unavailable(.session, .noAddress)) {
                try await client.signals(.session, [.owner(of: Self.name)], deadline: .now + .seconds(20))
            }
        }

        @Test func `a stopped bus costs the deadline`() async throws {
            try await PrivateBus.run { bus in
                bus.daemon.stop()
                let client = BusClient(environment: bus.environment)
                defer { client.close() }
                await #expect(throws: BusError.timeout) {
                    try await client.signals(
                        .session, [.owner(of: Self.name)], deadline: .now + .milliseconds(300))
                }
            }
        }

        @Test func `a stream ends with its client, and with its bus`() async throws {
            for endsBus in [false, true] {
                try await PrivateBus.run { bus in
                    let client = BusClient(environment: bus.environment)
                    let stream = try await client.signals(
                        .session, [.owner(of: Self.name)], deadline: .now + .seconds(20))
                    if endsBus { bus.daemon.kill() } else { client.close() }
                    for await _ in stream {}
                    client.close()
                }
            }
        }

        @Test func `a reader who leaves takes its match back`() async throws {
            try await PrivateBus.run { bus in
                let client = BusClient(environment: bus.environment)
                defer { client.close() }
                func rules() async throws -> Int {
                    let stats = try await client.call(
                        .session, destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
                        interface: "org.freedesktop.DBus.Debug.Stats", member: "GetConnectionStats",
                        arguments: [.string(try await client.ownName(.session, deadline: .now + .seconds(20)))],
                        deadline: .now + .seconds(20))
                    return stats.first?.dictionary?["MatchRules"]?.integer ?? -1
                }
                let before = try await rules()
                do {
                    let stream = try await client.signals(
                        .session, [.owner(of: Self.name)], deadline: .now + .seconds(20))
                    try #expect(await rules() == before + 1)
                    withExtendedLifetime(stream) {}
                }
                // Taking it back is sent before the next question, but asked for by another thread.
                var after = try await rules()
                while after != before { after = try await rules() }
            }
        }

        @Test func `an apostrophe stays inside its value`() {
            #expect(BusMatch(member: "it's").rule == #"type='signal',member='it'\''s'"#)
            #expect(BusMatch(member: "it'\u{301}s").rule == "type='signal',member='it'\\''\u{301}s'")
        }
    }
}
