/// The grammar of D-Bus type signatures.
///
/// sd-bus lets some malformed types through (`()` among them), and a bus answers those by ending the connection: one bad
/// argument would take every other probe of the pass with it. So types are checked here before anything is sent.
enum TypeSignature {
    /// Whether `text` is exactly one complete type.
    static func isSingle(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count <= lengthLimit, let end = endOfType(in: bytes, from: 0, depth: 0) else { return false }
        return end == bytes.count
    }

    /// How many bytes a signature may have, by the specification.
    static let lengthLimit = 255

    private static func isBasic(_ byte: UInt8) -> Bool {
        "ybnqiuxtdsogh".utf8.contains(byte)
    }

    private static func endOfType(in bytes: [UInt8], from start: Int, depth: Int) -> Int? {
        guard start < bytes.count, depth <= BusValue.depthLimit else { return nil }
        switch bytes[start] {
        case UInt8(ascii: "a"):
            let element = start + 1
            guard element < bytes.count, bytes[element] == UInt8(ascii: "{") else {
                return endOfType(in: bytes, from: element, depth: depth + 1)
            }
            guard element + 1 < bytes.count, isBasic(bytes[element + 1]),
                let end = endOfType(in: bytes, from: element + 2, depth: depth + 1),
                end < bytes.count, bytes[end] == UInt8(ascii: "}")
            else { return nil }
            return end + 1
        case UInt8(ascii: "("):
            var next = start + 1
            repeat {
                guard let end = endOfType(in: bytes, from: next, depth: depth + 1) else { return nil }
                next = end
            } while next < bytes.count && bytes[next] != UInt8(ascii: ")")
            return next < bytes.count ? next + 1 : nil
        case UInt8(ascii: "v"):
            return start + 1
        case let byte:
            return isBasic(byte) ? start + 1 : nil
        }
    }
}
