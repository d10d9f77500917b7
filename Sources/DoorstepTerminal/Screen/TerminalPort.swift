internal import CTerminal
internal import Glibc

/// A real terminal, taken over while this lives, and given back however the process ends.
final class TerminalPort: ScreenPort {
    /// What has ended the showing, for whoever ends the process by it.
    private(set) var ending: SignalWatch.Caught = []
    let allowsMotion: Bool

    private let input: Int32
    private let output: Int32
    private let environment: [String: String]
    private let hasMouse: Bool
    /// Readable once a signal has come; below 0 where another showing of the process catches them.
    private let wake: Int32
    private var isOver = false
    private var writer: FrameWriter
    private var decoder = KeyDecoder()
    private var isBroken = false

    /// How long a lone ESC is waited on before it is the Escape key.
    private static let escapeMilliseconds: Int32 = 40

    /// Takes the terminal over, or answers nil where that can't be done.
    init?(input: Int32, output: Int32, environment: [String: String], depth: ColourDepth, allowsMotion: Bool) {
        self.input = input
        self.output = output
        self.environment = environment
        self.allowsMotion = allowsMotion && cterminal_is_slow(output) == 0
        hasMouse = environment["TERM"] != "linux"
        writer = FrameWriter(depth: depth)
        let wanted: SignalWatch.Caught = [.interrupted, .continued, .terminated, .hungUp, .resized, .stopped]
        wake = cterminal_signals_begin(wanted.rawValue)
        guard takeOver() else {
            if wake >= 0 { cterminal_signals_end() }
            isOver = true
            return nil
        }
    }

    deinit {
        giveBack()
    }

    /// Gives the terminal and the signals back for good.
    func giveBack() {
        if isOver { return }
        isOver = true
        cterminal_raw_end()
        if wake >= 0 { cterminal_signals_end() }
    }

    var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(output, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
        return (min(Int(size.ws_col), 1000), min(Int(size.ws_row), 1000))
    }

    func next(milliseconds: Int?) -> [ScreenEvent] {
        if isBroken || !ending.isEmpty { return [.end] }
        let wait = decoder.isWaiting ? Self.escapeMilliseconds : milliseconds.map { Int32(clamping: $0) } ?? -1
        var polled = [pollfd(fd: input, events: Int16(POLLIN), revents: 0)]
        if wake >= 0 { polled.append(pollfd(fd: wake, events: Int16(POLLIN), revents: 0)) }
        let count = poll(&polled, nfds_t(polled.count), wait)
        var events = wake >= 0 ? taken(SignalWatch.Caught(rawValue: cterminal_signals_take())) : []
        if count == 0, decoder.isWaiting { events += decoder.flush().map(ScreenEvent.key) }
        if polled[0].revents != 0 { events += readKeys() }
        return events
    }

    func peek(milliseconds: Int) -> Bool {
        if isBroken || !ending.isEmpty { return true }
        var polled = [input, wake].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        return poll(&polled, 2, Int32(clamping: milliseconds)) != 0
    }

    func draw(_ frame: Frame) {
        write(writer.bytes(for: frame.buffer, cursor: frame.cursor))
    }

    func suspend() {
        cterminal_raw_end()
        cterminal_stop()
        if !takeOver() { isBroken = true }
    }

    func resume() {
        // What a shell did to the settings meanwhile is undone first, so that the first ones are kept.
        cterminal_raw_end()
        if !takeOver() { isBroken = true }
    }

    func isOccupied(_ isOccupied: Bool) {
        cterminal_signals_immediate(isOccupied ? 1 : 0)
        // While nobody reads keys, Ctrl-C has to be a signal again.
        var modes = termios()
        guard tcgetattr(input, &modes) == 0 else { return }
        if isOccupied { modes.c_lflag |= tcflag_t(ISIG) } else { modes.c_lflag &= ~tcflag_t(ISIG) }
        tcsetattr(input, TCSANOW, &modes)
    }

    private func takeOver() -> Bool {
        writer.forget()
        // The alternate screen, the terminal's own bidirectional order off, pastes in brackets, clicks in SGR form.
        let mouse = hasMouse ? ["\u{1B}[?1000h\u{1B}[?1006h", "\u{1B}[?1006l\u{1B}[?1000l"] : ["", ""]
        let enter = "\u{1B}[?1049h\u{1B}[8l\u{1B}[?2004h\(mouse[0])\u{1B}[0m\u{1B}[2J\u{1B}[?25l"
        let leave = "\u{1B}[0m\(mouse[1])\u{1B}[?2004l\u{1B}[8h\u{1B}[2J\u{1B}[H\u{1B}[?25h\u{1B}[?1049l"
        return cterminal_raw_begin(input, output, enter, leave) == 0
    }

    private func taken(_ caught: SignalWatch.Caught) -> [ScreenEvent] {
        var events: [ScreenEvent] = []
        if caught.contains(.continued) { events.append(.continued) }
        if caught.contains(.resized) { events.append(.resized) }
        if caught.contains(.stopped) { events.append(.stop) }
        if caught.contains(.woken) { events.append(.changed) }
        ending.formUnion(caught.intersection([.terminated, .hungUp]))
        if !caught.isDisjoint(with: [.interrupted, .terminated, .hungUp]) { events.append(.end) }
        return events
    }

    private func readKeys() -> [ScreenEvent] {
        var keys: [Key] = []
        var bytes = [UInt8](repeating: 0, count: 65536)
        // Everything that has come is taken before anything is drawn, up to a bound: a held key must not starve the
        // screen.
        for _ in 0..<16 {
            let count = read(input, &bytes, bytes.count)
            if count > 0 {
                keys += decoder.keys(bytes[..<count])
            } else if count == 0 || (errno != EINTR && errno != EAGAIN) {
                isBroken = true
                return keys.map(ScreenEvent.key) + [.end]
            }
            var polled = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
            guard poll(&polled, 1, 0) > 0 else { break }
        }
        return keys.map(ScreenEvent.key)
    }

    private func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty, !isBroken {
            let count = rest.withUnsafeBytes { Glibc.write(output, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var polled = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
                poll(&polled, 1, 1000)
            } else if errno != EINTR {
                isBroken = true
            }
        }
    }
}
