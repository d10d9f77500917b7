import DoorstepJSON
import DoorstepRegistry
import Foundation
import Testing

@Suite struct `The guide to manifests` {
    let guide: String

    init() throws {
        guide = try String(contentsOfFile: Fixtures.registry + "/README.md", encoding: .utf8)
    }

    @Test func `shows only manifests that are accepted`() throws {
        let household = try Household()
        let blocks = guide.components(separatedBy: "```json\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
        try #require(!blocks.isEmpty)
        var files: [String] = []
        for block in blocks {
            let app = try #require(try JSONValue(parsing: block).object?["app"]?.string)
            files.append(try household.put(text: block, as: app + ".json", in: household.own))
        }
        for file in files { #expect(throws: Never.self) { try Registry.read(file, catalogue: .builtIn) } }
        #expect(try SchemaVerdicts.of(files).values.allSatisfy(\.isEmpty))
    }

    @Test func `names every key of the schema, and every word that a key can have`() throws {
        var names: Set<String> = []
        func look(at value: JSONValue) {
            for element in value.array ?? [] { look(at: element) }
            guard let object = value.object else { return }
            for (key, member) in object {
                if key == "properties" { names.formUnion(member.object?.keys ?? []) }
                if key == "enum" { names.formUnion(member.array?.compactMap(\.string) ?? []) }
                look(at: member)
            }
        }
        look(at: try Fixtures.json(Fixtures.schema))
        try #require(names.count > 40)
        // The capabilities are explained where Linux explains them.
        let missing = names.filter { name in
            !name.hasPrefix("cap_")
                && !["`\(name)`", "`steps[].\(name)`", "\"\(name)\""].contains { guide.contains($0) }
        }
        #expect(missing.sorted() == [])
    }

    @Test func `points to every example`() {
        for file in Fixtures.family { #expect(guide.contains("](\(URL(filePath: file).lastPathComponent))")) }
    }
}
