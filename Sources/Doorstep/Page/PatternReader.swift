/// Reads the structure of a regular expression: groups, `|`, and how often what is repeated.
struct PatternReader {
    /// How deep groups may stand in each other.
    private static let depthLimit = 250
    private static let accepted =
        "accepted are characters, classes such as [a-z] and \\d, groups, |, and repetitions such as *, + and {2,4}"

    /// What single characters of the text may be, as far as it was read.
    private(set) var atoms: [PatternAtom] = []
    private var known: [String: Int] = [:]
    private let characters: [Character]
    private var place = 0
    private var ignoresCase = false

    init(_ pattern: String) {
        characters = Array(pattern)
    }

    /// Reads the whole pattern.
    mutating func read() throws(FieldPattern.Fault) -> PatternTree {
        if take("(?i)") { ignoresCase = true }
        let tree = try choice(depth: 0)
        guard place == characters.count else { throw unusable("a bracket that closes nothing") }
        return tree
    }

    private var next: Character? { place < characters.count ? characters[place] : nil }

    private mutating func take(_ text: String) -> Bool {
        guard characters[place...].starts(with: text) else { return false }
        place += text.count
        return true
    }

    private func unusable(_ what: String) -> FieldPattern.Fault {
        FieldPattern.Fault(message: "\(what) can't be used in a pattern; \(Self.accepted)")
    }

    private mutating func choice(depth: Int) throws(FieldPattern.Fault) -> PatternTree {
        if depth > Self.depthLimit { throw unusable("a group in more than \(Self.depthLimit) others") }
        var parts = [try sequence(depth: depth)]
        while take("|") { parts.append(try sequence(depth: depth)) }
        return parts.count == 1 ? parts[0] : .choice(parts)
    }

    private mutating func sequence(depth: Int) throws(FieldPattern.Fault) -> PatternTree {
        var parts: [PatternTree] = []
        while let next, next != "|", next != ")" {
            let part = try single(depth: depth)
            parts.append(try repeated(part))
        }
        return .sequence(parts)
    }

    private mutating func single(depth: Int) throws(FieldPattern.Fault) -> PatternTree {
        switch characters[place] {
        case "(": return try group(depth: depth)
        case "^":
            place += 1
            return .start
        case "$":
            place += 1
            return .end
        case "[": return try expression(try classText())
        case ".":
            place += 1
            return try expression(".")
        case "\\": return try escaped()
        case let literal:
            place += 1
            // In a class nothing but a few characters means anything but itself.
            return ignoresCase ? try expression("[\(literal)]") : atom("\(literal)", .character(literal))
        }
    }

    private mutating func group(depth: Int) throws(FieldPattern.Fault) -> PatternTree {
        place += 1
        if next == "?" {
            guard take("?:") || takeName() else {
                throw unusable("a group that begins with \"(\(String(characters[place...].prefix(2)))\"")
            }
        } else if next == "*" {
            throw unusable("a group that begins with \"(*\"")
        }
        let tree = try choice(depth: depth + 1)
        guard take(")") else { throw unusable("a group without an end") }
        return tree
    }

    /// Takes a group's name: it says nothing of what matches.
    private mutating func takeName() -> Bool {
        guard characters[place...].starts(with: "?<"), place + 2 < characters.count, characters[place + 2].isLetter,
            let end = characters[place...].firstIndex(of: ">")
        else { return false }
        place = end + 1
        return true
    }

    private mutating func repeated(_ part: PatternTree) throws(FieldPattern.Fault) -> PatternTree {
        var part = part
        while let (least, most) = try takeQuantifier() {
            // Whether it prefers more or fewer is nothing to a match of the whole.
            if !take("?"), next == "+" { throw unusable("a repetition that gives nothing back, such as \"*+\"") }
            part = .repeated(part, least: least, most: most)
        }
        return part
    }

    private mutating func takeQuantifier() throws(FieldPattern.Fault) -> (least: Int, most: Int?)? {
        if take("*") { return (0, nil) }
        if take("+") { return (1, nil) }
        if take("?") { return (0, 1) }
        guard next == "{", let end = characters[place...].firstIndex(of: "}") else { return nil }
        let parts = characters[(place + 1)..<end].split(separator: ",", omittingEmptySubsequences: false)
        if characters[(place + 1)..<end].contains(" ") { throw unusable("a blank between braces") }
        // Whatever else stands in braces, such as a sign, stands for itself.
        guard (1...2).contains(parts.count), parts.allSatisfy({ $0.allSatisfy { ("0"..."9") ~= $0 } }),
            parts.contains(where: { !$0.isEmpty })
        else { return nil }
        var numbers: [Int?] = []
        for part in parts {
            let number = Int(String(part))
            guard part.isEmpty || number.map({ $0 <= 1000 }) == true else {
                throw unusable("a repetition of more than 1000 times")
            }
            numbers.append(number)
        }
        place = end + 1
        return (numbers[0] ?? 0, parts.count == 1 ? numbers[0] : numbers[1])
    }

    /// The text of a class, from its bracket to the one that ends it.
    private mutating func classText() throws(FieldPattern.Fault) -> String {
        let start = place
        var depth = 0
        repeat {
            guard let character = next else { throw unusable("a class without an end") }
            place += 1
            switch character {
            case "\\": place += 1
            case "[":
                depth += 1
                _ = take("^")
                // A bracket that comes first stands for itself.
                _ = take("]")
            case "]": depth -= 1
            default: break
            }
        } while depth > 0
        return String(characters[start..<min(place, characters.count)])
    }

    private mutating func escaped() throws(FieldPattern.Fault) -> PatternTree {
        let start = place
        place += 1
        guard let character = next else { throw unusable("a \\ at the end") }
        place += 1
        switch character {
        case "d", "D", "w", "W", "s", "S", "h", "H", "v", "V", "N", "t", "n", "r", "f", "e", "a": break
        case "p", "P", "x", "u":
            if next == "{", let end = characters[place...].firstIndex(of: "}") {
                place = end + 1
            } else {
                let length = character == "u" ? 4 : character == "x" ? 2 : 1
                place = min(place + length, characters.count)
            }
        case _ where character.isLetter || character.isNumber: throw unusable("\"\\\(character)\"")
        default: break
        }
        return try expression(String(characters[start..<place]))
    }

    private mutating func expression(_ text: String) throws(FieldPattern.Fault) -> PatternTree {
        if let known = known[text] { return .one(known) }
        guard let expression = try? Regex((ignoresCase ? "(?i)" : "") + text) else { throw unusable("\"\(text)\"") }
        return atom(text, .expression(expression))
    }

    private mutating func atom(_ text: String, _ atom: PatternAtom) -> PatternTree {
        if let known = known[text] { return .one(known) }
        atoms.append(atom)
        known[text] = atoms.count - 1
        return .one(atoms.count - 1)
    }
}
