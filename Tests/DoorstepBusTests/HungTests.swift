import BusTestSupport
import Foundation
import Glibc
import Testing

@testable import DoorstepBus

extension RealBusTests {
    @Suite("Services and buses that don't answer", .timeLimit(.minutes(1))) struct Hung {
        @Test func `a stopped service times out, and the connection still works`() async throws {
            try await withService { client, service in
                service.process.stop()
                await #expect(throws: BusError.timeout) {
                    try await client.ask(service, "GetServerInformation", within: .milliseconds(300))
                }
                let isOwned = try await client.nameHasOwner(.session, service.name, deadline: .now + .seconds(20))
                #expect(isOwned)
            }
        }

        @Test func `a stopped bus times out while connecting`() async throws {
            try await PrivateBus.run { bus in
                bus.daemon.stop()
                try await expectTimeout(bus.environment)
            }
        }

        @Test func `a bus that stops after connecting times out too`() async throws {
            try await PrivateBus.run { bus in
                let client = BusClient(environment: bus.environment)
                defer { client.close() }
                _ = try await client.nameHasOwner(.session, "org.example.A", deadline: .now + .seconds(20))
                bus.daemon.stop()
                await #expect(throws: BusError.timeout) {
                    try await client.nameHasOwner(.session, "org.example.A", deadline: .now + .milliseconds(300))
                }
            }
        }

        @Test func `a socket that never authenticates times out`() async throws {
            try await withTemporaryDirectory { directory in
                let socket = try FakeSocket(at: directory + "/bus")
                try await expectTimeout(["XDG_RUNTIME_DIR": directory])
                withExtendedLifetime(socket) {}
            }
        }

        @Test func `a bus that lets us in and then says nothing times out`() async throws {
            try await withTemporaryDirectory { directory in
                let socket = try FakeSocket(at: directory + "/bus")
                socket.answerOnce(with: FakeSocket.welcome, thenHangUp: false)
                try await expectTimeout(["XDG_RUNTIME_DIR": directory])
                withExtendedLifetime(socket) {}
            }
        }

        @Test func `a socket whose queue is full counts as one that doesn't answer`() async throws {
            try await withTemporaryDirectory { directory in
                let socket = try FakeSocket(at: directory + "/bus", backlog: 0)
                let connections = socket.fillQueue()
                defer { for connection in connections { close(connection) } }
                try await expectTimeout(["XDG_RUNTIME_DIR": directory])
                withExtendedLifetime(socket) {}
            }
        }

        @Test func `a deadline that is already past costs no connection`() async throws {
            try await PrivateBus.run { bus in
                let client = BusClient(environment: bus.environment)
                defer { client.close() }
                await #expect(throws: BusError.timeout) {
                    try await client.nameHasOwner(.session, "org.example.A", deadline: .now - .seconds(1))
                }
            }
        }

        @Test func `fifty calls with three stopped services cost one deadline`() async throws {
            try await PrivateBus.run { bus in
                try await MockService.run(
                    ["org.example.A", "org.example.B", "org.example.C", "org.example.D"], on: bus
                ) {
                    services in
                    for service in services.dropFirst() { service.process.stop() }
                    let client = BusClient(environment: bus.environment)
                    defer { client.close() }
                    typealias Sum = (result: Result<[BusValue], BusError>, end: ContinuousClock.Instant)
                    let sums = await withTaskGroup(of: Sum.self) { group in
                        for index in 0..<50 {
                            let service = services[index < 47 ? 0 : index - 46]
                            group.addTask {
                                do throws(BusError) {
                                    let arguments: [BusValue] = [.uint32(UInt32(index)), .uint32(1)]
                                    return (
                                        .success(
                                            try await client.ask(service, "Add", arguments, within: .seconds(10))), .now
                                    )
                                } catch {
                                    return (.failure(error), .now)
                                }
                            }
                        }
                        return await group.reduce(into: [Sum]()) { $0.append($1) }
                    }
                    let late = sums.filter { $0.result == .failure(.timeout) }.map(\.end).sorted()
                    try #require(late.count == 3)
                    // One after the other they would end ten seconds apart; a busy machine alone delays all three.
                    #expect(late[2] - late[0] < .seconds(10))
                    let answered = Set(sums.compactMap { try? $0.result.get().first?.uint32 })
                    #expect(answered == Set(1...47))
                }
            }
        }

        @Test func `equal questions of one pass are asked once, and of two passes twice`() async throws {
            try await PrivateBus.run { bus in
                let script = """
                    counts = []
                    import dbusmock.mockobject
                    dbusmock.mockobject.counts = counts
                    object("\(MockService.path)", "\(MockService.interface)",
                        [("Count", "u", "u", "counts.append(1); ret = len(counts)")])
                    """
                try await MockService.run("org.example.Doorstep", on: bus, script: script) { service in
                    for pass in [1, 3] as [UInt32] {
                        let client = BusClient(environment: bus.environment, sharesAnswers: true)
                        defer { client.close() }
                        for _ in 0..<3 {
                            async let first = client.ask(service, "Count", [.uint32(1)])
                            async let same = client.ask(service, "Count", [.uint32(1)])
                            let answers = try await [first, same].compactMap { $0.first?.uint32 }
                            #expect(answers == [pass, pass])
                        }
                        let other = try await client.ask(service, "Count", [.uint32(2)])
                        #expect(other.first?.uint32 == pass + 1)
                    }
                }
            }
        }

        @Test func `an error is an answer, too, and asked for once a pass`() async throws {
            try await PrivateBus.run { bus in
                let script = """
                    counts = []
                    import dbus, dbusmock.mockobject
                    dbusmock.mockobject.counts = counts
                    dbusmock.mockobject.error = dbus.exceptions.DBusException("no", name="org.example.No")
                    object("\(MockService.path)", "\(MockService.interface)",
                        [("Fail", "", "", "counts.append(1); raise error"), ("Count", "", "u", "ret = len(counts)")])
                    """
                try await MockService.run("org.example.Doorstep", on: bus, script: script) { service in
                    let client = BusClient(environment: bus.environment, sharesAnswers: true)
                    defer { client.close() }
                    for _ in 0..<3 {
                        await #expect(throws: BusError.remote(name: "org.example.No", message: "no")) {
                            try await client.ask(service, "Fail")
                        }
                    }
                    let count = try await client.ask(service, "Count")
                    #expect(count.first?.uint32 == 1)
                }
            }
        }

        @Test func `a cancelled task stops waiting`() async throws {
            try await withService { client, service in
                let task = Task { try await client.ask(service, "Announce", within: .seconds(60)) }
                let line = try await service.process.line(orElse: "the call never reached the service")
                #expect(line == "called")
                task.cancel()
                await #expect(throws: BusError.cancelled) { try await task.value }
            }
        }

        @Test func `a task that was cancelled before it asks gets no answer`() async throws {
            try await withService { client, service in
                let task = Task {
                    while !Task.isCancelled { await Task.yield() }
                    return try await client.ask(service, "GetServerInformation")
                }
                task.cancel()
                await #expect(throws: BusError.cancelled) { try await task.value }
            }
        }

        @Test func `a service that vanishes before it replies ends the wait`() async throws {
            try await withService { client, service in
                let error = await #expect(throws: BusError.self) { try await client.ask(service, "Vanish") }
                #expect(error?.isTimeout == true)
                guard case .remote("org.freedesktop.DBus.Error.NoReply", _) = error else {
                    Issue.record("the bus said \(String(describing: error))")
                    return
                }
            }
        }

        @Test func `a bus that dies ends every wait and stays dead`() async throws {
            try await PrivateBus.run { bus in
                try await MockService.run(on: bus) { service in
                    let client = BusClient(environment: bus.environment)
                    defer { client.close() }
                    await #expect(throws: BusError.disconnected) {
                        try await client.ask(service, "Kill", [.uint32(UInt32(bus.daemon.pid))])
                    }
                    await #expect(throws: BusError.disconnected) {
                        try await client.ask(service, "GetServerInformation")
                    }
                }
            }
        }

        @Test func `closing a client ends its waits`() async throws {
            try await withService { client, service in
                let task = Task { try await client.ask(service, "Announce", within: .seconds(60)) }
                _ = try await service.process.line(orElse: "the call never reached the service")
                client.close()
                await #expect(throws: BusError.disconnected) { try await task.value }
                await #expect(throws: BusError.disconnected) { try await client.ask(service, "Nothing") }
            }
        }

        private func expectTimeout(_ environment: [String: String]) async throws {
            let client = BusClient(environment: environment)
            defer { client.close() }
            await #expect(throws: BusError.timeout) {
                try await client.nameHasOwner(.session, "org.example.A", deadline: .now + .milliseconds(300))
            }
        }
    }
}
