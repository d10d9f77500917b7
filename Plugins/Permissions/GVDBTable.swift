/// A table of a GVDB file, the form in which dconf keeps settings and the permission store its decisions.
///
/// It is read as it stands, without GLib, and never written. Each offset in it is checked before it is followed, so damage
/// is told and never crashes.
struct GVDBTable: Sendable {
    /// The bytes aren't what GVDB writes.
    struct Damaged: Error {}

    private let file: [UInt8]
    /// Where the table's items begin, 24 bytes each.
    private let items: Int
    private let itemCount: Int

    /// The table that a file begins with.
    init(_ file: [UInt8]) throws(Damaged) {
        // The signature of the byte order that this machine has too, then a version that has always been 0.
        guard file.starts(with: Array("GVariant".utf8)), Self.number(in: file, at: 8) == 0 else { throw Damaged() }
        try self.init(file, at: 16)
    }

    /// The table that a pointer leads to.
    private init(_ file: [UInt8], at pointer: Int) throws(Damaged) {
        let place = try Self.range(in: file, at: pointer)
        guard place.count >= 8, let filter = Self.number(in: file, at: place.lowerBound),
            let buckets = Self.number(in: file, at: place.lowerBound + 4)
        else { throw Damaged() }
        // The filter's upper bits are about how it is used; both tables only speed a search up.
        let start = place.lowerBound + 8 + 4 * ((filter & 0x7FF_FFFF) + buckets)
        guard start <= place.upperBound, (place.upperBound - start) % 24 == 0 else { throw Damaged() }
        self.file = file
        items = start
        itemCount = (place.upperBound - start) / 24
    }

    /// A value, or nil where the table has none of that name.
    func value(_ key: String) throws(Damaged) -> GVariant? {
        guard let item = try item(key, type: UInt8(ascii: "v")) else { return nil }
        let place = try Self.range(in: file, at: item + 16)
        guard let value = GVariant(.variant, in: file[place]) else { throw Damaged() }
        return value
    }

    /// A table inside the table, or nil where it has none of that name.
    func table(_ key: String) throws(Damaged) -> GVDBTable? {
        guard let item = try item(key, type: UInt8(ascii: "H")) else { return nil }
        return try GVDBTable(file, at: item + 16)
    }

    private func item(_ key: String, type: UInt8) throws(Damaged) -> Int? {
        let wanted = Array(key.utf8)
        // Its bytes count as signed ones.
        let hash = wanted.reduce(5381 as UInt32) { $0 &* 33 &+ UInt32(bitPattern: Int32(Int8(bitPattern: $1))) }
        for index in 0..<itemCount {
            let item = items + 24 * index
            guard Self.number(in: file, at: item) == Int(hash), file[item + 14] == type else { continue }
            if try isNamed(item, wanted) { return item }
        }
        return nil
    }

    /// Whether an item's name, which begins with its parents' names, is this one.
    private func isNamed(_ item: Int, _ name: [UInt8]) throws(Damaged) -> Bool {
        var item = item
        var rest = name[...]
        for _ in 0...itemCount {
            guard let start = Self.number(in: file, at: item + 8), let parent = Self.number(in: file, at: item + 4),
                start + Self.length(in: file, at: item + 12) <= file.count
            else { throw Damaged() }
            let part = file[start..<(start + Self.length(in: file, at: item + 12))]
            guard rest.suffix(part.count).elementsEqual(part) else { return false }
            rest = rest.dropLast(part.count)
            if parent == 0xFFFF_FFFF { return rest.isEmpty }
            guard parent < itemCount else { throw Damaged() }
            item = items + 24 * parent
        }
        // Parents that lead back to their children.
        throw Damaged()
    }

    private static func range(in file: [UInt8], at place: Int) throws(Damaged) -> Range<Int> {
        guard let start = number(in: file, at: place), let end = number(in: file, at: place + 4), start <= end,
            end <= file.count
        else { throw Damaged() }
        return start..<end
    }

    private static func number(in file: [UInt8], at place: Int) -> Int? {
        guard place + 4 <= file.count else { return nil }
        var number = 0
        for index in (0..<4).reversed() { number = number << 8 | Int(file[place + index]) }
        return number
    }

    /// The 16 bits of a name's length, inside an item that is known to be there.
    private static func length(in file: [UInt8], at place: Int) -> Int {
        Int(file[place]) | Int(file[place + 1]) << 8
    }
}
