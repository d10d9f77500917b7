import BusTestSupport
import Foundation
import Testing

@testable import PermissionPlugins

@Suite("What a pass reads of the machine") struct PassReadingTests {
    @Test func `a file and a directory are read once a pass, and again in the next`() async throws {
        try await withTemporaryDirectory { directory in
            let machine = Machine(root: directory)
            let file = directory + "/file"
            try "one".write(to: URL(fileURLWithPath: file), atomically: true, encoding: .utf8)
            let pass = machine.readingOnce()
            #expect(pass.text("/file") == "one")
            #expect(pass.names(in: "/") == ["file"])
            #expect(pass.text("/other") == nil)
            try "two".write(to: URL(fileURLWithPath: file), atomically: true, encoding: .utf8)
            try "three".write(
                to: URL(fileURLWithPath: directory + "/other"), atomically: true, encoding: .utf8)
            #expect(pass.text("/file") == "one")
            #expect(pass.names(in: "/") == ["file"])
            #expect(pass.text("/other") == nil)
            #expect(
                pass.parsed("/file", by: KeyFile.init) != nil,
                "what is made of a text is kept apart from it")
            let next = machine.readingOnce()
            #expect(next.text("/file") == "two")
            #expect(next.names(in: "/") == ["file", "other"])
            #expect(machine.text("/file") == "two")
        }
    }
}
