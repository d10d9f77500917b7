internal import CSpawn
internal import DoorstepPluginKit
internal import DoorstepSpawn
internal import Glibc

/// A plain conversation with a plugin, line by line, for finding out how it behaves. It blocks, and never past a time.
struct PluginTalk: ~Copyable {
    private var process: KeptProgram
    private var splitter = LineSplitter()
    private var log = LogTail()
    private var isOutputOpen = true

    init(_ plugin: InstalledPlugin, environment: [String: String]) throws(PluginRefusal) {
        process = try plugin.start(plugin.variables(of: environment))
    }

    /// Why there is no answer, in the words that a step of this plugin would have: how the plugin ended, else what is given
    /// here; then the end of its log.
    mutating func reason(else silence: String) -> String {
        // The exit of a plugin may follow the end of its output.
        let deadline = ContinuousClock.now + (isOutputOpen ? .zero : PluginExchange.exitPatience)
        var end = process.end()
        while end == nil, wait(until: deadline, writing: false) { end = process.end() }
        if end == nil { end = process.end() }
        return log.appended(to: end?.reason ?? (isOutputOpen ? silence : "it closed its output"))
    }

    /// Writes a line; false where the plugin doesn't take it in time.
    mutating func send(_ line: String, within limit: Duration = .seconds(5)) -> Bool {
        var bytes = Array((line + "\n").utf8)
        let deadline = ContinuousClock.now + limit
        while !bytes.isEmpty {
            let count = PipeWriter.write(bytes, to: process.input)
            if count > 0 {
                bytes.removeFirst(count)
            } else if errno != EAGAIN && errno != EINTR {
                return false
            } else if !wait(until: deadline, writing: true) {
                return false
            }
        }
        return true
    }

    /// The next line, or nil where none comes in time.
    mutating func line(within limit: Duration) -> Result<[UInt8]?, PluginMessageError> {
        let deadline = ContinuousClock.now + limit
        while true {
            do throws(PluginMessageError) {
                if let line = try splitter.next() { return .success(line) }
            } catch {
                return .failure(error)
            }
            guard isOutputOpen, wait(until: deadline, writing: false) else { return .success(nil) }
        }
    }

    /// The next message, or nil where none comes in time.
    mutating func message(within limit: Duration) -> Result<PluginMessage?, PluginMessageError> {
        switch line(within: limit) {
        case .failure(let error): return .failure(error)
        case .success(nil): return .success(nil)
        case .success(let line?):
            do throws(PluginMessageError) {
                return .success(try PluginMessage(line: line))
            } catch {
                return .failure(error)
            }
        }
    }

    /// Ends the plugin's input and waits for its exit; nil where it doesn't come in time.
    mutating func finish(within limit: Duration) -> cspawn_end? {
        process.closeInput()
        let deadline = ContinuousClock.now + limit
        while true {
            if let end = process.end() { return end }
            if errno != EAGAIN { return nil }
            // What ends the wait may be the keeper's word itself.
            if !wait(until: deadline, writing: false) { return process.end() }
        }
    }

    /// Waits for the plugin's streams once and reads what there is; false where the time is over.
    private mutating func wait(until deadline: ContinuousClock.Instant, writing: Bool) -> Bool {
        var watched = [
            pollfd(fd: process.control, events: Int16(POLLIN), revents: 0),
            pollfd(fd: isOutputOpen ? process.output : -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: process.log, events: Int16(POLLIN), revents: 0),
            pollfd(fd: writing ? process.input : -1, events: Int16(POLLOUT), revents: 0),
        ]
        let left = deadline - ContinuousClock.now
        if left <= .zero { return false }
        let ready = poll(&watched, nfds_t(watched.count), Int32(clamping: Int((left / .milliseconds(1)).rounded(.up))))
        if ready <= 0 { return ready < 0 && errno == EINTR }
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        if watched[2].revents != 0 {
            let count = buffer.withUnsafeMutableBytes { read(process.log, $0.baseAddress, $0.count) }
            if count > 0 { log.append(buffer[..<count]) }
        }
        if watched[1].revents != 0 {
            let count = buffer.withUnsafeMutableBytes { read(process.output, $0.baseAddress, $0.count) }
            if count > 0 { splitter.append(buffer[..<count]) }
            if count == 0 { isOutputOpen = false }
        }
        // An ended plugin says nothing more than what has been read.
        return watched[0].revents == 0 || watched[1].revents != 0
    }
}
