internal import CSDBus
internal import Glibc
internal import Synchronization

/// The thread that owns the sd-bus handles of one client, and the queue that leads to it.
///
/// sd-bus handles belong to one thread, and a thread that polls with deadlines of its own is what bounds connecting as
/// well as calling. The thread starts with the first call and ends with `close()`; nobody waits for its end.
final class BusLoop: Sendable {
    private enum Phase {
        case idle
        /// A thread is there; writing to the descriptor wakes it. The thread closes the descriptor when it ends.
        case running(wake: Int32)
        case closed
    }

    enum Command: Sendable {
        case call(BusAddress, Question)
        case listen(Bus, BusAddress, Subscription)
        /// A caller left: drop what nobody waits for any more.
        case reconsider
    }

    private struct State {
        var phase = Phase.idle
        var commands: [Command] = []
    }

    private let state = Mutex(State())
    private let load: @Sendable () -> UnsafePointer<csdbus>?

    private let isProxied: Bool

    init(isProxied: Bool, load: @escaping @Sendable () -> UnsafePointer<csdbus>?) {
        self.isProxied = isProxied
        self.load = load
    }

    /// Hands `command` to the thread, which is started for the first call.
    ///
    /// - Throws: `BusError.unavailable` where the library or the thread can't be had, `.disconnected` after `close()`.
    func submit(_ command: Command, for bus: Bus) throws(BusError) {
        // Loading takes a lock of its own and half a millisecond, so it stays outside ours.
        guard let library = load() else { throw .unavailable(bus, .noLibrary) }
        try state.withLock { (state) throws(BusError) in
            switch state.phase {
            case .closed:
                throw .disconnected
            case .running(let wake):
                // One that nobody has taken yet has already woken the thread.
                let isAwake = !state.commands.isEmpty
                state.commands.append(command)
                if !isAwake { Self.signal(wake) }
            case .idle:
                let wake = csdbus_eventfd()
                guard wake >= 0 else { throw .unavailable(bus, .failed(errno: errno)) }
                let result = startThread(library: library, wake: wake)
                guard result == 0 else {
                    _ = Glibc.close(wake)
                    throw .unavailable(bus, .failed(errno: result))
                }
                state.commands.append(command)
                state.phase = .running(wake: wake)
            }
        }
    }

    /// Tells the thread that a caller gave up.
    func reconsider() {
        state.withLock { state in
            guard case .running(let wake) = state.phase else { return }
            state.commands.append(.reconsider)
            Self.signal(wake)
        }
    }

    /// Ends the thread soon, and with it every wait. Never blocks; may be called more than once.
    func close() {
        state.withLock { state in
            if case .running(let wake) = state.phase { Self.signal(wake) }
            state.phase = .closed
        }
    }

    private static func signal(_ wake: Int32) {
        var one: UInt64 = 1
        // It can only fail where the counter is full, and then the thread wakes anyway.
        _ = write(wake, &one, MemoryLayout<UInt64>.size)
    }

    // MARK: - The thread

    /// What the new thread is handed: the loop, kept alive until the thread ends, and what only the thread uses.
    private final class Start {
        let loop: BusLoop
        let library: UnsafePointer<csdbus>
        let wake: Int32

        init(loop: BusLoop, library: UnsafePointer<csdbus>, wake: Int32) {
            self.loop = loop
            self.library = library
            self.wake = wake
        }
    }

    /// Starts the thread, detached and deaf to signals: those belong to the program around us. Returns an errno value.
    private func startThread(library: UnsafePointer<csdbus>, wake: Int32) -> Int32 {
        let start = Unmanaged.passRetained(Start(loop: self, library: library, wake: wake))
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }

        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                csdbus_name_thread("doorstep-bus")
                let start = Unmanaged<Start>.fromOpaque(context).takeRetainedValue()
                start.loop.run(library: start.library, wake: start.wake)
                return nil
            }, start.toOpaque())
        if result == 0 {
            pthread_detach(thread)
        } else {
            start.release()
        }
        return result
    }

    private func run(library: UnsafePointer<csdbus>, wake: Int32) {
        var connections: [Bus: BusConnection] = [:]
        while true {
            let (commands, isClosed) = state.withLock { state in
                defer { state.commands = [] }
                if case .closed = state.phase { return (state.commands, true) }
                return (state.commands, false)
            }
            var someoneLeft = false
            for command in commands {
                func connection(to bus: Bus, at address: BusAddress) -> BusConnection {
                    let connection =
                        connections[bus]
                        ?? BusConnection(to: bus, at: address, isProxied: isProxied, library: library)
                    connections[bus] = connection
                    return connection
                }
                switch command {
                case .call(_, let question) where isClosed: question.finish(.failure(.disconnected))
                case .listen(_, _, let subscription) where isClosed: subscription.fail(with: .disconnected)
                case .call(let address, let question): connection(to: question.bus, at: address).send(question)
                case .listen(let bus, let address, let subscription):
                    connection(to: bus, at: address).listen(subscription)
                case .reconsider: someoneLeft = true
                }
            }
            if isClosed { break }
            for connection in connections.values { connection.process(someoneLeft: someoneLeft) }
            Self.wait(for: connections, wake: wake)
        }
        for connection in connections.values { connection.fail(with: .disconnected) }
        _ = Glibc.close(wake)
    }

    /// Sleeps until a connection has something to do, a deadline comes, or somebody signals.
    private static func wait(for connections: [Bus: BusConnection], wake: Int32) {
        var descriptors = [pollfd(fd: wake, events: Int16(POLLIN), revents: 0)]
        // Rounded up, so that a deadline is never found too early and polled for again and again.
        var milliseconds: Int64 = -1
        func atMost(_ limit: Int64) {
            milliseconds = milliseconds < 0 ? max(0, limit) : min(milliseconds, max(0, limit))
        }
        for connection in connections.values {
            if let deadline = connection.nextDeadline {
                atMost(ContinuousClock.now.duration(to: deadline).millisecondsRoundedUp)
            }
            if let interest = connection.interest {
                descriptors.append(interest.descriptor)
                if interest.wakeUp != UInt64.max { atMost(millisecondsUntil(interest.wakeUp)) }
            }
        }
        _ = poll(&descriptors, nfds_t(descriptors.count), Int32(clamping: milliseconds))
        if descriptors[0].revents != 0 {
            var count: UInt64 = 0
            _ = read(wake, &count, MemoryLayout<UInt64>.size)
        }
    }

    private static func millisecondsUntil(_ microseconds: UInt64) -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let now = UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1_000
        guard microseconds > now else { return 0 }
        return Int64(clamping: (microseconds - now).addingReportingOverflow(999).partialValue / 1_000)
    }
}

extension Duration {
    /// Whole milliseconds, never fewer than the duration itself.
    fileprivate var millisecondsRoundedUp: Int64 {
        let (seconds, attoseconds) = components
        let part = attoseconds / 1_000_000_000_000_000 + (attoseconds % 1_000_000_000_000_000 > 0 ? 1 : 0)
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
        return overflow ? (seconds < 0 ? Int64.min : Int64.max) : whole + part
    }
}
