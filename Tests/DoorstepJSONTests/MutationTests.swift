import DoorstepTestSupport
import DoorstepJSON
import Foundation
import Testing

@Suite("Damaged documents are refused or read, and never trap")
struct MutationTests {
    static let document = #"""
        {"format": 1, "app": "com.example.aurora", "name": {"en": "Aurora", "ar": "أورورا", "x": "\ud83d\ude00\n"},
         "steps": [{"id": "a", "required": true, "minimum": -1.5e3, "n": [null, false, 0, 1234567890123]}, {}, []]}
        """#

    @Test("Whatever parses after random damage is valid to Foundation and round-trips", arguments: 1...8)
    func mutations(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
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
