import BusTestSupport
import CSDBus
import Testing

@testable import DoorstepBus

/// Values through real messages, with nobody at the other end: a message needs a connection, but not a bus.
@Suite("Messages") struct MessageTests {
    private struct NoMessage: Error {}

    /// A message that can be filled, sealed and read, on a connection to a socket that says nothing.
    private static func withMessage(
        _ body: (UnsafePointer<csdbus>, OpaquePointer) throws -> Void
    ) async throws {
        let library = try #require(csdbus_load(), "install the package libsystemd0")
        try await withTemporaryDirectory { directory in
            let socket = try FakeSocket(at: directory + "/bus")
            var bus: OpaquePointer?
            var message: OpaquePointer?
            guard library.pointee.new(&bus) >= 0, let bus,
                library.pointee.set_address(bus, "unix:path=\(directory)/bus") >= 0, library.pointee.start(bus) >= 0,
                library.pointee.message_new_method_call(bus, &message, "a.b", "/", "a.b", "C") >= 0, let message
            else { throw NoMessage() }
            defer {
                _ = library.pointee.message_unref(message)
                _ = library.pointee.close_unref(bus)
            }
            try body(library, message)
            withExtendedLifetime(socket) {}
        }
    }

    private static func expectRoundTrip(_ values: [BusValue]) async throws {
        try await withMessage { library, message in
            try MessageWriter(library: library, message: message).append(values)
            #expect(library.pointee.message_seal(message, 1, 0) >= 0)
            var reader = MessageReader(library: library, message: message)
            #expect(reader.signature == values.map(\.signature).joined())
            #expect(try reader.values() == values)
        }
    }

    @Test func `every basic type is read as it was written, at its limits`() async throws {
        try await Self.expectRoundTrip([])
        try await Self.expectRoundTrip([.bool(true), .bool(false), .byte(.min), .byte(.max)])
        try await Self.expectRoundTrip([.int16(.min), .int16(.max), .uint16(.max), .int32(.min), .int32(.max)])
        try await Self.expectRoundTrip([.uint32(.max), .int64(.min), .int64(.max), .uint64(.max)])
        try await Self.expectRoundTrip([.double(-0.1), .double(.infinity), .double(.greatestFiniteMagnitude)])
        try await Self.expectRoundTrip([.string(""), .string("ä€😀"), .objectPath("/"), .objectPath("/a/b_1")])
        try await Self.expectRoundTrip([.signature(""), .signature("a{sv}s")])
    }

    @Test func `containers are read as they were written`() async throws {
        let interfaces: BusValue = .dictionary(
            key: "s", value: "a{sv}",
            [.string("org.bluez.Adapter1"): .dictionary(key: "s", value: "v", [.string("P"): .variant(.bool(true))])])
        try await Self.expectRoundTrip([
            .array(of: "y", [.byte(0), .byte(255)]), .array(of: "as", [.array(of: "s", []), .array(of: "s", [])]),
            .array(of: "(ub)", []),
            .dictionary(key: "u", value: "s", [.uint32(1): .string("a"), .uint32(2): .string("")]),
            .dictionary(key: "o", value: "a{sa{sv}}", [.objectPath("/org/bluez/hci0"): interfaces]),
            .structure([.structure([.byte(1)]), .string("x")]),
            .variant(.array(of: "v", [.variant(.variant(.byte(1)))])),
        ])
    }

    @Test func `nesting is written and read up to its limit`() async throws {
        try await Self.expectRoundTrip([nested(levels: BusValue.depthLimit)])
    }

    @Test func `nesting beyond the limit is refused by the writer`() async throws {
        try await Self.withMessage { library, message in
            #expect(throws: BusError.self) {
                try MessageWriter(library: library, message: message).append([nested(levels: BusValue.depthLimit + 1)])
            }
        }
    }

    @Test func `nesting beyond the limit is refused by the reader`() async throws {
        try await Self.withMessage { library, message in
            let variant = CChar(UInt8(ascii: "v"))
            let levels = BusValue.depthLimit + 1
            for level in 1...levels {
                let contents = level == levels ? "y" : "v"
                #expect(library.pointee.message_open_container(message, variant, contents) >= 0)
            }
            var byte: UInt8 = 1
            #expect(library.pointee.message_append_basic(message, CChar(UInt8(ascii: "y")), &byte) >= 0)
            for _ in 1...levels { #expect(library.pointee.message_close_container(message) >= 0) }
            #expect(library.pointee.message_seal(message, 1, 0) >= 0)
            var reader = MessageReader(library: library, message: message)
            let error = #expect(throws: BusError.self) { try reader.values() }
            guard case .invalidReply = error else {
                Issue.record("reading gave \(String(describing: error))")
                return
            }
        }
    }

    @Test func `a reply with more values than any answer needs is refused`() async throws {
        try await Self.withMessage { library, message in
            let bytes = BusValue.array(of: "y", Array(repeating: .byte(7), count: 100))
            try MessageWriter(library: library, message: message).append([bytes])
            #expect(library.pointee.message_seal(message, 1, 0) >= 0)
            var reader = MessageReader(library: library, message: message, valueLimit: 100)
            #expect(throws: BusError.self) { try reader.values() }
        }
    }

    @Test func `a signature longer than D-Bus allows isn't written`() async throws {
        try await Self.withMessage { library, message in
            let arguments = [BusValue](repeating: .byte(1), count: TypeSignature.lengthLimit + 1)
            #expect(throws: BusError.invalidCall("it has too many arguments")) {
                try MessageWriter(library: library, message: message).append(arguments)
            }
        }
    }

    @Test func `a library that isn't there or isn't libsystemd resolves to nothing`() {
        let table = UnsafeMutablePointer<csdbus>.allocate(capacity: 1)
        defer { table.deallocate() }
        #expect(csdbus_resolve("libdoorstep-none.so.0", table) == -1)
        #expect(csdbus_resolve("libc.so.6", table) == -1)
        #expect(csdbus_resolve("libsystemd.so.0", table) == 0)
    }
}
