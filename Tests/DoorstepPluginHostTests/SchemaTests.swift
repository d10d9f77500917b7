import DoorstepJSON
import DoorstepPluginHost
import Testing

/// A schema for a step's options, what is wrong with it, and values with what is wrong with them.
struct SchemaCase: Sendable, CustomTestStringConvertible {
    var schema: String
    var options = "{}"
    /// Empty where nothing is.
    var fault = ""

    var testDescription: String { "\(schema) \(options)" }

    /// Schemas that no description may have.
    static let unusable = [
        SchemaCase(schema: #"7"#, fault: "options: this must be a schema: an object, at most 16 deep"),
        SchemaCase(schema: nested(17), fault: "this must be a schema: an object, at most 16 deep"),
        SchemaCase(
            schema: #"{"pattern":"a"}"#, fault: "options.pattern: this keyword isn't supported; accepted: type,"),
        SchemaCase(schema: #"{"type":"text"}"#, fault: "options.type: this is no type; accepted: object, array,"),
        SchemaCase(schema: #"{"type":[]}"#, fault: "options.type: this is no type"),
        SchemaCase(schema: #"{"properties":[]}"#, fault: "options.properties: this must be an object of schemas"),
        SchemaCase(schema: #"{"required":["a",1]}"#, fault: "options.required: this must be a list of keys"),
        SchemaCase(schema: #"{"additionalProperties":{}}"#, fault: "additionalProperties: this must be true or false"),
        SchemaCase(schema: #"{"enum":[]}"#, fault: "options.enum: this must be a list of values"),
        SchemaCase(schema: #"{"enum":"a"}"#, fault: "options.enum: this must be a list of values"),
        SchemaCase(schema: #"{"minItems":-1}"#, fault: "options.minItems: this must be a whole number from 0"),
        SchemaCase(schema: #"{"minLength":"1"}"#, fault: "options.minLength: this must be a whole number from 0"),
        SchemaCase(schema: #"{"minLength":3,"maxLength":2}"#, fault: "options.maxLength: this is less than minLength"),
        SchemaCase(schema: #"{"maximum":"7"}"#, fault: "options.maximum: this must be a number"),
        SchemaCase(
            schema: #"{"properties":{"a":{"items":{"type":"list"}}}}"#,
            fault: "options.properties.a.items.type: this is no type"),
    ]

    /// Options that a schema accepts or doesn't.
    static let checked = [
        SchemaCase(schema: "true", options: #"{"a":1}"#),
        SchemaCase(schema: nested(16), options: "{}"),
        SchemaCase(schema: of("a", #"{"enum":["x","y"]}"#), options: #"{"a":"y"}"#),
        SchemaCase(
            schema: of("a", #"{"enum":["x",[1]]}"#), options: #"{"a":"z"}"#,
            fault: #"a: this value isn't accepted; accepted: "x", [1]"#),
        SchemaCase(schema: of("a", #"{"const":1}"#), options: #"{"a":1.0}"#),
        SchemaCase(schema: of("a", #"{"const":1}"#), options: #"{"a":2.0}"#, fault: "a: this value isn't accepted"),
        SchemaCase(schema: of("a", #"{"const":[1,{"b":2}]}"#), options: #"{"a":[1.0,{"b":2}]}"#),
        SchemaCase(schema: of("a", #"{"const":[1]}"#), options: #"{"a":[1,1]}"#, fault: "a: this value isn't accepted"),
        SchemaCase(schema: of("a", #"{"const":{"b":1,"c":2}}"#), options: #"{"a":{"c":2,"b":1}}"#),
        SchemaCase(
            schema: of("a", #"{"const":{"b":1}}"#), options: #"{"a":{"c":1}}"#, fault: "a: this value isn't accepted"),
        SchemaCase(schema: of("a", #"{"type":"array","minItems":1,"maxItems":2}"#), options: #"{"a":[1]}"#),
        SchemaCase(
            schema: of("a", #"{"type":"array","minItems":1,"maxItems":2}"#), options: #"{"a":[1,2,3]}"#,
            fault: "a: this has 3 elements; accepted are 1 to 2"),
        SchemaCase(
            schema: of("a", #"{"minItems":2}"#), options: #"{"a":[]}"#,
            fault: "a: this has 0 elements; accepted are 2 or more"),
        SchemaCase(
            schema: of("a", #"{"items":{"type":"string"}}"#), options: #"{"a":["x",7]}"#,
            fault: "a[1]: this is an integer; it must be a string"),
        SchemaCase(schema: of("a", #"{"maxLength":2}"#), options: #"{"a":"äö"}"#),
        SchemaCase(
            schema: of("a", #"{"maxLength":2}"#), options: #"{"a":"abc"}"#,
            fault: "a: this has 3 characters; accepted are 0 to 2"),
        SchemaCase(schema: of("a", #"{"minimum":1,"maximum":2}"#), options: #"{"a":1.5}"#),
        SchemaCase(schema: of("a", #"{"minimum":1}"#), options: #"{"a":0}"#, fault: "a: 0 is less than 1"),
        SchemaCase(schema: of("a", #"{"maximum":2}"#), options: #"{"a":3}"#, fault: "a: 3 is more than 2"),
        SchemaCase(schema: of("a", #"{"type":"integer"}"#), options: #"{"a":2.0}"#),
        SchemaCase(
            schema: of("a", #"{"type":["integer","boolean","null"]}"#), options: #"{"a":2.5}"#,
            fault: "a: this is a number; it must be an integer or true or false or null"),
        SchemaCase(
            schema: #"{"properties":{"place":{}},"additionalProperties":false}"#, options: #"{"plaec":1}"#,
            fault: #"plaec: this key is unknown; did you mean "place"? accepted: place"#),
        SchemaCase(
            schema: #"{"additionalProperties":false}"#, options: #"{"a":1}"#,
            fault: "a: this key is unknown; none is accepted here"),
        SchemaCase(
            schema: #"{"required":["a"]}"#, options: "{}", fault: "a: this key is missing; the plugin needs it"),
    ]

    private static func of(_ key: String, _ schema: String) -> String { #"{"properties":{"\#(key)":\#(schema)}}"# }

    private static func nested(_ depth: Int) -> String {
        String(repeating: #"{"items":"#, count: depth - 1) + "{}" + String(repeating: "}", count: depth - 1)
    }

    /// The description of a plugin with this schema.
    func description() throws(JSONFaults) -> PluginDescription {
        let text = """
            { "format": 1, "protocol": 1, "kind": "k", "summary": "s", "program": "k", "options": \(schema) }
            """
        guard let value = try? JSONValue(parsing: Array(text.utf8)) else {
            fatalError("the test's JSON is wrong: \(text)")
        }
        return try PluginDescription(value, fileName: "k.plugin.json")
    }
}

@Suite("The options that a plugin's description accepts")
struct SchemaTests {
    @Test("are told by a schema; one that can't be used is refused with its place", arguments: SchemaCase.unusable)
    func unusable(_ one: SchemaCase) throws {
        let error = try #require(throws: JSONFaults.self) { try one.description() }
        let faults = error.faults.map(\.description)
        #expect(faults.contains { $0.contains(one.fault) }, "\(faults)")
    }

    @Test("are checked by it, each mistake with its place", arguments: SchemaCase.checked)
    func checked(_ one: SchemaCase) throws {
        let options = try JSONValue(parsing: Array(one.options.utf8))
        let faults = try one.description().options.faults(in: options, at: .root).map(\.description)
        if one.fault.isEmpty {
            #expect(faults == [])
        } else {
            #expect(faults.count == 1 && faults[0].hasPrefix(one.fault), "\(faults)")
        }
    }

    @Test("of another format or protocol are refused, whatever else they say")
    func versions() throws {
        let text = #"{ "format": 2, "protocol": 9, "kind": "Not One", "summary": "s", "program": "k" }"#
        let value = try JSONValue(parsing: Array(text.utf8))
        let error = try #require(throws: JSONFaults.self) {
            try PluginDescription(value, fileName: "k.plugin.json")
        }
        #expect(
            error.faults.map(\.description) == [
                "format: the format 2 is unknown; accepted: 1",
                "protocol: the protocol 9 is unknown to this doorstep; accepted: 1",
                "kind: \"Not One\" is not a kind; accepted: lower-case letters, digits and -, beginning with a letter",
            ])
    }
}
