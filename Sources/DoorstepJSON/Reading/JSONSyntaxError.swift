/// Why a text is not JSON, and where.
public struct JSONSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The line, from 1; lines end with a newline.
    public let line: Int
    /// The column in characters as a person counts them, from 1.
    public let column: Int
    /// The byte, from 0.
    public let offset: Int
    /// The reason in one clause.
    public let message: String

    /// For example `line 3, column 12: the key "app" stands twice`.
    public var description: String { "line \(line), column \(column): \(message)" }

    /// Finds line and column of a byte, before which everything is valid UTF-8.
    init(_ message: String, at offset: Int, in bytes: [UInt8]) {
        let newline = UInt8(ascii: "\n")
        let before = bytes[..<offset]
        let start = before.lastIndex(of: newline).map { $0 + 1 } ?? 0
        self.line = before.reduce(1) { $1 == newline ? $0 + 1 : $0 }
        self.column = String(decoding: before[start...], as: UTF8.self).count + 1
        self.offset = offset
        self.message = message
    }
}
