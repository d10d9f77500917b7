internal import CSpawn
internal import DoorstepPluginKit
internal import DoorstepSpawn
internal import Glibc

/// The thread behind a connection: one loop over the plugin's streams, its keeper, and the orders of those who ask.
///
/// Whatever the plugin does wrong ends here as a reason for its own requests. It is used by its one thread only.
final class PluginExchange {
    /// What a request waits for.
    struct Pending {
        var deadline: ContinuousClock.Instant
        var limit: Duration
        var completion: PluginConnection.Completion
    }

    /// How far the end of the plugin has come.
    enum Phase {
        case open, inputClosed, terminated, killed
    }

    /// How long a plugin gets to exit after the end of its input, and again after SIGTERM.
    static let courtesy = Duration.seconds(1)
    static let terminationCourtesy = Duration.milliseconds(250)
    /// The same for one that has left a question unanswered: it has had its time.
    static let overdueCourtesy = Duration.milliseconds(100)
    /// How long the exit of a plugin may follow the end of its output to be told instead of that.
    static let exitPatience = Duration.milliseconds(100)
    /// The most bytes that a plugin may write to its log in a pass.
    private static let maximumLog = 64 << 20

    let connection: PluginConnection
    var pending: [Int: Pending] = [:]
    /// Requests whose answer came too late to be wanted, but may still come.
    var expired: Set<Int> = []
    var asked: Set<Int> = []
    var outgoing: [UInt8] = []
    /// Lines that are sent once the plugin has said what it can do.
    var held: [(id: Int, line: String)] = []
    var hello: PluginHello?
    /// Why the plugin is of no more use in this pass.
    var failure: String?
    var phase = Phase.open
    /// When the next step of ending the plugin is due.
    var due: ContinuousClock.Instant?
    var log = LogTail()

    private var splitter = LineSplitter()
    private var isOutputOpen = true
    private var isLogOpen = true
    private var hasEnded = false
    private var buffer = [UInt8](repeating: 0, count: 64 * 1024)

    init(_ connection: PluginConnection) {
        self.connection = connection
    }

    /// Runs the plugin from its start to its end; nothing of it is left afterwards.
    func run() {
        do throws(PluginRefusal) {
            try converse()
        } catch {
            failure = error.description
        }
        settle()
        connection.noteFinished(failure)
    }

    private func converse() throws(PluginRefusal) {
        var process = try connection.plugin.start(connection.environment)
        send(
            HostMessage.request(
                PluginRequest(id: 0, call: .hello(version: PluginProtocol.version, host: PluginHost.name))
            ).line)
        while !hasEnded {
            takeOrders(&process)
            flush(&process)
            pass(&process)
        }
    }

    /// One wait for whatever comes next, and its handling.
    private func pass(_ process: inout KeptProgram) {
        var watched = [
            pollfd(fd: connection.event, events: Int16(POLLIN), revents: 0),
            pollfd(fd: process.control, events: Int16(POLLIN), revents: 0),
            pollfd(fd: isOutputOpen ? process.output : -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: isLogOpen ? process.log : -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: outgoing.isEmpty ? -1 : process.input, events: Int16(POLLOUT), revents: 0),
        ]
        if poll(&watched, nfds_t(watched.count), timeout()) < 0, errno != EINTR { return }
        if watched[0].revents != 0 { cspawn_drain(connection.event) }
        if watched[3].revents != 0 { readLog(process.log) }
        if watched[2].revents != 0 { readOutput(process.output, &process) }
        if watched[1].revents != 0 { noteEnd(&process) }
        keepTime(&process)
    }

    // MARK: Time

    private func timeout() -> Int32 {
        guard let next = (pending.values.map(\.deadline) + (due.map { [$0] } ?? [])).min() else { return -1 }
        let left = next - ContinuousClock.now
        if left <= .zero { return 0 }
        // Rounded up: a timeout that is a fraction early would only turn the loop once more.
        return Int32(clamping: Int((left / .milliseconds(1)).rounded(.up)))
    }

    private func keepTime(_ process: inout KeptProgram) {
        let now = ContinuousClock.now
        for (id, request) in pending where request.deadline <= now {
            let unread = outgoing.isEmpty ? "" : "; it doesn't read its input"
            let isLate = request.limit <= .zero
            cancel(
                id,
                reason: isLate
                    ? "its time was over before it was asked" : "no answer within \(request.limit.text)\(unread)")
        }
        guard let due, due <= now else { return }
        switch phase {
        case .open:
            // The output ended a while ago, and the plugin runs on.
            fail("it closed its output", &process)
        case .inputClosed:
            process.terminate()
            phase = .terminated
            self.due = now + (expired.isEmpty ? Self.terminationCourtesy : Self.overdueCourtesy)
        case .terminated:
            process.kill()
            phase = .killed
            self.due = nil
        case .killed:
            self.due = nil
        }
    }

    // MARK: Orders

    private func takeOrders(_ process: inout KeptProgram) {
        for order in connection.takeOrders() {
            switch order {
            case .ask(let id, let line, let isPageWork, let deadline, let completion):
                if let failure {
                    completion(.failure(PluginFailure(failure)))
                    continue
                }
                pending[id] = Pending(deadline: deadline, limit: deadline - .now, completion: completion)
                asked.insert(id)
                if isPageWork {
                    held.append((id, line))
                    releaseHeld()
                } else {
                    send(line)
                }
            case .cancel(let id): cancel(id, reason: "it was cancelled")
            case .end: end(&process)
            }
        }
    }

    /// Sends what waited for the greeting, or says that the plugin can't do it.
    func releaseHeld() {
        guard let hello else { return }
        let ready = held
        held = []
        for (id, line) in ready {
            guard let request = pending[id] else { continue }
            if hello.features.contains(PluginProtocol.pageFeature) {
                send(line)
            } else {
                pending[id] = nil
                asked.remove(id)
                request.completion(.failure(.makesNoPages))
            }
        }
    }

    private func cancel(_ id: Int, reason: String) {
        guard let request = pending.removeValue(forKey: id) else { return }
        expired.insert(id)
        if held.contains(where: { $0.id == id }) {
            held.removeAll { $0.id == id }
        } else {
            send(HostMessage.cancel(id).line)
        }
        request.completion(.failure(PluginFailure(reason)))
    }

    private func end(_ process: inout KeptProgram) {
        guard phase == .open else { return }
        let isOverdue = !pending.isEmpty || !expired.isEmpty || !outgoing.isEmpty
        for id in pending.keys.sorted() { cancel(id, reason: "the pass is over") }
        outgoing = []
        process.closeInput()
        phase = .inputClosed
        due = .now + (isOverdue ? Self.overdueCourtesy : Self.courtesy)
    }

    /// Gives the plugin up: its requests get the reason, and it is ended at once.
    func fail(_ reason: String, _ process: inout KeptProgram) {
        if failure == nil { failure = log.appended(to: reason) }
        settle()
        outgoing = []
        process.closeInput()
        process.kill()
        phase = .killed
        due = nil
    }

    /// Answers everybody who still waits with the reason for the end.
    private func settle() {
        let reason = failure ?? "the pass is over"
        let left = pending
        pending = [:]
        held = []
        for id in left.keys.sorted() { left[id]?.completion(.failure(PluginFailure(reason))) }
    }

    // MARK: Bytes

    private func send(_ line: String) {
        outgoing += line.utf8
        outgoing.append(UInt8(ascii: "\n"))
    }

    private func flush(_ process: inout KeptProgram) {
        while !outgoing.isEmpty, process.input >= 0 {
            let count = PipeWriter.write(outgoing, to: process.input)
            if count > 0 {
                outgoing.removeFirst(count)
            } else if count < 0, errno == EINTR {
                continue
            } else {
                // A full pipe is waited for; a closed one takes nothing more, and the plugin's end will say why.
                if errno != EAGAIN { process.closeInput() }
                break
            }
        }
        if process.input < 0 { outgoing = [] }
    }

    private func readLog(_ descriptor: Int32) {
        let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
        if count > 0 { log.append(buffer[..<count]) }
        if count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) { isLogOpen = false }
        if log.total > Self.maximumLog { isLogOpen = false }
    }

    /// Reads what there is.
    private func readOutput(_ descriptor: Int32, _ process: inout KeptProgram) {
        let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
        if count < 0, errno == EAGAIN || errno == EINTR { return }
        if count <= 0 {
            isOutputOpen = false
            if phase == .open { due = .now + Self.exitPatience }
            return
        }
        // What a plugin says after its end has no meaning any more, but must not hold it up.
        if failure != nil || phase != .open { return }
        splitter.append(buffer[..<count])
        do throws(PluginMessageError) {
            while let line = try splitter.next() {
                let message = try PluginMessage(line: line)
                if let violation = take(message) {
                    fail(violation, &process)
                    return
                }
            }
        } catch {
            fail("it broke the protocol: \(error.message)", &process)
        }
    }

    private func noteEnd(_ process: inout KeptProgram) {
        // What it said before it ended still counts.
        while isOutputOpen, failure == nil, phase == .open {
            var one = pollfd(fd: process.output, events: Int16(POLLIN), revents: 0)
            guard poll(&one, 1, 0) > 0 else { break }
            readOutput(process.output, &process)
        }
        while isLogOpen {
            var one = pollfd(fd: process.log, events: Int16(POLLIN), revents: 0)
            guard poll(&one, 1, 0) > 0 else { break }
            readLog(process.log)
        }
        hasEnded = true
        let end = process.end()
        if failure == nil { failure = log.appended(to: end?.reason ?? "its keeper is gone") }
        process.closeInput()
    }
}

extension Duration {
    /// The duration in words, such as `2 s` or `500 ms`.
    fileprivate var text: String {
        // Rounded up, the more the longer it is: what is left of a second when a question is asked was meant to be the second.
        let left = self / .milliseconds(1)
        let step = left > 500 ? 100.0 : left > 100 ? 50 : left > 10 ? 5 : 1
        let milliseconds = Int((left / step).rounded(.up) * step)
        return milliseconds >= 1000 && milliseconds.isMultiple(of: 1000)
            ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
    }
}
