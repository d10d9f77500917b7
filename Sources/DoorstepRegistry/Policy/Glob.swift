/// Patterns in which `*` stands for any text, an empty one too.
package enum Glob {
    /// Whether a text is one that a pattern stands for.
    package static func matches(_ text: String, _ pattern: String) -> Bool {
        let (text, pattern) = (Array(text.utf8), Array(pattern.utf8))
        var (at, place) = (0, 0)
        var star: (pattern: Int, text: Int)?
        while at < text.count {
            if place < pattern.count, pattern[place] == UInt8(ascii: "*") {
                star = (place, at)
                place += 1
            } else if place < pattern.count, pattern[place] == text[at] {
                place += 1
                at += 1
            } else if let last = star {
                // The star takes one byte more; earlier stars never need to be looked at again.
                star = (last.pattern, last.text + 1)
                place = last.pattern + 1
                at = last.text + 1
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
