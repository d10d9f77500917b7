import BusTestSupport
import Foundation
import Glibc
import Testing

@testable import DoorstepBus

/// What a client leaves behind is counted in a process of its own, since other tests open files and start threads too.
@Suite("What a client leaves behind") struct LifetimeTests {
    @Test func `the library is loaded by the first call and not before`() async {
        await #expect(processExitsWith: .success) {
            #expect(!Self.isLibraryLoaded)
            let client = BusClient(environment: ["XDG_RUNTIME_DIR": "/nowhere"])
            #expect(!Self.isLibraryLoaded)
            await #expect(throws: BusError.unavailable(.session, .noSocket)) {
                try await client.nameHasOwner(.session, "org.example.A", deadline: .now + .seconds(20))
            }
            #expect(Self.isLibraryLoaded)
        }
    }

    @Test func `no thread and no descriptor outlive their client`() async {
        await #expect(processExitsWith: .success) {
            try await PrivateBus.run { bus in
                // The first round opens what the process keeps for good.
                for round in 0..<4 {
                    let before = Self.descriptors
                    do {
                        let client = BusClient(environment: bus.environment)
                        _ = try await client.nameHasOwner(.session, "org.example.A", deadline: .now + .seconds(20))
                        #expect(Self.busThreads == 1)
                        #expect(Self.descriptors.isStrictSuperset(of: before))
                        if round % 2 == 0 { client.close() }
                    }
                    Self.expectQuiet(descriptors: round == 0 ? nil : before)
                }
            }
        }
    }

    @Test func `a client that hangs in its connection goes without waiting`() async {
        await #expect(processExitsWith: .success) {
            try await withTemporaryDirectory { directory in
                let socket = try FakeSocket(at: directory + "/bus")
                let before = Self.descriptors
                let client = BusClient(environment: ["XDG_RUNTIME_DIR": directory])
                let deadline = ContinuousClock.now + .seconds(600)
                let task = Task { try await client.nameHasOwner(.session, "org.example.A", deadline: deadline) }
                while Self.busThreads == 0 { sched_yield() }
                client.close()
                await #expect(throws: BusError.disconnected) { try await task.value }
                Self.expectQuiet(descriptors: before)
                #expect(ContinuousClock.now < deadline)
                withExtendedLifetime(socket) {}
            }
        }
    }

    @Test func `many calls that give up leave nothing on the connection`() async {
        await #expect(processExitsWith: .success) {
            try await withTemporaryDirectory { directory in
                let socket = try FakeSocket(at: directory + "/bus")
                let before = Self.descriptors
                do {
                    let client = BusClient(environment: ["XDG_RUNTIME_DIR": directory])
                    await withTaskGroup(of: Void.self) { group in
                        for index in 0..<200 {
                            group.addTask {
                                _ = try? await client.nameHasOwner(
                                    .session, "org.example.A", deadline: .now + .milliseconds(index % 50))
                            }
                        }
                    }
                }
                Self.expectQuiet(descriptors: before)
                withExtendedLifetime(socket) {}
            }
        }
    }

    private static var isLibraryLoaded: Bool {
        // Read to its end by hand: Foundation stops at a short read, which is how the kernel hands this file out.
        let descriptor = open("/proc/self/maps", O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        var maps: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(descriptor, &chunk, chunk.count), count > 0 { maps += chunk[..<count] }
        return String(decoding: maps, as: UTF8.self).contains("libsystemd")
    }

    /// The open descriptors with what they lead to. Timers are left out: Dispatch opens those when it needs them.
    private static var descriptors: Set<String> {
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        var descriptors: Set<String> = []
        for number in numbers {
            // The descriptor that reading the list took is gone by now.
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + number)
            else { continue }
            if !target.contains("[timerfd]") { descriptors.insert("\(number) \(target)") }
        }
        return descriptors
    }

    private static var busThreads: Int {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        let names = tasks.map { try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8) }
        return names.filter { $0 == "doorstep-bus\n" }.count
    }

    /// Waits, at most ten seconds, until no bus thread is left and no descriptor that wasn't open before.
    private static func expectQuiet(descriptors before: Set<String>?) {
        let limit = ContinuousClock.now + .seconds(10)
        func added() -> Set<String> { before.map { descriptors.subtracting($0) } ?? [] }
        while busThreads > 0 || !added().isEmpty, ContinuousClock.now < limit { sched_yield() }
        #expect(busThreads == 0)
        #expect(added() == [])
    }
}
