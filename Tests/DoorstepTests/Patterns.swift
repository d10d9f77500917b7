import Testing

@testable import Doorstep

@Suite("Patterns of fields")
struct Patterns {
    /// A sequence of numbers that is the same at each run.
    private struct Dice: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ (state >> 29)
        }
    }

    private static let texts = [
        "", "a", "b", "ab", "ba", "aab", "aba", "a-b", "ada@example.org", "A", "é", "e\u{301}", "日本", "1", "12-34",
        "a b",
        "👩🏽‍🚀", "ß", "x.y", "]", "^", "a{", "a{-3}", "a{+2}", "a{}", "-",
    ]

    /// Whether Swift's own `Regex` matches.
    private func reference(_ pattern: String, _ text: String) throws -> Bool {
        try Regex(pattern).wholeMatch(in: text) != nil
    }

    @Test(
        "a pattern matches what Swift's Regex matches",
        arguments: [
            "a", "a*", "a+b?", "(a|b)*", "(?:a|ab)(?:b|)", "a{2}b", "a{1,2}b", "a{0,}b", "a{,2}b", "[a-c]+", "[^a]+",
            "[]a]+",
            "[^]a]+", "[a-z&&[^b]]+", "[[:alpha:]]+", "[\\]a]", "\\w+", "\\d{1,2}-\\d{2}", "\\p{L}+", "\\p{Han}+", ".",
            "..",
            ".*", "^a$", "a^b", "(^a|b$)+", "a$|^b", "[a-z0-9]+(-[a-z0-9]+)*", "[^@ ]+@[^@ ]+\\.[a-z]{2,}", "x\\.y",
            "(?<name>a+)b", "a+?b", "a??b", "(?i)a+B", "(?i)[a-b]*", "é", "e\u{301}", "\\u00e9", "\\u{e9}", "\\x61",
            "a\\{", "a{-3}", "a{+2}", "a{}", "(){2}", "(a{0}){3}b",
            "(a*)*", "(a*)+b", "((a|b)?)*", "\\^", "\\[a", "\\s?a", "(|a)b", "()", "a|", "\\-", "[\\w-]+", "[-a]+",
            "a{",
            "\\W+", "\\S \\S",
        ])
    func agrees(pattern: String) throws {
        guard (try? Regex(pattern)) != nil else {
            #expect(throws: FieldPattern.Fault.self) { try FieldPattern(pattern) }
            return
        }
        let mine = try FieldPattern(pattern)
        for text in Self.texts {
            #expect(try mine.matches(text) == reference(pattern, text), "\(pattern) on \"\(text)\"")
        }
    }

    @Test("patterns that nobody would think of match what Swift's Regex matches", arguments: 0..<300)
    func agreesAnywhere(seed: Int) throws {
        var dice = Dice(state: UInt64(seed) &* 7919 &+ 11)
        func pattern(_ depth: Int) -> String {
            switch Int.random(in: 0..<(depth > 3 ? 3 : 8), using: &dice) {
            case 0: return "a"
            case 1: return "b"
            case 2: return ["[ab]", "[^a]", ".", "\\w"].randomElement(using: &dice)!
            case 3: return pattern(depth + 1) + pattern(depth + 1)
            case 4: return "(\(pattern(depth + 1))|\(pattern(depth + 1)))"
            default:
                let times = ["*", "+", "?", "{2}", "{1,3}", "{0,2}", "*?", "+?"].randomElement(using: &dice)!
                return "(?:\(pattern(depth + 1)))\(times)"
            }
        }
        let made = pattern(0)
        let mine = try FieldPattern(made)
        for length in 0...5 {
            for bits in 0..<(1 << length) {
                let text = String((0..<length).map { bits >> $0 & 1 == 0 ? "a" : "b" })
                #expect(try mine.matches(text) == reference(made, text), "\(made) on \"\(text)\"")
            }
        }
    }

    @Test(
        "no pattern takes long, however many ways there are to match",
        arguments: [
            "(a+)+", "(a|a)*b", "(a*)*b", "(a|aa)+$", "a*a*a*a*a*a*a*b", "(.*)(.*)(.*)(.*)[^a]",
            "((a{0,9}){0,9}){0,9}b", "(((){1000}){1000}){1000}b", "(((a{0}){1000}){1000}){1000}b",
        ])
    func endless(pattern: String) throws {
        let text = String(repeating: "a", count: 255) + "!"
        // Trying one way after the other, none of these would end before the tests do.
        #expect(try FieldPattern(pattern).matches(text) == (pattern == "(.*)(.*)(.*)(.*)[^a]"))
    }

    @Test(
        "what can't be followed is refused with what is accepted",
        arguments: [
            "(?=a)a", "(?!b)a", "(?<=a)b", "(?<!a)b", "(a)\\1", "a*+", "(?>a)", "\\ba", "(?x) a", "(?s).", "a(?i)b",
            "\\Aa", "(*a)",
            "\\Qa\\E", "a{1001}", "a{ 2}",
        ])
    func refused(pattern: String) throws {
        let fault = try #require(StepField.fault(inPattern: pattern))
        #expect(fault.contains("accepted are"), "\(fault)")
    }

    @Test(
        "a pattern that isn't one, or repeats without measure, is refused", arguments: ["(", "[", "*", "a{2,1}", "a)"])
    func noPattern(pattern: String) {
        #expect(StepField.fault(inPattern: pattern)?.contains("is not a regular expression") == true)
        #expect(StepField.fault(inPattern: "((a{100}){100}){100}")?.contains("smaller numbers") == true)
    }

    @Test func `A field's pattern is read once, for all its copies, and anew where the field gets another`() throws {
        func kind(_ pattern: String) -> StepField.Kind { .text(length: 0...9, pattern: pattern, initial: nil) }
        var field = StepField(key: "key", label: "Label", kind: kind("[a-z]+"))
        let copy = field
        let kept = try #require(field.pattern)
        #expect(!kept.isRead)
        #expect(field.fault(in: .text("Ada")) == .noPattern)
        #expect(kept.isRead)
        #expect(copy.pattern === kept)
        #expect(copy.fault(in: .text("ada")) == nil)
        #expect(copy == StepField(key: "key", label: "Label", kind: kind("[a-z]+")))
        field.kind = kind("[A-Z]+")
        #expect(field.pattern?.isRead == false)
        #expect(field.fault(in: .text("ADA")) == nil)
        #expect(field.fault(in: .text("ada")) == .noPattern)
        #expect(copy.fault(in: .text("ada")) == nil)
        #expect(field != copy)
    }

    @Test func `A pattern that isn't one lets nothing through, however often it is asked`() {
        let field = StepField(key: "key", label: "Label", kind: .text(length: 0...9, pattern: "(", initial: nil))
        for _ in 0..<2 { #expect(field.fault(in: .text("(")) == .noPattern) }
    }
}
