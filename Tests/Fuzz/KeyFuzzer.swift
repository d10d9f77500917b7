@testable import DoorstepTerminal

/// What a terminal sends: it comes to the same keys in whatever pieces, and nothing is kept for ever.
enum KeyFuzzer {
    static func run(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        let input = Array(bytes.dropFirst())
        var whole = KeyDecoder()
        let keys = whole.keys(input) + whole.flush()
        var pieces = KeyDecoder()
        var found: [Key] = []
        let piece = max(1, Int(first % 16))
        for start in stride(from: 0, to: input.count, by: piece) {
            found += pieces.keys(input[start..<min(start + piece, input.count)])
        }
        found += pieces.flush()
        precondition(text(keys) == text(found), "the keys depend on the pieces: \(keys) and \(found)")
        precondition(!whole.isWaiting && !pieces.isWaiting, "something is kept after all was read")
        for key in keys {
            if case .paste(let text) = key { _ = PrintableText.singleLine(text) }
        }
    }

    /// The keys in one text: what two pieces make of one character may be two.
    private static func text(_ keys: [Key]) -> String {
        keys.map { key in
            if case .character(let character) = key { String(character) } else { "<\(key)>" }
        }.joined()
    }
}
