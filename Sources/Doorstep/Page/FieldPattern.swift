/// A regular expression that a whole text must match, in time that grows with the text's length and the pattern's alone.
///
/// Swift's `Regex` tries one way to match after the other, and of those a pattern such as `(a+)+` has more than can ever be
/// tried. Here all ways are followed at once, character by character. What one character may be, such as `[a-z]`, `\d` or
/// `.`, is still for `Regex` to say.
struct FieldPattern {
    /// Why a pattern can't be used.
    struct Fault: Error {
        /// What is wrong and what is accepted.
        let message: String
    }

    /// One place in the pattern that a match can be at.
    private enum Node {
        /// Takes one character that an atom accepts.
        case one(Int, next: Int)
        /// Goes on at both places.
        case fork(Int, Int)
        /// Goes on at the text's beginning, or its end, alone.
        case start(next: Int)
        case end(next: Int)
        /// The text has matched if it ends here.
        case accept
    }

    /// The most places: what repeats beyond that is no pattern that a person means.
    private static let nodeLimit = 20_000

    private var nodes: [Node] = [.accept]
    private var entry = 0
    private let atoms: [PatternAtom]

    /// Reads a pattern.
    init(_ pattern: String) throws(Fault) {
        guard (try? Regex(pattern)) != nil else {
            throw Fault(
                message: "this is not a regular expression; accepted are those of Swift's Regex, such as \"[a-z]+\"")
        }
        var reader = PatternReader(pattern)
        let tree = try reader.read()
        atoms = reader.atoms
        entry = try build(tree, next: 0)
    }

    /// Whether the whole text matches.
    func matches(_ text: String) -> Bool {
        let characters = Array(text)
        var places: [Int] = []
        var isKnown = [Bool](repeating: false, count: nodes.count)
        func follow(_ first: Int, at position: Int) {
            var left = [first]
            while let place = left.popLast() {
                if isKnown[place] { continue }
                isKnown[place] = true
                switch nodes[place] {
                case .one, .accept: places.append(place)
                case .fork(let one, let other): left += [other, one]
                case .start(let next): if position == 0 { left.append(next) }
                case .end(let next): if position == characters.count { left.append(next) }
                }
            }
        }
        follow(entry, at: 0)
        for (position, character) in characters.enumerated() {
            let current = places
            places = []
            for place in isKnown.indices { isKnown[place] = false }
            var answers: [Int: Bool] = [:]
            for place in current {
                guard case .one(let atom, let next) = nodes[place] else { continue }
                let isAccepted = answers[atom] ?? atoms[atom].accepts(character)
                answers[atom] = isAccepted
                if isAccepted { follow(next, at: position + 1) }
            }
            if places.isEmpty { return false }
        }
        return places.contains { if case .accept = nodes[$0] { true } else { false } }
    }

    private mutating func add(_ node: Node) throws(Fault) -> Int {
        if nodes.count >= Self.nodeLimit {
            throw Fault(message: "this pattern repeats more than can be followed; give its {…} smaller numbers")
        }
        nodes.append(node)
        return nodes.count - 1
    }

    /// Makes the places of a tree that is followed by a place, and answers with its first.
    private mutating func build(_ tree: PatternTree, next: Int) throws(Fault) -> Int {
        switch tree {
        case .one(let atom): return try add(.one(atom, next: next))
        case .start: return try add(.start(next: next))
        case .end: return try add(.end(next: next))
        case .sequence(let parts):
            var next = next
            for part in parts.reversed() { next = try build(part, next: next) }
            return next
        case .choice(let parts):
            var place = try build(parts[parts.count - 1], next: next)
            for part in parts.dropLast().reversed() { place = try add(.fork(try build(part, next: next), place)) }
            return place
        case .repeated(let part, let least, let most):
            var place = next
            if let most {
                for _ in least..<max(least, most) { place = try add(.fork(try build(part, next: place), next)) }
            } else {
                place = try add(.accept)
                nodes[place] = .fork(try build(part, next: place), next)
            }
            for _ in 0..<least {
                let first = try build(part, next: place)
                // A part without a place of its own, such as `()`, is as good once as a thousand times.
                if first == place { break }
                place = first
            }
            return place
        }
    }
}

/// What a pattern says, by its structure.
indirect enum PatternTree {
    /// One character, by the number of the atom that says which.
    case one(Int)
    /// The text's beginning, and its end.
    case start, end
    /// Parts one after the other.
    case sequence([PatternTree])
    /// One part of several.
    case choice([PatternTree])
    /// A part so many times.
    case repeated(PatternTree, least: Int, most: Int?)
}

/// What one character may be.
enum PatternAtom {
    /// This one.
    case character(Character)
    /// One that a regular expression for one character matches.
    case expression(Regex<AnyRegexOutput>)

    func accepts(_ character: Character) -> Bool {
        switch self {
        case .character(let wanted): character == wanted
        case .expression(let expression): (try? expression.wholeMatch(in: String(character))) != nil
        }
    }
}
