import CommandLineKit
import Foundation
import Testing

@Suite("The manual page")
struct ManualTests {
    private static let page = ManualPage(
        of: Porch.root,
        sections: [.init("Files", [("~/.porch", ".begins with a dot, holds a back\\slash and 'quotes'")])])

    /// What man(1) shows, and what groff complains of.
    private func formatted(_ page: String) throws -> (text: String, complaints: String) {
        let file = FileManager.default.temporaryDirectory.appending(component: "manual-\(UUID().uuidString).1")
        try Data(page.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let (groff, output, errors) = (Process(), Pipe(), Pipe())
        groff.executableURL = URL(fileURLWithPath: "/usr/bin/groff")
        groff.arguments = ["-K", "utf8", "-T", "utf8", "-P", "-cbou", "-man", "-ww", "-rLL=200n", file.path]
        (groff.standardOutput, groff.standardError) = (output, errors)
        try groff.run()
        let text = try #require(try output.fileHandleForReading.readToEnd())
        let complaints = try errors.fileHandleForReading.readToEnd() ?? Data()
        groff.waitUntilExit()
        return (String(decoding: text, as: UTF8.self), String(decoding: complaints, as: UTF8.self))
    }

    @Test("is formatted without a complaint, and holds every command and option but the hidden ones")
    func holdsAll() throws {
        let (text, complaints) = try formatted(Self.page.text)
        #expect(complaints == "")
        for word in [
            "porch", "1.2.3", "NAME", "SYNOPSIS", "status", "validate", "plugin new", "-s, --suite <file>", "--answers",
            "(values: auto, terminal, plain, gtk; default: auto)", "Exit statuses: 0 done, 1 no, 64 usage.",
            "MAINTAINER",
        ] { #expect(text.contains(word), "\(word)") }
        #expect(!text.contains("--trace"))
    }

    @Test("shows what is typed as it is typed")
    func escapes() throws {
        let text = try formatted(Self.page.text).text
        #expect(text.contains("~/.porch"))
        #expect(text.contains(".begins with a dot, holds a back\\slash and 'quotes'"))
        #expect(text.contains("$PORCH_SUITE") && text.contains("key=value"))
    }
}
