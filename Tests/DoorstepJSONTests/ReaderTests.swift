import DoorstepJSON
import Testing

private enum Commit: String, CaseIterable { case eachStep, onFinish }

private struct Step: Equatable {
    var id: String
    var isRequired = false
    var revision = 1
}

private struct Manifest: Equatable {
    var app: String
    var name: String?
    var commit = Commit.eachStep
    var icon: String?
    var steps: [Step]
    var tags: [String]?

    init(_ reader: JSONReader) {
        app = reader.string("app") { $0.contains(".") ? nil : "\"\($0)\" has no dot; write a reverse-DNS name" }
        name = reader.optionalString("name")
        commit = reader.choice("commit", of: Commit.self, default: .eachStep)
        icon = reader.optionalObject("theme").map { $0.string("icon") }
        steps = reader.array("steps", count: 1...3) {
            Step(
                id: $0.string("id"), isRequired: $0.bool("required", default: false),
                revision: $0.integer("revision", in: 1...9, default: 1))
        }
        tags = reader.optionalStrings("tags")
    }
}

@Suite("A reader collects every mistake once")
struct ReaderTests {
    private func faults(_ text: String) throws -> [String] {
        let value = try JSONValue(parsing: text)
        do throws(JSONFaults) {
            _ = try JSONReader.read(value, Manifest.init)
            return []
        } catch {
            return error.faults.map(\.description)
        }
    }

    @Test("A good document is read, with defaults where members are left out")
    func good() throws {
        let manifest = try JSONReader.read(
            try JSONValue(
                parsing:
                    #"{"steps":[{"id":"a","required":true,"revision":2.0},{"id":"b"}],"app":"a.b","theme":{"icon":"i"}}"#
            ),
            Manifest.init)
        #expect(manifest.steps == [Step(id: "a", isRequired: true, revision: 2), Step(id: "b")])
        #expect(manifest.app == "a.b" && manifest.icon == "i" && manifest.name == nil && manifest.commit == .eachStep)
    }

    static let table: [(String, [String])] = [
        (#"{"steps":[{"id":"a"}]}"#, ["app: this key is missing; it must be a string"]),
        (#"{"app":1,"steps":[{"id":"a"}]}"#, ["app: this is an integer; it must be a string"]),
        (#"{"app":"x","steps":[{"id":"a"}]}"#, [#"app: "x" has no dot; write a reverse-DNS name"#]),
        (#"{"app":"a.b","name":null,"steps":[{"id":"a"}]}"#, ["name: this is null; it must be a string"]),
        (
            #"{"app":"a.b","commit":"eachstep","steps":[{"id":"a"}]}"#,
            [#"commit: "eachstep" is unknown (did you mean "eachStep"?); accepted are "eachStep", "onFinish""#]
        ),
        (#"{"app":"a.b","commit":[],"steps":[{"id":"a"}]}"#, ["commit: this is an array; it must be a string"]),
        (#"{"app":"a.b","steps":[]}"#, ["steps: this has 0 elements; accepted are 1 to 3"]),
        (#"{"app":"a.b","steps":{}}"#, ["steps: this is an object; it must be an array"]),
        (#"{"app":"a.b","theme":"dark","steps":[{"id":"a"}]}"#, ["theme: this is a string; it must be an object"]),
        (#"{"app":"a.b","theme":{},"steps":[{"id":"a"}]}"#, ["theme.icon: this key is missing; it must be a string"]),
        (#"{"app":"a.b","tags":["x",1],"steps":[{"id":"a"}]}"#, ["tags[1]: this is an integer; it must be a string"]),
        (
            #"{"app":"a.b","steps":[{"id":"a","revision":0},7,{"id":"b","requird":true}]}"#,
            [
                "steps[0].revision: 0 is out of range; accepted are 1 to 9",
                "steps[1]: this is an integer; it must be an object",
                #"steps[2].requird: this key is unknown (did you mean "required"?); accepted are "id", "required", "revision""#,
            ]
        ),
        (
            #"{"zzzzzz":1,"app":"a.b","steps":[{"id":"a"}]}"#,
            [#"zzzzzz: this key is unknown; accepted are "app", "name", "commit", "theme", "steps", "tags""#]
        ),
        ("[]", ["(the whole document): this is an array; it must be an object"]),
    ]

    @Test("Each mistake is one fault with path, reason and what is accepted", arguments: table)
    func mistakes(text: String, expected: [String]) throws {
        #expect(try faults(text) == expected)
    }

    @Test("A misspelt required key is one fault, and the missing keys that stay missing are others")
    func misspeltRequiredKey() {
        let reader = JSONReader(["ap": "x", "named": "y", "other": 1])
        _ = (
            reader.string("app"), reader.string("id"), reader.optionalString("name"),
            reader.object("others").string("a")
        )
        #expect(
            reader.finish().map { "\($0.path) \($0.message.prefix { $0 != ";" })" } == [
                "id this key is missing", #"ap this key is unknown (did you mean "app"?)"#,
                #"named this key is unknown (did you mean "name"?)"#,
                #"other this key is unknown (did you mean "others"?)"#,
            ])
    }

    @Test("Two types may be accepted by a check, and open ranges read as such")
    func checks() {
        func text(_ value: JSONValue) -> String? {
            value.string != nil || value.object != nil
                ? nil : "this is \(value.typeName); it must be a string or a map of texts"
        }
        let reader = JSONReader(["title": ["de": "Hallo", "en": 1], "body": "x", "label": 5, "n": 0, "list": []])
        #expect(reader.optionalValue("title", check: text) != nil && reader.value("body", check: text) == "x")
        #expect(reader.value("label", check: text) == nil)
        if let map = reader.optionalObject("title") {
            #expect(map.object.keys.map { map.string($0) } == ["Hallo", ""])
        }
        _ = (reader.integer("n", in: 1 ... .max), reader.strings("list", count: 1 ... .max))
        #expect(
            reader.finish().map(\.description) == [
                "label: this is an integer; it must be a string or a map of texts",
                "title.en: this is an integer; it must be a string", "n: 0 is out of range; accepted are 1 or more",
                "list: this has 0 elements; accepted are 1 or more",
            ])
    }

    @Test("A map of fifty thousand keys is read without a search through all")
    func manyKeys() {
        let reader = JSONReader(.object(JSONObject((0..<50_000).map { ("k\($0)", .integer($0)) })))
        for key in reader.object.keys { _ = reader.integer(key) }
        #expect(reader.finish() == [])
    }

    @Test("A key that is read twice is reported once")
    func readTwice() {
        let reader = JSONReader(["a": 1])
        #expect(reader.string("a") == "" && reader.string("a") == "" && reader.optionalString("a") == nil)
        #expect(reader.string("b") == "" && reader.string("b") == "")
        #expect(reader.finish().count == 2 && reader.finish().count == 2)
    }

    @Test("A missing object is one fault, whatever is asked of it")
    func silence() {
        let reader = JSONReader([:])
        let nested = reader.object("nested")
        _ = (nested.string("a"), nested.integer("b"), nested.object("c").value("d"), nested.array("e") { $0.bool("f") })
        nested.fault("not this")
        #expect(reader.finish().map(\.description) == ["nested: this key is missing; it must be an object"])
    }

    @Test("Own faults and unknown keys can be reported and allowed")
    func ownFaults() {
        let reader = JSONReader(["$schema": "x", "from": 2, "to": 1], at: .root.key("options"))
        reader.allow("$schema")
        if reader.integer("from") > reader.integer("to") { reader.fault("this is less than \"from\"", at: "to") }
        reader.add([JSONFault(path: .root, message: "another")])
        #expect(
            reader.finish().map(\.description)
                == [#"options.to: this is less than "from""#, "(the whole document): another"])
        let lenient = JSONReader(["later": 1])
        lenient.allowUnknownKeys()
        #expect(lenient.finish() == [])
    }

    @Test("Numbers, truth values and any values are read or refused by type")
    func kinds() {
        let reader = JSONReader(["n": 2, "x": 0.5, "t": false, "v": [nil], "w": 1.5, "huge": 1e300])
        #expect(reader.number("n") == 2 && reader.number("x", in: 0...1) == 0.5 && reader.optionalNumber("no") == nil)
        #expect(reader.bool("t") == false && reader.optionalBool("no") == nil && reader.bool("no", default: true))
        #expect(reader.value("v") == [nil] && reader.optionalValue("no") == nil)
        #expect(reader.faults == [])
        #expect(reader.integer("w", in: 5...9) == 5 && reader.optionalInteger("huge") == nil)
        #expect(reader.number("n", in: 3...4) == 3)
        #expect(reader.finish().map(\.path.description) == ["w", "huge", "n"])
    }
}
