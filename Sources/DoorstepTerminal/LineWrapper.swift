/// Breaks text into lines of a number of terminal cells.
///
/// Lines break at white space, and between East Asian characters, where a closing mark never begins a line and an
/// opening one never ends it, unless a line has room for nothing else. A word that is longer than a line is broken.
/// Nothing is lost but the white space at breaks.
///
/// ```swift
/// LineWrapper(columns: 40).lines(of: "A long text …", first: "1) ", rest: "   ")
/// ```
public struct LineWrapper: Sendable, Hashable {
    /// The fewest columns that a wrapper works with.
    public static let minimumColumns = 10

    /// The cells that a line has.
    public let columns: Int

    /// A wrapper for lines of `columns` cells, ``minimumColumns`` where that is less.
    public init(columns: Int) {
        self.columns = max(columns, Self.minimumColumns)
    }

    /// The lines of a text; a line end in it always ends a line, and empty text is one empty line.
    ///
    /// - Parameters:
    ///   - text: The text, printable apart from its line ends.
    ///   - first: What stands before the first line, for example a list's number.
    ///   - rest: What stands before every other line.
    public func lines(of text: String, first: String = "", rest: String = "") -> [String] {
        var lines: [String] = []
        for part in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            var line = Line(prefix: lines.isEmpty ? first : rest, columns: columns)
            for unit in Self.units(of: part) {
                place(unit, on: &line, lines: &lines, rest: rest)
            }
            lines.append(line.text)
        }
        return lines
    }

    private func place(_ unit: Unit, on line: inout Line, lines: inout [String], rest: String) {
        if line.append(unit, withSpace: true) { return }
        if !line.isEmpty {
            lines.append(line.text)
            line = Line(prefix: rest, columns: columns)
            if line.append(unit, withSpace: false) { return }
        }
        for piece in unit.pieces(upTo: line.room) {
            if line.append(piece, withSpace: false) { continue }
            lines.append(line.text)
            line = Line(prefix: rest, columns: columns)
            _ = line.append(piece, withSpace: false)
        }
    }

    /// What can't be broken, each with the white space before it. White space at the end is dropped.
    private static func units(of text: Substring) -> [Unit] {
        var units: [Unit] = []
        var unit = Unit()
        var previous: Character?
        for character in text {
            if character.isBreakingSpace {
                if !unit.word.isEmpty {
                    units.append(unit)
                    unit = Unit()
                }
                unit.space.append(character)
                unit.spaceWidth += CellWidth.of(character)
                previous = nil
                continue
            }
            if let previous, canBreak(between: previous, and: character) {
                units.append(unit)
                unit = Unit()
            }
            unit.word.append(character)
            unit.width += CellWidth.of(character)
            previous = character
        }
        if !unit.word.isEmpty { units.append(unit) }
        return units
    }

    private static func canBreak(between left: Character, and right: Character) -> Bool {
        guard left.isEastAsian || right.isEastAsian else { return false }
        return !right.neverBeginsLine && !left.neverEndsLine
    }
}

/// A piece of text without a place to break, and the white space before it.
private struct Unit {
    var space = ""
    var spaceWidth = 0
    var word = ""
    var width = 0

    init() {}

    init(word: String, width: Int) {
        self.word = word
        self.width = width
    }

    /// The word in its characters; one that takes more than `room` cells by itself in its scalars.
    func pieces(upTo room: Int) -> [Unit] {
        word.flatMap { character -> [Unit] in
            let width = CellWidth.of(character)
            if width <= room { return [Unit(word: String(character), width: width)] }
            return character.unicodeScalars.map { Unit(word: String($0), width: CellWidth.of($0)) }
        }
    }
}

/// A line that fills up.
private struct Line {
    private(set) var text: String
    private(set) var isEmpty = true
    private(set) var room: Int

    init(prefix: String, columns: Int) {
        let width = CellWidth.of(prefix)
        // A prefix that leaves no room for a wide character gives way.
        text = width + 2 <= columns ? prefix : ""
        room = width + 2 <= columns ? columns - width : columns
    }

    /// Takes a unit if there is room for it.
    mutating func append(_ unit: Unit, withSpace: Bool) -> Bool {
        let width = unit.width + (withSpace ? unit.spaceWidth : 0)
        if width > room { return false }
        if withSpace { text += unit.space }
        text += unit.word
        room -= width
        isEmpty = false
        return true
    }
}

extension Character {
    /// White space that a line may end at; ZERO WIDTH SPACE is made for it, no-break spaces are not.
    var isBreakingSpace: Bool {
        if self == "\u{200B}" { return true }
        // A mark can stand on a space, and must not be dropped with it.
        return isWhitespace && unicodeScalars.count == 1 && self != "\u{A0}" && self != "\u{202F}" && self != "\u{2007}"
    }

    /// Whether lines may break beside it: Han, Kana, Bopomofo and their punctuation. Korean breaks between words.
    fileprivate var isEastAsian: Bool {
        guard let first = unicodeScalars.first else { return false }
        switch first.value {
        case 0x2E80...0x312F, 0x3190...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0xFE30...0xFE4F, 0xFF01...0xFF9F,
            0x20000...0x3FFFF:
            return true
        default:
            return false
        }
    }

    fileprivate var neverBeginsLine: Bool { Self.closing.contains(self) }

    fileprivate var neverEndsLine: Bool { Self.opening.contains(self) }

    private static let closing = Set(
        "、。，．・：；？！」』）］｝〕〉》】〙〗〟’”»｡､｣゛゜ーｰ々〻ゝゞヽヾ…‥ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ)]}.,:;?!%％")

    private static let opening = Set("「『（［｛〔〈《【〘〖〝‘“«｢([{")
}
