import DoorstepJSON
import DoorstepRegistry
import Foundation
import Testing

@Suite struct `The reader and the JSON Schema are one contract` {
    /// What no schema can state: a comparison of two places, a file's name, a length in bytes, a language's syntax.
    static let beyondSchema: Set<String> = [
        "app-not-the-file-name", "json-duplicate-key", "welcome-is-a-step",
        "step-id-twice", "step-id-too-long-in-bytes", "plugin-unknown", "plugin-misspelt", "text-language-twice",
        "input-key-twice-in-step", "input-key-twice-in-flow", "text-input-lengths-swapped", "text-input-pattern",
        "text-input-default", "integer-input-range-swapped", "integer-input-default-outside",
        "integer-input-default-off-step", "choice-input-value-twice", "choice-input-default",
    ]

    @Test func `both accept the example family and every valid manifest`() throws {
        let files = Fixtures.family + Fixtures.valid
        try #require(Fixtures.family.count >= 3 && Fixtures.valid.count >= 8)
        let verdicts = try SchemaVerdicts.of(files)
        for file in files {
            #expect(verdicts[file] == [], "\(file)")
            #expect(throws: Never.self) { try Registry.read(file, catalogue: .builtIn) }
        }
    }

    @Test func `the schema refuses every invalid manifest, except for the rules that no schema can state`() throws {
        let verdicts = try SchemaVerdicts.of(Fixtures.invalid)
        var accepted: Set<String> = []
        for file in Fixtures.invalid where try #require(verdicts[file]).isEmpty {
            accepted.insert(URL(filePath: file).deletingLastPathComponent().lastPathComponent)
        }
        #expect(accepted.symmetricDifference(Self.beyondSchema).sorted() == [])
    }

    @Test(arguments: Fixtures.invalid)
    func `the reader refuses each invalid manifest with its faults`(file: String) throws {
        let directory = URL(filePath: file).deletingLastPathComponent().path
        let error = try #require(throws: RegistryError.self) { try Registry.read(file, catalogue: .builtIn) }
        guard case .invalid(let faults) = error else { throw error }
        #expect(faults.allSatisfy { $0.file == file })
        let text = faults.map { "\($0.place)\n    \($0.message)\n" }.joined()
        let golden = String(file.dropLast(".json".count)) + ".expected"
        try Fixtures.expectGolden(text, at: golden)
        #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" })
        #expect(
            error.description == faults.map { "\(file): \($0.place): \($0.message)" }.joined(separator: "\n")
                || faults.contains { $0.place.isEmpty }, "\(directory)")
    }

    @Test func `ten mistakes in one file are told in one go, each with its place`() throws {
        let file = Fixtures.manifests + "/Invalid/ten-mistakes/com.example.faulty.json"
        let error = try #require(throws: RegistryError.self) { try Registry.read(file, catalogue: .builtIn) }
        guard case .invalid(let faults) = error else { throw error }
        #expect(faults.count == 10)
        #expect(Set(faults.map(\.place)).count == 10)
    }

    @Test func `schema and reader accept the same keys everywhere`() throws {
        let definitions = try #require(Fixtures.json(Fixtures.schema).object?["$defs"]?.object)
        let top = try #require(Fixtures.json(Fixtures.schema).object)
        for place in KeyPlace.all {
            let schema = try #require(place.definition.map { definitions[$0]?.object } ?? top)
            var known = schema["properties"]?.object?.keys ?? []
            if schema["unevaluatedProperties"] != nil {
                known += definitions["checkOptions"]?.object?["properties"]?.object?.keys ?? []
            }
            #expect(try place.keysOfReader() == known.sorted(), "\(place.definition ?? "the manifest")")
        }
    }

    @Test func `the schema knows every kind that is built in, and says of each which options it has`() throws {
        let definitions = try #require(Fixtures.json(Fixtures.schema).object?["$defs"]?.object)
        var described: Set<String> = []
        for rule in definitions["step"]?.object?["allOf"]?.array ?? [] {
            let plugin = rule.object?["if"]?.object?["properties"]?.object?["plugin"]?.object
            described.formUnion(plugin?["enum"]?.array?.compactMap(\.string) ?? [])
            if let kind = plugin?["const"]?.string { described.insert(kind) }
        }
        #expect(described.sorted() == PluginCatalogue.builtIn.kinds)
    }

    @Test func `a schema that isn't one is told apart from a manifest that is refused`() throws {
        let directory = try TemporaryDirectory()
        let schema = directory.path + "/flow.schema.json"
        try Data(#"{ "type": "objekt" }"#.utf8).write(to: URL(filePath: schema))
        let failure = try #require(throws: SchemaVerdicts.Failure.self) { try SchemaVerdicts.of([], schema: schema) }
        #expect(failure.description.contains("is not a JSON Schema"))
    }
}

/// An object of a manifest with a key that nobody knows, by the definition that describes it.
private struct KeyPlace {
    let definition: String?
    let manifest: String

    static let all = [
        KeyPlace(definition: nil, manifest: #""?": 0"#),
        KeyPlace(definition: "theme", manifest: #""theme": { "?": 0 }"#),
        KeyPlace(definition: "welcome", manifest: #""welcome": { "id": "w", "?": 0 }"#),
        KeyPlace(definition: "step", manifest: #""steps": [ { "id": "s", "plugin": "info", "?": 0 } ]"#),
        options("permissionOptions", "notifications"), options("locationOptions", "location"),
        options("accessibilityOptions", "accessibility"),
        options("commandOptions", "command", #""program": "git""#),
        options("deviceGroupOptions", "device-group", #""group": "dialout""#),
        options("fileAccessOptions", "file-access", #""path": "/""#),
        options("capabilityOptions", "linux-capability", #""capability": "cap_chown", "program": "a""#),
        options("polkitOptions", "polkit", #""action": "a.b""#),
        options("serviceOptions", "service", #""name": "a.b""#),
        profile("profileOptions", #""inputs": [ { "key": "k", "type": "toggle" } ], "?": 0"#),
        profile("textInput", #""inputs": [ { "key": "k", "type": "text", "?": 0 } ]"#),
        profile("integerInput", #""inputs": [ { "key": "k", "type": "integer", "?": 0 } ]"#),
        profile(
            "choiceInput", #""inputs": [ { "key": "k", "type": "choice", "choices": [ { "value": "a" } ], "?": 0 } ]"#),
        profile("toggleInput", #""inputs": [ { "key": "k", "type": "toggle", "?": 0 } ]"#),
        profile("choice", #""inputs": [ { "key": "k", "type": "choice", "choices": [ { "value": "a", "?": 0 } ] } ]"#),
    ]

    private static func options(_ definition: String, _ kind: String, _ given: String = "") -> KeyPlace {
        let options = (given.isEmpty ? "" : given + ", ") + #""?": 0"#
        return KeyPlace(
            definition: definition,
            manifest: #""steps": [ { "id": "s", "plugin": "\#(kind)", "options": { \#(options) } } ]"#)
    }

    private static func profile(_ definition: String, _ options: String) -> KeyPlace {
        KeyPlace(
            definition: definition,
            manifest: #""steps": [ { "id": "s", "plugin": "profile", "options": { \#(options) } } ]"#)
    }

    /// The keys that the reader names where it refuses the unknown one.
    func keysOfReader() throws -> [String] {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/com.example.faulty.json"
        let text = #"{ "format": 1, "app": "com.example.faulty", \#(manifest) }"#
        try Data(text.utf8).write(to: URL(filePath: path))
        let error = try #require(throws: RegistryError.self) { try Registry.read(path, catalogue: .builtIn) }
        guard case .invalid(let faults) = error, let fault = faults.first, faults.count == 1 else { throw error }
        let list = try #require(fault.message.split(separator: "accepted are ").last)
        return list.split(separator: ", ").map { String($0.dropFirst().dropLast()) }.sorted()
    }
}
