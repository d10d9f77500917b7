internal import Glibc

/// Writes lines that fit the terminal: the one way in which a plain presenter's text leaves it.
final class PlainWriter {
    /// Whether the output went away; nobody reads any more.
    private(set) var isBroken = false

    private let descriptor: Int32
    private let wrapper: LineWrapper

    init(descriptor: Int32, columns: Int) {
        self.descriptor = descriptor
        wrapper = LineWrapper(columns: columns)
    }

    /// Writes a paragraph; with `first`, as an item of a list whose other lines are indented as far.
    func paragraph(_ text: String, first: String = "") {
        let rest = String(repeating: " ", count: CellWidth.of(first))
        write(wrapped(text, first: first, rest: rest).joined(separator: "\n") + "\n")
    }

    /// Writes an empty line.
    func gap() {
        write("\n")
    }

    /// Writes a question and leaves the cursor behind it.
    func prompt(_ text: String) {
        // The space after it is part of its last line.
        let narrower = LineWrapper(columns: wrapper.columns - 1)
        write(narrower.lines(of: PrintableText.cleaned(text)).joined(separator: "\n") + " ")
    }

    /// Whether a text fits one line.
    func fits(_ text: String) -> Bool {
        CellWidth.of(text) <= wrapper.columns
    }

    private func wrapped(_ text: String, first: String, rest: String) -> [String] {
        wrapper.lines(of: PrintableText.cleaned(text), first: PrintableText.singleLine(first), rest: rest)
    }

    private func write(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty, !isBroken {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                bytes = bytes.dropFirst(count)
            } else if errno == EAGAIN {
                var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&polled, 1, -1)
            } else if errno != EINTR {
                isBroken = true
            }
        }
    }
}
