/// How much a parser takes on before it refuses a text.
public struct JSONLimits: Sendable, Hashable {
    /// The deepest nesting of arrays and objects; never more than ``deepest``.
    public var depth: Int {
        didSet { depth = min(depth, Self.deepest) }
    }
    /// The most bytes of a text.
    public var bytes: Int

    /// The nesting that the parser's stack is sure to hold.
    public static let deepest = 512
    /// 128 levels and 64 MiB.
    public static let standard = JSONLimits()

    /// Limits of one's own; a depth above ``deepest`` counts as that.
    public init(depth: Int = 128, bytes: Int = 64 << 20) {
        self.depth = min(depth, Self.deepest)
        self.bytes = bytes
    }
}
