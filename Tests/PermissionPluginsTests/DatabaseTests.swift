import BusTestSupport
import DoorstepBus
import DoorstepPluginKit
import Foundation
import Testing

@testable import PermissionPlugins

extension BusProbeTests {
    /// Files in GVDB's form, written by who really writes them.
    @Suite("Databases", .timeLimit(.minutes(1))) struct Databases {
        /// A dconf database with values of many types.
        private func database(in bench: ProbeBench, on bus: PrivateBus) throws -> [UInt8] {
            let keys = """
                [org/example]
                on=true
                off=false
                text='words'
                number=7
                texts=['a', '', 'three']
                nested=(true, <@a{sas} {'a': ['b', 'c'], 'd': []}>, 'last', uint32 4)
                long=['\(String(repeating: "x", count: 300))', 'y']
                empty=@as []
                """
            try bench.write(keys, to: "/keys/00")
            try bench.runTool("dconf", "compile", bench.directory + "/database", bench.directory + "/keys", on: bus)
            return Array(try #require(FileManager.default.contents(atPath: bench.directory + "/database")))
        }

        @Test func `values are read as they were written`() async throws {
            try await ProbeBench.run { bench, session, _ in
                let table = try GVDBTable(try database(in: bench, on: session))
                func value(_ key: String) throws -> GVariant? { try table.value("/org/example/" + key) }
                #expect(try value("on") == .bool(true))
                #expect(try value("off") == .bool(false))
                #expect(try value("text") == .text("words"))
                #expect(try value("number") == .other)
                #expect(try value("texts")?.texts == ["a", "", "three"])
                #expect(try value("empty")?.texts == [])
                #expect(try value("long")?.texts?.map(\.count) == [300, 1])
                let dictionary = GVariant.array([
                    .tuple([.text("a"), .array([.text("b"), .text("c")])]), .tuple([.text("d"), .array([])]),
                ])
                #expect(try value("nested") == .tuple([.bool(true), dictionary, .text("last"), .other]))
                #expect(try value("none") == nil)
                #expect(try table.value("org/example/on") == nil)
                #expect(try table.value("") == nil)
                #expect(try table.table("/org/example/on") == nil)
            }
        }

        @Test func `a file that was cut or changed anywhere is read or refused`() async throws {
            try await ProbeBench.run { bench, session, _ in
                let whole = try database(in: bench, on: session)
                let keys = ["on", "texts", "nested", "long"].map { "/org/example/" + $0 }
                func read(_ bytes: [UInt8]) -> Int {
                    guard let table = try? GVDBTable(bytes) else { return 0 }
                    return keys.count { (try? table.value($0)) != nil }
                }
                #expect(read(whole) == keys.count)
                for length in whole.indices { _ = read(Array(whole[..<length])) }
                #expect(read(Array(whole[..<64])) == 0)
                for index in whole.indices {
                    var bytes = whole
                    for bit in 0..<8 {
                        bytes[index] = whole[index] ^ 1 << bit
                        _ = read(bytes)
                    }
                    bytes[index] = 0xFF
                    _ = read(bytes)
                }
            }
        }

        @Test(
            arguments: [
                ("b", [1], .bool(true)), ("b", [2], nil), ("b", [], nil), ("s", [97, 0], .text("a")), ("s", [97], nil),
                ("s", [0xFF, 0], nil), ("as", [], .array([])), ("as", [9], nil), ("(ss)", [97, 0, 0, 9], nil),
                ("a(yy)", [1, 2, 3], nil), ("v", [1, 0, 98], .bool(true)), ("v", [1, 98], nil), ("v", [1, 0, 63], nil),
                ("(by)", [1, 7], .tuple([.bool(true), .other])), ("()", [0], .tuple([])), ("ms", [], .other),
            ] as [(String, [UInt8], GVariant?)])
        func `a value is one of its type or none`(type: String, bytes: [UInt8], value: GVariant?) throws {
            let type = try #require(GVariantType(Array(type.utf8)[...]))
            #expect(GVariant(type, in: bytes[...]) == value)
        }

        @Test(arguments: ["", "a", "(", "(s", "bb", "z", ")", "{s", String(repeating: "a", count: 100) + "s"])
        func `what is no type is none`(text: String) {
            #expect(GVariantType(Array(text.utf8)[...]) == nil)
        }

        @Test func `what the permission store has decided counts while it isn't running, and it isn't started`()
            async throws
        {
            try await ProbeBench.run { bench, session, _ in
                var bench = bench
                try bench.write("", to: "/dev/video0")
                try await PermissionStoreProcess.run(on: session) { store in
                    try await store.set("devices", "camera", app: "com.example.other", ["yes"])
                    try await store.set("devices", "camera", app: "com.example.no", ["no"])
                    try await store.set("devices", "camera", app: "com.example.empty", [])
                    try await store.set("devices", "camera", ["yes"])
                    try await store.set("location", "location", ["NONE", "0"])
                }
                let marker = session.directory + "/started"
                try await session.addActivatable("org.freedesktop.impl.portal.PermissionStore", marker: marker)
                // The bench's machine is a directory, and the store has written below another one.
                bench.environment["XDG_DATA_HOME"] = "/data"
                try FileManager.default.copyItem(
                    atPath: session.directory + "/data", toPath: bench.directory + "/data")
                try await bench.expect("camera", is: "granted always explicit")
                try await bench.expect("camera", ["accept": ["explicit"]], isSatisfied: true)
                try await bench.expect("camera", ["portalID": "com.example.no"], is: "denied")
                for app in ["com.example.empty", "com.example.unknown"] {
                    let options: JSONObject = ["portalID": .string(app)]
                    try await bench.expect("camera", options, is: "granted always ungated")
                }
                bench.environment["DBUS_SYSTEM_BUS_ADDRESS"] = session.address
                try await bench.expect("location", is: "denied")
                #expect(!FileManager.default.fileExists(atPath: marker))

                try bench.write("", to: "/data/flatpak/db/devices")
                let answer = try await bench.ask("camera")
                #expect(answer.outline == "unknown", "a damaged file says nothing")
                #expect(answer.evidence == "the permission store's file /data/flatpak/db/devices is damaged")
                bench.environment["XDG_DATA_HOME"] = "/nowhere"
                try await bench.expect("camera", is: "granted always ungated")
                try await bench.expect("camera", ["accept": ["explicit"]], isSatisfied: false)
            }
        }
    }
}
