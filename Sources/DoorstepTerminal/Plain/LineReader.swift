internal import Glibc

/// Reads lines from a descriptor and leaves the terminal's own line editing on.
final class LineReader {
    /// What came in.
    enum Event: Equatable {
        /// A line without its end, printable.
        case line(String)
        /// A line longer than ``LineReader/maximumBytes``; all of it was dropped.
        case tooLong
        /// Ctrl-D, the end of the file, or an input that can't be read any more.
        case end
        /// Ctrl-C.
        case interrupted
        /// The process was stopped and runs again.
        case resumed
        /// Something outside the terminal changed.
        case changed
    }

    /// The most bytes of a line, without its end.
    static let maximumBytes = 64 * 1024

    /// Whether input comes from a terminal.
    let isTerminal: Bool

    private let descriptor: Int32
    private let signals: SignalWatch
    private var buffer: [UInt8] = []
    /// What came of a line whose end is still to come; a signal in between must not lose it.
    private var line: [UInt8] = []
    private var isTooLong = false
    private var hasEnded = false

    init(descriptor: Int32) {
        self.descriptor = descriptor
        isTerminal = isatty(descriptor) == 1
        signals = SignalWatch(isWanted: isTerminal)
    }

    /// Whether what the user types, and so the line's end, shows on the terminal.
    var isEchoed: Bool {
        var modes = termios()
        return tcgetattr(descriptor, &modes) == 0 && modes.c_lflag & tcflag_t(ECHO) != 0
    }

    /// Waits for the next line or signal, or for a change that is told on a descriptor.
    func next(changes: ChangeWatch? = nil) -> Event {
        while true {
            if let end = buffer.firstIndex(of: 0x0A) {
                line += buffer[..<end]
                buffer.removeFirst(end + 1)
                return takeLine()
            }
            line += buffer
            buffer.removeAll(keepingCapacity: true)
            if line.count > Self.maximumBytes + 1 {
                isTooLong = true
                line.removeAll()
            }
            if hasEnded { return line.isEmpty && !isTooLong ? .end : takeLine() }

            let (caught, hasInput) = waitForInput(or: changes)
            if caught.contains(.interrupted) { return .interrupted }
            if caught.contains(.continued) { return .resumed }
            if hasInput { fill() } else if changes?.take() == true { return .changed }
        }
    }

    /// Looks out for Ctrl-C while something else than reading goes on.
    func watchInterrupts() -> InterruptWatch { InterruptWatch(signals.descriptor) }

    private func takeLine() -> Event {
        defer {
            line.removeAll()
            isTooLong = false
        }
        if line.last == 0x0D { line.removeLast() }
        if isTooLong || line.count > Self.maximumBytes { return .tooLong }
        return .line(PrintableText.singleLine(String(decoding: line, as: UTF8.self)))
    }

    /// Waits until there is something to read, a signal has come, or a change.
    private func waitForInput(or changes: ChangeWatch?) -> (caught: SignalWatch.Caught, hasInput: Bool) {
        var polled = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
        if let wake = signals.descriptor { polled.append(pollfd(fd: wake, events: Int16(POLLIN), revents: 0)) }
        if let changes { polled.append(pollfd(fd: changes.descriptor, events: Int16(POLLIN), revents: 0)) }
        while true {
            let isInterrupted = poll(&polled, nfds_t(polled.count), -1) < 0 && errno == EINTR
            let caught = signals.take()
            if !isInterrupted || !caught.isEmpty { return (caught, !isInterrupted && polled[0].revents != 0) }
        }
    }

    private func fill() {
        // A terminal gives one line at a time. From a file or a pipe nothing is taken beyond the line, as a shell's
        // "read" does it: the rest is for whoever reads next.
        var bytes = [UInt8](repeating: 0, count: isTerminal ? 4096 : 1)
        let count = read(descriptor, &bytes, bytes.count)
        if count > 0 {
            buffer.append(contentsOf: bytes[..<count])
        } else if count == 0 || (errno != EINTR && errno != EAGAIN) {
            // A terminal's end of input isn't lasting, so it is remembered.
            hasEnded = true
        }
    }
}
