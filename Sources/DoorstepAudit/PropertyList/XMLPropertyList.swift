/// The XML form, read as what property lists use of XML: elements without meaning in their attributes, texts with the
/// five entities and character references. Other entities are never expanded, and nothing outside the file is looked at.
struct XMLPropertyList {
    private let bytes: [UInt8]
    private var at = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func root() -> PropertyListValue? {
        guard case .open(let name, let isEmpty)? = tag(), name == "plist", !isEmpty else { return nil }
        guard case .open(let name, let isEmpty)? = tag() else { return nil }
        return value(name, isEmpty, 0)
    }

    private enum Tag {
        case open(String, isEmpty: Bool)
        case close(String)
    }

    /// The next tag; declarations, comments and what stands before it are passed over.
    private mutating func tag() -> Tag? {
        while let start = bytes[at...].firstIndex(of: UInt8(ascii: "<")) {
            at = start + 1
            if starts("!--") {
                guard let end = find("-->") else { return nil }
                at = end
                continue
            }
            guard let end = bytes[at...].firstIndex(of: UInt8(ascii: ">")) else { return nil }
            let inside = bytes[at..<end]
            // A document type with a subset of its own could declare entities: no property list has one.
            if inside.first == UInt8(ascii: "!"), inside.contains(UInt8(ascii: "[")) { return nil }
            at = end + 1
            guard let first = inside.first, first != UInt8(ascii: "?"), first != UInt8(ascii: "!") else { continue }
            let isEmpty = inside.last == UInt8(ascii: "/")
            let isClose = first == UInt8(ascii: "/")
            let name = (isClose ? inside.dropFirst() : inside).prefix { $0 > 0x20 && $0 != UInt8(ascii: "/") }
            let text = String(decoding: name, as: UTF8.self)
            return isClose ? .close(text) : .open(text, isEmpty: isEmpty)
        }
        return nil
    }

    private func starts(_ text: String) -> Bool { bytes[at...].starts(with: text.utf8) }

    private func find(_ text: String) -> Int? {
        let wanted = Array(text.utf8)
        var index = at
        while index + wanted.count <= bytes.count {
            if bytes[index..<index + wanted.count].elementsEqual(wanted) { return index + wanted.count }
            index += 1
        }
        return nil
    }

    private mutating func value(_ name: String, _ isEmpty: Bool, _ depth: Int) -> PropertyListValue? {
        guard depth < PropertyList.depthLimit else { return nil }
        switch name {
        case "true", "false":
            if !isEmpty, text(until: name) == nil { return nil }
            return .flag(name == "true")
        case "dict": return isEmpty ? .dictionary([:]) : dictionary(depth)
        case "array":
            if isEmpty { return .other }
            while let next = tag() {
                guard case .open(let inner, let isEmpty) = next else { return .other }
                if value(inner, isEmpty, depth + 1) == nil { return nil }
            }
            return nil
        case "string": return isEmpty ? .text("") : text(until: name).map(PropertyListValue.text)
        case "integer": return text(until: name).flatMap { Int64(Self.trimmed($0)) }.map(PropertyListValue.integer)
        case "real": return text(until: name).flatMap { Double(Self.trimmed($0)) }.map(PropertyListValue.real)
        case "date", "data": return isEmpty || text(until: name) != nil ? .other : nil
        default: return nil
        }
    }

    private mutating func dictionary(_ depth: Int) -> PropertyListValue? {
        var dictionary: [String: PropertyListValue] = [:]
        while let next = tag() {
            switch next {
            case .close("dict"): return .dictionary(dictionary)
            case .open("key", let isEmpty):
                guard let key = isEmpty ? "" : text(until: "key"), case .open(let name, let empty)? = tag(),
                    let found = value(name, empty, depth + 1)
                else { return nil }
                dictionary[key] = found
            default: return nil
            }
        }
        return nil
    }

    /// The text up to an element's end, which is passed over.
    private mutating func text(until name: String) -> String? {
        var text: [UInt8] = []
        while at < bytes.count {
            switch bytes[at] {
            case UInt8(ascii: "<"):
                if starts("<![CDATA[") {
                    at += 9
                    let start = at
                    guard let end = find("]]>") else { return nil }
                    text += bytes[start..<end - 3]
                    at = end
                    continue
                }
                guard case .close(name)? = tag() else { return nil }
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "&"):
                guard let end = bytes[at...].prefix(12).firstIndex(of: UInt8(ascii: ";")),
                    let scalar = Self.entity(String(decoding: bytes[at + 1..<end], as: UTF8.self))
                else { return nil }
                text += Array(String(Character(scalar)).utf8)
                at = end + 1
            default:
                text.append(bytes[at])
                at += 1
            }
        }
        return nil
    }

    private static func entity(_ name: String) -> Unicode.Scalar? {
        switch name {
        case "amp": "&"
        case "lt": "<"
        case "gt": ">"
        case "quot": "\""
        case "apos": "'"
        case _ where name.hasPrefix("#x"): UInt32(name.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
        case _ where name.hasPrefix("#"): UInt32(name.dropFirst()).flatMap(Unicode.Scalar.init)
        default: nil
        }
    }

    private static func trimmed(_ text: String) -> Substring {
        var text = text[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
