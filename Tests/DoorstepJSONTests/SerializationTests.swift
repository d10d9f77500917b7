import DoorstepJSON
import Testing

@Suite("Serialising keeps order and escapes what must not stand raw")
struct SerializationTests {
    static let value: JSONValue = [
        "b": [1, 2.5, nil, true], "a": ["x": "é/\"\\\n\u{1}\u{7F}\u{9B}\u{2028}😀", "empty": [:]], "list": [],
        "big": 1e30,
    ]

    @Test("Compact is one line without spaces")
    func compact() {
        #expect(
            Self.value.serialized(.compact)
                == #"{"b":[1,2.5,null,true],"a":{"x":"é/\"\\\n\u0001\u007f\u009b\u2028😀","empty":{}},"list":[],"big":1e+30}"#
        )
    }

    @Test("Pretty puts one member a line, two spaces a level")
    func pretty() {
        #expect(
            (["a": [1, ["b": []]], "c": [:]] as JSONValue).serialized(.pretty) == """
                {
                  "a": [
                    1,
                    {
                      "b": []
                    }
                  ],
                  "c": {}
                }
                """)
    }

    @Test("Both styles parse back to the same value", arguments: [JSONValue.Style.compact, .pretty])
    func roundTrip(style: JSONValue.Style) throws {
        #expect(try JSONValue(parsing: Self.value.serialized(style)) == Self.value)
    }

    @Test(
        "Numbers come back exactly",
        arguments: [0.1, 1e16, 1e-7, -0.0, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 123_456_789.125, 1.0 / 3]
            as [Double])
    func numbers(number: Double) throws {
        #expect(try JSONValue(parsing: JSONValue.number(number).serialized(.compact)) == .number(number))
    }

    @Test("A number that isn't finite becomes null", arguments: [Double.infinity, -.infinity, .nan])
    func notFinite(number: Double) {
        #expect(JSONValue.number(number).serialized(.compact) == "null")
    }

    @Test("Every control character is escaped and comes back")
    func controls() throws {
        let text = String(String.UnicodeScalarView((0..<0xA0).compactMap { Unicode.Scalar($0 as UInt32) }))
        let written = JSONValue.string(text).serialized(.compact)
        #expect(!written.unicodeScalars.contains { $0.properties.generalCategory == .control })
        #expect(try JSONValue(parsing: written).string.map { Array($0.utf8) } == Array(text.utf8))
    }
}

@Suite("Values, objects and paths")
struct ValueTests {
    @Test("Accessors give their type alone, and whole numbers count as integers")
    func accessors() {
        #expect(JSONValue.number(2).integer == 2)
        #expect(JSONValue.number(2.5).integer == nil)
        #expect(JSONValue.number(1e300).integer == nil)
        #expect(JSONValue.number(.nan).integer == nil)
        #expect(JSONValue.integer(3).number == 3)
        #expect(JSONValue.string("1").integer == nil && JSONValue.integer(1).string == nil)
        #expect(JSONValue.bool(true).bool == true && JSONValue.integer(1).bool == nil)
        #expect((nil as JSONValue).isNull && (nil as JSONValue).typeName == "null")
    }

    @Test(
        "An object keeps its order through replacing, removing and appending, at any size",
        arguments: [3, 15, 16, 17, 40])
    func order(count: Int) {
        var object = JSONObject((0..<count).map { ("k\($0)", .integer($0)) })
        object["k1"] = "replaced"
        object["k0"] = .some(nil)
        object["new"] = nil
        #expect(object.keys == (0..<count).map { "k\($0)" })
        #expect(object["k0"] == .some(.null) && object["k1"] == "replaced")
        object["k0"] = JSONValue?.none
        object["k0"] = 0
        #expect(object.keys == (1..<count).map { "k\($0)" } + ["k0"])
        #expect(object.map(\.key) == object.keys)
        #expect(object.keys.allSatisfy { object[$0] != nil } && object["nothing"] == nil)
    }

    @Test("Equality and hashes respect the members' order")
    func equality() {
        let one: JSONObject = ["a": 1, "b": 2]
        #expect(one == ["a": 1, "b": 2] && one.hashValue == (["a": 1, "b": 2] as JSONObject).hashValue)
        #expect(one != ["b": 2, "a": 1])
        #expect((["a": 1, "b": 2, "a": 3] as JSONObject) == ["a": 3, "b": 2])
    }

    @Test("Paths print as a person would write them")
    func paths() {
        #expect(JSONPath.root.description == "(the whole document)")
        #expect(JSONPath.root.key("steps").index(0).key("id").description == "steps[0].id")
        #expect(JSONPath.root.key("$schema").description == "$schema")
        #expect(JSONPath.root.key("a b").key("0x").description == #"["a b"]["0x"]"#)
        #expect(JSONPath.root.index(2).key("pt-BR").key("").description == #"[2]["pt-BR"][""]"#)
        #expect(JSONPath.root.key("a\u{1B}\"").description == #"["a\u001b\""]"#)
    }

    @Test(
        "The nearest spelling is found within a few slips",
        arguments: [
            ("requird", "required"), ("reqiured", "required"), ("Skippable", "skippable"), ("aap", "app"), ("it", "id"),
            ("zzz", nil), ("", nil), ("x", nil), ("eachstep", "eachStep"), ("completelyElse", nil),
        ] as [(String, String?)])
    func nearest(word: String, expected: String?) {
        let candidates = ["app", "id", "required", "skippable", "eachStep"]
        #expect(nearestSpelling(of: word, among: candidates) == expected)
    }
}
