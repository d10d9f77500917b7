/// A version made of numbers and dots, compared number by number: 1.10 is newer than 1.9, and 2 is 2.0.
struct VersionNumber: Comparable, CustomStringConvertible, Sendable {
    private let parts: [Int]
    let description: String

    /// A version from text that is nothing else; nil for anything but numbers and dots.
    init?(_ text: some StringProtocol) {
        var parts: [Int] = []
        for part in text.split(separator: ".", omittingEmptySubsequences: false) {
            guard !part.isEmpty, part.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(part) else {
                return nil
            }
            parts.append(number)
        }
        self.parts = parts
        description = String(text)
    }

    /// The first version in a program's output: a number with a dot in it, or else the first number.
    init?(firstIn output: String) {
        var numbers: [VersionNumber] = []
        for run in output.split(whereSeparator: { !($0.isASCII && $0.isNumber) && $0 != "." }) {
            let trimmed = run.drop { $0 == "." }
            let end = trimmed.lastIndex { $0 != "." }.map { trimmed.index(after: $0) } ?? trimmed.startIndex
            if let version = VersionNumber(trimmed[..<end]) { numbers.append(version) }
        }
        guard let version = numbers.first(where: { $0.parts.count > 1 }) ?? numbers.first else { return nil }
        self = version
    }

    static func < (left: VersionNumber, right: VersionNumber) -> Bool {
        for index in 0..<max(left.parts.count, right.parts.count) {
            let (mine, other) = (left.part(index), right.part(index))
            if mine != other { return mine < other }
        }
        return false
    }

    static func == (left: VersionNumber, right: VersionNumber) -> Bool {
        !(left < right) && !(right < left)
    }

    private func part(_ index: Int) -> Int { index < parts.count ? parts[index] : 0 }
}
