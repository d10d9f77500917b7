import BusTestSupport
import Foundation
import Testing

@testable import DoorstepBus

extension RealBusTests {
    @Suite("Names and who owns them") struct Names {
        @Test func `an unknown name has no owner and a call to it says so`() async throws {
            try await PrivateBus.run { bus in
                let client = BusClient(environment: bus.environment)
                defer { client.close() }
                let deadline = ContinuousClock.now + .seconds(20)
                let isOwned = try await client.nameHasOwner(.session, "org.example.Nobody", deadline: deadline)
                let isActivatable = try await client.isActivatable(.session, "org.example.Nobody", deadline: deadline)
                #expect(!isOwned && !isActivatable)
                let error = await #expect(throws: BusError.self) {
                    try await client.call(
                        .session, destination: "org.example.Nobody", path: "/", interface: "org.example.I",
                        member: "M", deadline: deadline)
                }
                #expect(error?.isNotOwned == true)
            }
        }

        @Test func `a question never starts an activatable service`() async throws {
            try await PrivateBus.run { bus in
                let marker = bus.directory + "/started"
                try await bus.addActivatable("org.example.Sleeping", marker: marker)
                let client = BusClient(environment: bus.environment)
                defer { client.close() }
                let deadline = ContinuousClock.now + .seconds(20)
                let isOwned = try await client.nameHasOwner(.session, "org.example.Sleeping", deadline: deadline)
                let isActivatable = try await client.isActivatable(.session, "org.example.Sleeping", deadline: deadline)
                #expect(!isOwned && isActivatable)
                let error = await #expect(throws: BusError.self) {
                    try await client.property(
                        .session, destination: "org.example.Sleeping", path: "/", interface: "org.example.I",
                        name: "P", deadline: deadline)
                }
                #expect(error?.isNotOwned == true)
                #expect(!FileManager.default.fileExists(atPath: marker))
            }
        }

        @Test func `the activatable names are asked once and shared`() async throws {
            try await PrivateBus.run { bus in
                let client = BusClient(environment: bus.environment)
                defer { client.close() }
                let deadline = ContinuousClock.now + .seconds(20)
                let before = try await client.activatableNames(.session, deadline: deadline)
                try await bus.addActivatable("org.example.Later", marker: bus.directory + "/started")
                #expect(try await client.activatableNames(.session, deadline: deadline) == before)

                let nextPass = BusClient(environment: bus.environment)
                defer { nextPass.close() }
                let after = try await nextPass.activatableNames(.session, deadline: deadline)
                #expect(after.subtracting(before) == ["org.example.Later"])
            }
        }

        @Test func `a shared question outlives the caller who asked it first`() async throws {
            try await PrivateBus.run { bus in
                let client = BusClient(environment: bus.environment)
                defer { client.close() }
                let names = await withTaskGroup(of: Set<String>?.self) { group in
                    for index in 0..<20 {
                        group.addTask {
                            // Every second caller has no time at all.
                            let patience = index % 2 == 0 ? Duration.microseconds(1) : .seconds(20)
                            return try? await client.activatableNames(.session, deadline: .now + patience)
                        }
                    }
                    return await group.reduce(into: []) { $0.append($1) }
                }
                #expect(names.filter { $0?.contains("org.freedesktop.DBus") == true }.count >= 10)
            }
        }

        @Test func `a client knows its own name on the bus`() async throws {
            try await PrivateBus.run { bus in
                let client = BusClient(environment: bus.environment)
                defer { client.close() }
                let deadline = ContinuousClock.now + .seconds(20)
                let name = try await client.ownName(.session, deadline: deadline)
                #expect(name.hasPrefix(":1."))
                let isOwned = try await client.nameHasOwner(.session, name, deadline: deadline)
                #expect(isOwned)
            }
        }
    }
}
