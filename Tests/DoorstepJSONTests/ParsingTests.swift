import DoorstepJSON
import Foundation
import Testing

/// A document as bytes, so that tables can hold what no Swift string can.
private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

@Suite("Parsing accepts RFC 8259 and nothing looser")
struct ParsingTests {
    static let accepted: [(String, JSONValue)] = [
        ("null", nil), ("true", true), ("false", false), ("0", 0), ("-1", -1), (" 1 ", 1), ("\t\r\n1\n", 1),
        ("123.5", 123.5), ("1e2", 100.0), ("1E+2", 100.0), ("1e-2", 0.01), ("0.5", 0.5), ("0e1", 0.0), ("0E+1", 0.0),
        ("-0", .number(-0.0)), ("-0.0", .number(-0.0)), ("1.0", 1.0), ("1e-400", 0.0),
        ("5e-324", .number(.leastNonzeroMagnitude)),
        ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
        ("9223372036854775808", .number(9_223_372_036_854_775_808)), ("100000000000000000000", 1e20),
        ("-123456789123456789123456789", .number(-1.2345678912345679e26)),
        ("1.7976931348623157e308", .number(.greatestFiniteMagnitude)),
        (#""""#, ""), (#""a""#, "a"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
        (#""\u0041\u00e9\u20AC""#, "Aé€"), (#""\u0000""#, "\0"), (#""\uD83D\uDE00""#, "😀"),
        (#""\uDBFF\uDFFF""#, "\u{10FFFF}"),
        (#""\uFFFF\uFFFE""#, "\u{FFFF}\u{FFFE}"), (#""a\\u0041""#, #"a\u0041"#), ("\"\u{7F}\"", "\u{7F}"),
        ("\"\u{2028}\u{2029}\"", "\u{2028}\u{2029}"), ("\"é😀\u{10FFFF}\"", "é😀\u{10FFFF}"), ("\"/*c*/\"", "/*c*/"),
        ("\"\u{FEFF}\"", "\u{FEFF}"), (#""x\u0041y\u0042z""#, "xAyBz"),
        ("[]", []), ("[ ]", []), ("[[]]", [[]]), ("[1,2 , 3]", [1, 2, 3]),
        ("[null,false,\"\",{}]", [nil, false, "", [:]]),
        ("{}", [:]), ("{ }", [:]), (#"{"":0}"#, ["": 0]), (#"{"a":{"b":[{}]}}"#, ["a": ["b": [[:]]]]),
        (#"{"b":1,"a":2}"#, ["b": 1, "a": 2]), (#"{"a\u0000b":1}"#, ["a\0b": 1]),
        (#"{"a" : 1 , "b" : 2}"#, ["a": 1, "b": 2]),
    ]

    @Test("A valid text gives its value", arguments: accepted)
    func accepts(text: String, value: JSONValue) throws {
        #expect(try JSONValue(parsing: text) == value)
        #expect(throws: Never.self) {
            try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
        }
    }

    @Test("-0 keeps its sign and is still the integer 0")
    func negativeZero() throws {
        let value = try JSONValue(parsing: "-0")
        #expect(value.number?.sign == .minus)
        #expect(value.integer == 0)
        #expect(value.serialized(.compact) == "-0.0")
    }

    /// A text that is refused, where, and a part of the reason.
    static let refused: [(String, String, String)] = [
        ("", "line 1, column 1", "empty"), ("  \n ", "line 2, column 2", "empty"),
        ("[", "line 1, column 2", "the end of the text"), ("]", "line 1, column 1", "]"),
        ("[1", "line 1, column 3", "comma or ]"), ("[1,", "line 1, column 4", "end of the text"),
        ("[1,]", "line 1, column 4", "one too many"), ("[,1]", "line 1, column 2", "a value is expected"),
        ("[1,,2]", "line 1, column 4", "a value is expected"), ("[1 2]", "line 1, column 4", "comma or ]"),
        ("[1}", "line 1, column 3", "comma or ]"), ("{]", "line 1, column 2", "key in quotes"),
        ("{", "line 1, column 2", "key in quotes"), ("{\"a\"", "line 1, column 5", "colon"),
        ("{\"a\":", "line 1, column 6", "a value is expected"), ("{\"a\":1", "line 1, column 7", "comma or }"),
        ("{\"a\" 1}", "line 1, column 6", "colon"), ("{\"a\":1,}", "line 1, column 8", "one too many"),
        ("{,}", "line 1, column 2", "key in quotes"), ("{a:1}", "line 1, column 2", "key in quotes"),
        ("{'a':1}", "line 1, column 2", "a single quote"), ("{1:1}", "line 1, column 2", "key in quotes"),
        ("{\"a\":1 \"b\":2}", "line 1, column 8", "comma or }"), ("{\"a\"::1}", "line 1, column 6", "a value"),
        ("{\"a\":1}}", "line 1, column 8", "nothing may follow"), ("1 2", "line 1, column 3", "nothing may follow"),
        ("[1]x", "line 1, column 4", "nothing may follow"), ("{} //", "line 1, column 4", "nothing may follow"),
        ("/**/1", "line 1, column 1", "/"), ("# c\n1", "line 1, column 1", "#"),
        ("\"a\"\0", "line 1, column 4", "U+0000"),
        ("{\"a\":1,\"a\":1}", "line 1, column 8", #"the key "a" stands twice"#),
        (
            "{\n \"app\": 1,\n \"é\": [\"\u{1F468}\u{200D}\u{1F469}\"], \"app\": 2}", "line 3, column 14",
            #""app" stands twice"#
        ),
        ("{\"a\":1,\"\\u0061\":1}", "line 1, column 8", "stands twice"),
        ("{\"\u{E9}\":1,\"e\u{301}\":1}", "line 1, column 8", "stands twice"),
        ("tru", "line 1, column 1", "a value"), ("True", "line 1, column 1", "T"),
        ("nul", "line 1, column 1", "a value"),
        ("truetrue", "line 1, column 5", "nothing may follow"), ("nullx", "line 1, column 5", "nothing may follow"),
        ("NaN", "line 1, column 1", "N"), ("Infinity", "line 1, column 1", "I"),
        ("-Infinity", "line 1, column 2", "digit"),
        ("nan", "line 1, column 1", "a value"), ("undefined", "line 1, column 1", "u"),
        ("-", "line 1, column 2", "digit"), ("+1", "line 1, column 1", "+"), ("--1", "line 1, column 2", "digit"),
        ("01", "line 1, column 1", "leading zeros"), ("-01", "line 1, column 1", "leading zeros"),
        ("00", "line 1, column 1", "leading zeros"), ("1.", "line 1, column 3", "digit"),
        (".5", "line 1, column 1", "."),
        ("-.5", "line 1, column 2", "digit"), ("1.e1", "line 1, column 3", "digit"),
        ("1e", "line 1, column 3", "digit"),
        ("1e+", "line 1, column 4", "digit"), ("1e-", "line 1, column 4", "digit"),
        ("1eE2", "line 1, column 3", "digit"),
        ("1.2.3", "line 1, column 4", "nothing may follow"), ("0x1", "line 1, column 2", "nothing may follow"),
        ("1_000", "line 1, column 2", "nothing may follow"), ("1,5", "line 1, column 2", "nothing may follow"),
        ("\u{FF11}", "line 1, column 1", "U+FF11"), ("[\u{202E}1]", "line 1, column 2", "U+202E"),
        ("\u{1F600}", "line 1, column 1", "U+1F600"), ("1e400", "line 1, column 1", "too large"),
        ("[-1e+9999]", "line 1, column 2", "too large"), ("- 1", "line 1, column 2", "digit"),
        ("\"", "line 1, column 2", "inside a string"), ("\"a", "line 1, column 3", "inside a string"),
        ("'a'", "line 1, column 1", "single quote"), ("\"\\\"", "line 1, column 4", "inside a string"),
        ("\"\\", "line 1, column 2", "escape"), ("\"\\x41\"", "line 1, column 2", "escape"),
        ("\"\\u{41}\"", "line 1, column 2", "four hexadecimal"), ("\"\\'\"", "line 1, column 2", "escape"),
        ("\"\\0\"", "line 1, column 2", "escape"), ("\"\\U0041\"", "line 1, column 2", "escape"),
        ("\"\\é\"", "line 1, column 2", "escape"), ("\"\\u\"", "line 1, column 2", "four hexadecimal"),
        ("\"\\u00", "line 1, column 2", "four hexadecimal"), ("\"\\u00G0\"", "line 1, column 2", "four hexadecimal"),
        ("\"\\u+041\"", "line 1, column 2", "four hexadecimal"), ("\"a\\uD800\"", "line 1, column 3", "surrogate"),
        ("\"\\uDC00\"", "line 1, column 2", "surrogate"), ("\"\\uD800\\uD800\"", "line 1, column 2", "surrogate"),
        ("\"\\uDC00\\uD800\"", "line 1, column 2", "surrogate"), ("\"\\uD800x\"", "line 1, column 2", "surrogate"),
        ("\"\\uD800\\n\"", "line 1, column 2", "surrogate"),
        ("\"\\uD800\\u00\"", "line 1, column 8", "four hexadecimal"),
        ("\"a\tb\"", "line 1, column 3", "U+0009"), ("\"a\nb\"", "line 1, column 3", "U+000A"),
        ("\"\0\"", "line 1, column 2", "U+0000"), ("\"\u{1F}\"", "line 1, column 2", "U+001F"),
        ("[\u{A0}1]", "line 1, column 2", "a value"), ("[\u{C}1]", "line 1, column 2", "U+000C"),
        ("\u{FEFF}{}", "line 1, column 1", "byte order mark"), ("[\u{2060}]", "line 1, column 2", "a value"),
        ("[1\r\n,\r\n x]", "line 3, column 2", "x"),
    ]

    @Test("A text that is no JSON is refused with place and reason", arguments: refused)
    func refuses(text: String, place: String, reason: String) {
        let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: text) }
        let description = error?.description ?? ""
        #expect(description.hasPrefix(place + ": "), "\(description)")
        #expect(description.contains(reason), "\(description)")
    }

    static let badUTF8: [([UInt8], Int)] = [
        ([0x22, 0xFF, 0x22], 1), ([0x22, 0xC0, 0x80, 0x22], 1), ([0x22, 0x61, 0xC3, 0x22], 2), ([0x22, 0x80, 0x22], 1),
        ([0x22, 0xED, 0xA0, 0x80, 0x22], 1), ([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], 1), ([0xE9], 0),
        ([0x22, 0xE2, 0x82], 1),
        ([0xFF, 0xFE, 0x5B, 0x00, 0x5D, 0x00], 0), ([0x5B, 0x5D, 0xE5], 2),
        ([0x22, 0xF8, 0x88, 0x80, 0x80, 0x80, 0x22], 1),
    ]

    @Test("Bytes that are not UTF-8 are refused at the first one", arguments: badUTF8)
    func refusesBadUTF8(bytes: [UInt8], offset: Int) {
        let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: bytes) }
        #expect(error?.offset == offset)
        #expect(error?.message.contains("UTF-8") == true)
    }

    @Test("A message quotes a hostile key without its control characters and shortened")
    func quotesHostileKeys() {
        let key = "\\u001b[31m\\u202e" + String(repeating: "x", count: 5000)
        let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: "{\"\(key)\":1,\"\(key)\":2}") }
        let message = error?.message ?? "\u{1B}"
        #expect(!message.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
        #expect(message.utf8.count < 200)
    }

    @Test("Nesting is accepted up to its limit and refused one level deeper")
    func depth() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(try JSONValue(parsing: nested(128)).array?.count == 1)
        let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: nested(129)) }
        #expect(error?.message == "this is nested deeper than 128 levels")
        #expect(error?.offset == 128)
        #expect(throws: Never.self) { try JSONValue(parsing: nested(3), limits: JSONLimits(depth: 3)) }
        #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: nested(3), limits: JSONLimits(depth: 2)) }
        #expect(JSONLimits(depth: 1 << 40).depth == JSONLimits.deepest)
    }

    @Test("A million open brackets are refused, not a crash, and the deepest nesting fits a thread's stack")
    func deepNesting() async throws {
        let deep = JSONLimits(depth: .max)
        for opener in ["[", "{\"a\":", "[{\"a\":"] {
            #expect(throws: JSONSyntaxError.self) {
                try JSONValue(parsing: String(repeating: opener, count: 1_000_000), limits: deep)
            }
        }
        let depth = JSONLimits.deepest
        let text = String(repeating: "{\"a\":", count: depth) + "1" + String(repeating: "}", count: depth)
        let parsed = await Task.detached { try? JSONValue(parsing: text, limits: deep) }.value
        #expect(parsed?.serialized(.compact) == text)
    }

    @Test("A text beyond the limit of bytes is refused")
    func size() {
        #expect(throws: Never.self) { try JSONValue(parsing: "[1]", limits: JSONLimits(bytes: 3)) }
        let error = #expect(throws: JSONSyntaxError.self) {
            try JSONValue(parsing: "[1]", limits: JSONLimits(bytes: 2))
        }
        #expect(error?.message.contains("at most 2") == true)
    }

    @Test("A string of 10 MB survives there and back")
    func largeString() throws {
        let text = "\"" + String(repeating: "abcdefghi\\n", count: 1 << 20) + "\""
        let value = try JSONValue(parsing: text)
        #expect(value.string?.utf8.count == 10 << 20)
        #expect(value.serialized(.compact) == text)
    }

    @Test("Many members are found by key without a search through all")
    func manyMembers() throws {
        let text = "{" + (0..<50_000).map { "\"k\($0)\":\($0)" }.joined(separator: ",") + "}"
        let object = try #require(try JSONValue(parsing: text).object)
        #expect(object.count == 50_000)
        #expect((0..<50_000).allSatisfy { object["k\($0)"] == .integer($0) })
    }

    @Test("Slices and other collections of bytes parse like arrays")
    func collections() throws {
        #expect(try JSONValue(parsing: bytes("xx[1]xx")[2..<5]) == [1])
        #expect(try JSONValue(parsing: Data("{}".utf8)) == [:])
        #expect(try JSONValue(parsing: "[true]"[...].utf8) == [true])
    }
}
