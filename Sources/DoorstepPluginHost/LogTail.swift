/// The end of what a plugin wrote to its log.
struct LogTail {
    private static let kept = 2048

    /// How many bytes there were in all.
    private(set) var total = 0
    private var tail: [UInt8] = []

    mutating func append(_ bytes: ArraySlice<UInt8>) {
        total += bytes.count
        tail += bytes.suffix(Self.kept)
        if tail.count > Self.kept { tail.removeFirst(tail.count - Self.kept) }
    }

    /// A reason, followed by the log's last line where there is one.
    func appended(to reason: String) -> String {
        guard let line = lastLine else { return reason }
        return "\(reason); its log ends: \(line)"
    }

    /// The last line that isn't empty, without control characters.
    var lastLine: String? {
        for line in tail.split(separator: UInt8(ascii: "\n")).reversed() {
            let text = String(decoding: line, as: UTF8.self)
            var clean = ""
            for scalar in text.unicodeScalars where scalar.value >= 32 && !(0x7F...0x9F).contains(scalar.value) {
                clean.unicodeScalars.append(scalar)
            }
            if !clean.allSatisfy(\.isWhitespace) { return String(clean.suffix(200)) }
        }
        return nil
    }
}
