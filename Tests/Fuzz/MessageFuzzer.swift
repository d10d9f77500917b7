import DoorstepPluginKit

/// The decoder of the plugin protocol, from bytes in pieces to messages.
///
/// A message that is read must be the same after it is written and read again; everything else may be refused.
enum MessageFuzzer {
    /// Cuts the bytes into pieces as a pipe might, and reads what lines there are.
    static func run(_ bytes: [UInt8]) {
        // The first byte says how large the pieces are.
        let piece = max(1, Int(bytes.first ?? 1))
        var splitter = LineSplitter(limit: 4096)
        var lines: [[UInt8]] = []
        var isRefused = false
        var place = 0
        while place < bytes.count, !isRefused {
            let end = min(place + piece, bytes.count)
            splitter.append(bytes[place..<end])
            place = end
            do throws(PluginMessageError) {
                while let line = try splitter.next() { lines.append(line) }
            } catch {
                isRefused = true
            }
        }
        let whole = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
        precondition(Array(whole.prefix(lines.count)) == lines, "the lines depend on the pieces")
        for line in isRefused ? lines : whole {
            if let message = try? PluginMessage(line: line) {
                let again = try? PluginMessage(line: Array(message.line.utf8))
                precondition(
                    again == message, "a plugin's message changed: \(message) became \(String(describing: again))")
                precondition(!message.line.contains("\n"), "a line end in a line")
            }
            if let message = try? HostMessage(line: line) {
                let again = try? HostMessage(line: Array(message.line.utf8))
                precondition(
                    again == message, "a host's message changed: \(message) became \(String(describing: again))")
                precondition(!message.line.contains("\n"), "a line end in a line")
            }
        }
    }
}
