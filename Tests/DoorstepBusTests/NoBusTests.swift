import BusTestSupport
import Foundation
import Testing

@testable import DoorstepBus

@Suite("Where there is no bus") struct NoBusTests {
    private static func error(_ environment: [String: String], bus: Bus = .session) async -> BusError? {
        let client = BusClient(environment: environment)
        defer { client.close() }
        return await #expect(throws: BusError.self) {
            try await client.nameHasOwner(bus, "org.example.Nobody", deadline: .now + .seconds(20))
        }
    }

    @Test(arguments: [[:], ["DBUS_SESSION_BUS_ADDRESS": "", "XDG_RUNTIME_DIR": ""], ["XDG_RUNTIME_DIR": "relative"]])
    func `an environment that names no session bus has none`(environment: [String: String]) async {
        #expect(await Self.error(environment) == .unavailable(.session, .noAddress))
    }

    @Test(arguments: [
        "garbage", "disabled:", "autolaunch:", "tcp:host=localhost,port=1", "launchd:env=X", "x-machine-unix:machine=a",
        ";;", "UNIX:path=/nowhere", " unix:path=/nowhere", "unix:", "unix:nothing=here", "unix:path=%zz",
    ])
    func `an address that is no socket is unsupported`(address: String) async {
        let error = await Self.error(["DBUS_SESSION_BUS_ADDRESS": address])
        #expect(error == .unavailable(.session, .unsupportedAddress))
    }

    @Test func `an address that would start a program starts none`() async throws {
        try await withTemporaryDirectory { directory in
            let marker = directory + "/started"
            for prefix in ["", "unix:path=\(directory)/dead;"] {
                let address = prefix + "unixexec:path=/usr/bin/touch,argv1=\(marker)"
                let error = await Self.error(["DBUS_SESSION_BUS_ADDRESS": address])
                #expect(error?.isUnavailable == true)
            }
            #expect(!FileManager.default.fileExists(atPath: marker))
        }
    }

    @Test func `a path without a socket has no bus`() async throws {
        try await withTemporaryDirectory { directory in
            let address = "unix:path=\(directory)/bus"
            #expect(await Self.error(["DBUS_SESSION_BUS_ADDRESS": address]) == .unavailable(.session, .noSocket))
            #expect(await Self.error(["XDG_RUNTIME_DIR": directory]) == .unavailable(.session, .noSocket))
            let system = await Self.error(["DBUS_SYSTEM_BUS_ADDRESS": address], bus: .system)
            #expect(system == .unavailable(.system, .noSocket))
        }
    }

    @Test func `a socket that its listener left behind refuses`() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/bus"
            do { _ = try FakeSocket(at: path) }
            #expect(await Self.error(["XDG_RUNTIME_DIR": directory]) == .unavailable(.session, .refused))
        }
    }

    @Test(arguments: ["REJECTED DBUS_COOKIE_SHA1\r\n", ""])
    func `a bus that turns this user away belongs to another`(answer: String) async throws {
        try await withTemporaryDirectory { directory in
            let socket = try FakeSocket(at: directory + "/bus")
            socket.answerOnce(with: answer)
            #expect(await Self.error(["XDG_RUNTIME_DIR": directory]) == .unavailable(.session, .notAllowed))
            withExtendedLifetime(socket) {}
        }
    }

    @Test(arguments: ["what?\r\nno\r\n", FakeSocket.welcome + String(repeating: "nonsense", count: 40)])
    func `a socket that talks nonsense is no bus`(answer: String) async throws {
        try await withTemporaryDirectory { directory in
            let socket = try FakeSocket(at: directory + "/bus")
            socket.answerOnce(with: answer, thenHangUp: false)
            #expect(await Self.error(["XDG_RUNTIME_DIR": directory])?.isUnavailable == true)
            withExtendedLifetime(socket) {}
        }
    }

    @Test func `a machine without the library has no bus`() async {
        let client = BusClient(environment: ["XDG_RUNTIME_DIR": "/nowhere"], load: { nil })
        await #expect(throws: BusError.unavailable(.session, .noLibrary)) {
            try await client.nameHasOwner(.session, "org.example.Nobody", deadline: .now + .seconds(20))
        }
    }
}

@Suite("Bus addresses") struct BusAddressTests {
    @Test func `a runtime directory is escaped into an address`() throws {
        let address = try BusAddress(of: .session, in: ["XDG_RUNTIME_DIR": "/run/user/a b;c%é"])
        #expect(address.text == "unix:path=/run/user/a%20b%3bc%25%c3%a9/bus")
    }

    @Test func `an address variable wins over the runtime directory`() throws {
        let environment = ["XDG_RUNTIME_DIR": "/run/user/1", "DBUS_SESSION_BUS_ADDRESS": "unix:abstract=x,guid=1"]
        #expect(try BusAddress(of: .session, in: environment).text == "unix:abstract=x,guid=1")
    }

    @Test func `only the sockets of an address list are kept, in order`() throws {
        let list = "tcp:host=a;unix:path=/b;unixexec:path=/c;;unix:path=/d;"
        let address = try BusAddress(of: .session, in: ["DBUS_SESSION_BUS_ADDRESS": list])
        #expect(address.text == "unix:path=/b;unix:path=/d")
    }

    @Test func `the system bus has a place of its own by default`() throws {
        let address = try BusAddress(of: .system, in: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/b"])
        #expect(address.text == "unix:path=/run/dbus/system_bus_socket")
    }
}
