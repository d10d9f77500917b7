import DoorstepTerminal
import Foundation
import Testing

@Suite("What a terminal can do")
struct TerminalTests {
    @Test(
        "is as wide as COLUMNS says, but never under 20",
        arguments: [("120", 120), ("20", 20), ("5", 20), ("0", 80), ("-4", 80), ("wide", 80), ("", 80)])
    func columns(variable: String, expected: Int) throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("file", [])
        defer { close(file) }
        #expect(TerminalSize.columns(of: file, environment: ["COLUMNS": variable]) == expected)
    }

    @Test("is as wide as it says itself", arguments: [(UInt16(132), 132), (7, 20), (0, 80)])
    func windowSize(cells: UInt16, expected: Int) throws {
        let terminal = try PseudoTerminal(columns: cells)
        #expect(TerminalSize.columns(of: terminal.user, environment: [:]) == expected)
    }

    @Test("has colour unless the user or the terminal says no")
    func colour() throws {
        func allowed(_ environment: [String: String], isTerminal: Bool = true) -> Bool {
            TerminalCapability(isTerminal: isTerminal, environment: environment).allowsColor
        }
        #expect(allowed(["TERM": "xterm"]))
        #expect(allowed(["TERM": "xterm", "NO_COLOR": ""]))
        #expect(!allowed(["TERM": "xterm", "NO_COLOR": "1"]))
        #expect(!allowed(["TERM": "dumb"]))
        #expect(!allowed([:]))
        #expect(!allowed(["TERM": "xterm"], isTerminal: false))
    }

    @Test("is told from a file")
    func isTerminal() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("file", [])
        defer { close(file) }
        let terminal = try PseudoTerminal()
        #expect(!TerminalCapability(of: file, environment: ["TERM": "xterm"]).isTerminal)
        #expect(TerminalCapability(of: terminal.user, environment: ["TERM": "xterm"]).isTerminal)
    }
}
