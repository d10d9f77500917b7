import DoorstepPluginKit
import ProfilePlugin
import Testing

@Suite struct `The profile's inputs` {
    func bound(_ inputs: String) throws -> BoundStep {
        let options = try JSONValue(parsing: #"{ "inputs": \#(inputs) }"#)
        return try BoundStep(ProfilePlugin(), options: #require(options.object), at: .root.key("options"))
    }

    func fields(_ inputs: String, language: String = "en") async throws -> [StepField] {
        try await bound(inputs).page(in: .reading(language)).fields
    }

    func faults(_ inputs: String) throws -> [String] {
        try #require(throws: JSONFaults.self) { try bound(inputs) }.faults.map(\.description)
    }

    @Test func `a text has 1 to 200 characters unless it says otherwise`() async throws {
        let fields = try await fields(
            """
            [ { "key": "a", "type": "text" }, { "key": "b", "type": "text", "optional": true },
              { "key": "c", "type": "text", "minLength": 3, "maxLength": 80, "pattern": "[a-z]+", "default": "abc" },
              { "key": "d", "type": "text", "minLength": 500 } ]
            """)
        #expect(
            fields.map(\.kind) == [
                .text(length: 1...200, pattern: nil, initial: nil), .text(length: 0...200, pattern: nil, initial: nil),
                .text(length: 3...80, pattern: "[a-z]+", initial: "abc"),
                .text(length: 500...500, pattern: nil, initial: nil),
            ])
        #expect(fields.map(\.isOptional) == [false, true, false, false])
    }

    @Test func `an integer has any value unless it says otherwise`() async throws {
        let fields = try await fields(
            """
            [ { "key": "age", "type": "integer", "minimum": 18, "maximum": 100, "default": 50 },
              { "key": "fives", "type": "integer", "minimum": 1, "step": 5 }, { "key": "any", "type": "integer" } ]
            """)
        #expect(
            fields.map(\.kind) == [
                .integer(range: 18...100, step: 1, initial: 50), .integer(range: 1...Int.max, step: 5, initial: nil),
                .integer(range: Int.min...Int.max, step: 1, initial: nil),
            ])
        #expect(fields[0].initialValue == .integer(50))
    }

    @Test func `choices, toggles, labels and help are in the reader's language, and names stand in for labels`()
        async throws
    {
        let inputs = """
            [ { "key": "gender", "type": "choice", "label": { "en": "Gender", "de": "Geschlecht" },
                "help": { "en": "H", "de": "Hilfe" }, "default": "x",
                "choices": [ { "value": "male", "label": { "en": "Male", "de": "Männlich" } }, { "value": "x" } ] },
              { "key": "news", "type": "toggle", "default": true } ]
            """
        let fields = try await fields(inputs, language: "de")
        let choices = [StepChoice(value: "male", label: "Männlich"), StepChoice(value: "x", label: "x")]
        #expect(
            fields == [
                StepField(key: "gender", label: "Geschlecht", help: "Hilfe", kind: .choice(choices, initial: "x")),
                StepField(key: "news", label: "news", kind: .toggle(initial: true)),
            ])
        #expect(try bound(inputs).inputKeys == ["gender", "news"])
    }

    @Test(arguments: [("en", "About you"), ("de", "Über dich"), ("ar", "نبذة عنك"), ("ja", "あなたについて")])
    func `a page without a title has one in every language`(language: String, title: String) async throws {
        let page = try await bound(#"[ { "key": "a", "type": "toggle" } ]"#).page(in: .reading(language))
        #expect(page.title == title)
    }

    @Test func `a mistake in one bound is told once, without another about its counterpart`() throws {
        #expect(
            try faults(#"[ { "key": "a", "type": "integer", "minimum": 18, "maximum": "100", "default": 7 } ]"#) == [
                "options.inputs[0].maximum: this is a string; it must be an integer"
            ])
        #expect(
            try faults(#"[ { "key": "a", "type": "text", "minLength": 3, "maxLength": 0 } ]"#) == [
                "options.inputs[0].maxLength: 0 is out of range; accepted are 1 to 10000"
            ])
    }

    @Test func `a wrong default is told though another input is wrong too`() throws {
        #expect(
            try faults(
                """
                [ { "key": "a b", "type": "text" }, { "key": "c", "type": "text", "minLength": 3, "default": "Al" },
                  { "key": "d", "type": "choice", "choices": [ { "value": "red" } ], "default": "rde" } ]
                """
            ) == [
                "options.inputs[0].key: \"a b\" can't be a key; "
                    + "accepted are 1 to 64 letters from a to z or A to Z, digits, _ and -",
                "options.inputs[1].default: the field itself would refuse this default, "
                    + "saying \"Please use at least 3 characters.\"",
                "options.inputs[2].default: \"rde\" is none of the choices (did you mean \"red\"?); accepted are \"red\"",
            ])
    }

    @Test func `without a type nothing is said of the other keys`() throws {
        #expect(
            try faults(#"[ { "key": "a", "minimum": 3, "whatever": true } ]"#) == [
                "options.inputs[0].type: this key is missing; it must be a string"
            ])
    }

    @Test func `a pattern of many brackets is refused before it is compiled`() throws {
        let deep = String(repeating: "(", count: 100_000)
        #expect(
            try faults(#"[ { "key": "a", "type": "text", "pattern": "\#(deep)" } ]"#) == [
                "options.inputs[0].pattern: a pattern of 100000 characters can't be used; accepted are 1 to 500"
            ])
        let longest = String(repeating: "a", count: 500)
        #expect(throws: Never.self) { try bound(#"[ { "key": "a", "type": "text", "pattern": "\#(longest)" } ]"#) }
    }
}
