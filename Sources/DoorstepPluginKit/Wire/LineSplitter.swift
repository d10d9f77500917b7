/// Cuts a stream of bytes into lines, and refuses a line beyond the limit before it is read whole.
public struct LineSplitter: Sendable {
    private let limit: Int
    private var bytes: [UInt8] = []
    /// Where the first unread byte stands, and up to where no line end was found.
    private var start = 0
    private var searched = 0

    /// A splitter for lines of at most so many bytes, their ends not counted.
    public init(limit: Int = PluginProtocol.maximumLine) {
        self.limit = limit
    }

    /// Takes bytes in.
    public mutating func append(_ more: some Sequence<UInt8>) {
        if start == bytes.count {
            bytes.removeAll(keepingCapacity: true)
            start = 0
            searched = 0
        } else if start > limit {
            bytes.removeFirst(start)
            searched -= start
            start = 0
        }
        bytes.append(contentsOf: more)
    }

    /// How many bytes of a line without its end there are.
    public var pending: Int { bytes.count - start }

    /// The next whole line without its end, or nil until there is one.
    ///
    /// - Throws: ``PluginMessageError`` for a line beyond the limit; there is no reading on after it.
    public mutating func next() throws(PluginMessageError) -> [UInt8]? {
        guard let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
            searched = bytes.count
            if pending > limit { throw tooLong }
            return nil
        }
        if end - start > limit { throw tooLong }
        let line = Array(bytes[start..<end])
        start = end + 1
        searched = start
        return line
    }

    private var tooLong: PluginMessageError {
        PluginMessageError("a line is longer than \(limit) bytes")
    }
}
