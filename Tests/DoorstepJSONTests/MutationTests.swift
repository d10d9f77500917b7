import DoorstepJSON
import Foundation
import Testing

/// SplitMix64: the same mutations on every run.
private struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

@Suite("Damaged documents are refused or read, and never trap")
struct MutationTests {
    static let document = #"""
        {"format": 1, "app": "com.example.aurora", "name": {"en": "Aurora", "ar": "أورورا", "x": "\ud83d\ude00\n"},
         "steps": [{"id": "a", "required": true, "minimum": -1.5e3, "n": [null, false, 0, 1234567890123]}, {}, []]}
        """#

    @Test("Whatever parses after random damage is valid to Foundation and round-trips", arguments: 1...8)
    func mutations(seed: Int) throws {
        var generator = Generator(state: UInt64(seed))
        let spice = Array("\"\\{}[]:,0123456789.eE+-truefalsn \n\t/u\u{0}".utf8) + [0x80, 0xC3, 0xED, 0xF0, 0xFF]
        for _ in 0..<1500 {
            var bytes = Array(Self.document.utf8)
            for _ in 0..<Int.random(in: 1...3, using: &generator) where !bytes.isEmpty {
                let place = Int.random(in: bytes.indices, using: &generator)
                let spiceByte = spice[Int.random(in: spice.indices, using: &generator)]
                switch Int.random(in: 0..<5, using: &generator) {
                case 0: bytes[place] = spiceByte
                case 1: bytes.insert(spiceByte, at: place)
                case 2: bytes.remove(at: place)
                case 3: bytes.removeSubrange(place...)
                default: bytes += bytes[place...]
                }
            }
            do throws(JSONSyntaxError) {
                let value = try JSONValue(parsing: bytes)
                let text = value.serialized(.pretty)
                #expect(try JSONValue(parsing: text) == value)
                // Foundation reads the same value, so our leniency could not hide here.
                let theirs =
                    try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed) as? NSObject
                let ours =
                    try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed) as? NSObject
                #expect(theirs != nil && theirs == ours, "\(String(decoding: bytes, as: UTF8.self))")
            } catch {
                #expect(error.line >= 1 && error.column >= 1 && (0...bytes.count).contains(error.offset))
            }
        }
    }

    @Test("Every truncation of a document is refused")
    func truncations() {
        let bytes = Array(Self.document.utf8)
        for end in bytes.indices {
            #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: bytes[..<end]) }
        }
    }
}
