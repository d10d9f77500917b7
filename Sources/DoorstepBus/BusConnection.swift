internal import CSDBus
internal import Glibc

/// One private connection to one bus, with the calls that wait on it.
///
/// Lives on the loop's thread alone, so it isn't Sendable. It owns the sd-bus handle and every slot, and `close()`
/// releases them without waiting for anything.
final class BusConnection {
    let bus: Bus
    let library: UnsafePointer<csdbus>
    private(set) var handle: OpaquePointer?
    /// Why this connection can't be used any more; calls made later get the same answer, without a new attempt: one
    /// pass sees one state of the machine.
    private(set) var failure: BusError?
    private var wasReady = false
    private var exchanges: [UInt64: Exchange] = [:]
    private var nextID: UInt64 = 0
    /// The nearest deadline of a caller when it was last looked; one that comes before it wakes the loop.
    private var nextDue: ContinuousClock.Instant?
    /// What the running `process` call has seen answered. Slots are released after it, not inside their own callback.
    private var answered: [(exchange: Exchange, answer: PendingCall.Answer)] = []
    /// Who listens, and for what.
    var listeners: [Listener] = []

    /// One question on its way.
    private final class Exchange {
        let id: UInt64
        let question: Question
        unowned let connection: BusConnection
        var slot: OpaquePointer?

        init(id: UInt64, question: Question, connection: BusConnection) {
            self.id = id
            self.question = question
            self.connection = connection
        }
    }

    /// Begins connecting to `address`, without waiting for it.
    ///
    /// - Parameter isProxied: Whether a sandbox's proxy stands before the bus.
    init(to bus: Bus, at address: BusAddress, isProxied: Bool, library: UnsafePointer<csdbus>) {
        self.bus = bus
        self.library = library
        do {
            handle = try connect(to: address, isProxied: isProxied)
        } catch {
            failure = error
        }
    }

    private func connect(to address: BusAddress, isProxied: Bool) throws(BusError) -> OpaquePointer {
        var new: OpaquePointer?
        let created = library.pointee.new(&new)
        guard created >= 0, let new else { throw unavailable(created) }
        var result: Int32
        if isProxied {
            let descriptor = HandshakeRelay.connect(to: address)
            result = descriptor < 0 ? descriptor : library.pointee.set_fd(new, descriptor, descriptor)
            if descriptor >= 0, result < 0 { _ = Glibc.close(descriptor) }
        } else {
            result = library.pointee.set_address(new, address.text)
        }
        if result >= 0 { result = library.pointee.set_bus_client(new, 1) }
        if result >= 0 { result = library.pointee.negotiate_fds(new, 0) }
        if result >= 0 { result = library.pointee.start(new) }
        guard result >= 0 else {
            _ = library.pointee.close_unref(new)
            throw unavailable(result)
        }
        return new
    }

    /// Sends a question, or gives it the answer that is already known.
    func send(_ question: Question) {
        guard let due = question.expire(.now) else { return }
        if let failure {
            question.finish(.failure(failure))
            return
        }
        nextID += 1
        let exchange = Exchange(id: nextID, question: question, connection: self)
        do throws(BusError) {
            try start(exchange)
        } catch {
            question.finish(.failure(error))
            return
        }
        exchanges[exchange.id] = exchange
        nextDue = min(nextDue ?? due, due)
    }

    private func start(_ exchange: Exchange) throws(BusError) {
        let call = exchange.question.call
        var new: OpaquePointer?
        let created = library.pointee.message_new_method_call(
            handle, &new, call.destination, call.path, call.interface, call.member)
        guard created >= 0, let message = new else {
            throw created == -EINVAL
                ? .invalidCall("\(call.destination) \(call.path) \(call.interface).\(call.member) isn't a valid name")
                : .disconnected
        }
        defer { _ = library.pointee.message_unref(message) }

        // A question must not start a service (one that can't start blocks its caller for minutes) nor ask a person.
        _ = library.pointee.message_set_auto_start(message, 0)
        _ = library.pointee.message_set_allow_interactive_authorization(message, 0)
        try MessageWriter(library: library, message: message).append(call.arguments)

        // Deadlines are ours, since sd-bus's own don't run while the bus hasn't authenticated us.
        let result = library.pointee.call_async(
            handle, &exchange.slot, message,
            { reply, userdata, _ in
                guard let reply, let userdata else { return 1 }
                let exchange = Unmanaged<Exchange>.fromOpaque(userdata).takeUnretainedValue()
                exchange.connection.receive(reply, for: exchange)
                return 1
            }, Unmanaged.passUnretained(exchange).toOpaque(), UInt64.max)
        guard result >= 0 else { throw .disconnected }
    }

    private func receive(_ reply: OpaquePointer, for exchange: Exchange) {
        answered.append((exchange, answer(in: reply, to: exchange.question.call)))
    }

    private func answer(in reply: OpaquePointer, to call: MethodCall) -> PendingCall.Answer {
        if let error = library.pointee.message_get_error(reply) {
            // What sd-bus makes up while a connection ends looks like the bus's own NoReply.
            guard library.pointee.is_open(handle) > 0 else { return .failure(ended) }
            let name = error.pointee.name.map { String(cString: $0) } ?? ""
            let message = error.pointee.message.map { String(cString: $0) } ?? ""
            return .failure(.remote(name: name, message: message))
        }
        if call.asksForOwnName {
            let name = library.pointee.message_get_destination(reply)
            return name.map { .success([.string(String(cString: $0))]) }
                ?? .failure(.invalidReply(expected: "an addressed reply", found: "one without an address"))
        }
        var reader = MessageReader(library: library, message: reply)
        if let expected = call.expected, reader.signature != expected {
            return .failure(.invalidReply(expected: Self.named(expected), found: Self.named(reader.signature)))
        }
        do throws(BusError) {
            return .success(try reader.values())
        } catch {
            return .failure(error)
        }
    }

    /// Works on what has come in and what can go out, at most a batch of it, then ends the waits that are over.
    ///
    /// - Parameter someoneLeft: Whether a caller may have stopped waiting, or come with a nearer deadline.
    func process(someoneLeft: Bool) {
        if let handle {
            var result: Int32 = 1
            var batch = 64
            while result > 0, batch > 0 {
                result = library.pointee.process(handle, nil)
                batch -= 1
                if library.pointee.is_ready(handle) > 0 { wasReady = true }
            }
            deliver()
            if result < 0 { fail(with: wasReady ? .disconnected : unavailable(result)) }
        }
        expire(afterLeaving: someoneLeft)
    }

    private func deliver() {
        let batch = answered
        answered = []
        for (exchange, answer) in batch {
            exchange.question.finish(answer)
            forget(exchange)
        }
    }

    private func expire(afterLeaving someoneLeft: Bool) {
        let now = ContinuousClock.now
        expireListeners(now)
        // Nothing to do before the nearest deadline, which may be one that was answered meanwhile.
        guard someoneLeft || nextDue.map({ $0 <= now }) ?? false else { return }
        nextDue = nil
        for exchange in Array(exchanges.values) {
            if let due = exchange.question.expire(now) {
                nextDue = min(nextDue ?? due, due)
            } else {
                forget(exchange)
            }
        }
    }

    private func forget(_ exchange: Exchange) {
        exchanges[exchange.id] = nil
        if let slot = exchange.slot { _ = library.pointee.slot_unref(slot) }
        exchange.slot = nil
    }

    /// When the loop must look here again although nothing came in: the nearest deadline of a caller.
    var nextDeadline: ContinuousClock.Instant? {
        var nearest = nextDue
        for listener in listeners where !listener.subscription.confirmation.isFinished {
            let deadline = listener.subscription.confirmation.deadline
            nearest = min(nearest ?? deadline, deadline)
        }
        return nearest
    }

    /// What to poll for, and the CLOCK_MONOTONIC time in microseconds by which sd-bus wants to be called anyway; nil
    /// once the connection is gone.
    var interest: (descriptor: pollfd, wakeUp: UInt64)? {
        guard let handle else { return nil }
        let descriptor = library.pointee.get_fd(handle)
        let events = library.pointee.get_events(handle)
        var wakeUp = UInt64.max
        guard descriptor >= 0, events >= 0, library.pointee.get_timeout(handle, &wakeUp) >= 0 else { return nil }
        return (pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: events), revents: 0), wakeUp)
    }

    /// Ends every wait with `error` and closes the connection, without flushing it.
    func fail(with error: BusError) {
        failure = failure ?? error
        for exchange in Array(exchanges.values) {
            exchange.question.finish(.failure(error))
            forget(exchange)
        }
        for listener in listeners {
            listener.subscription.fail(with: error)
            release(listener)
        }
        listeners = []
        if let handle { _ = library.pointee.close_unref(handle) }
        handle = nil
    }

    /// What it means that the bus closed the connection: before it was ready, the bus didn't want this user.
    private var ended: BusError {
        wasReady ? .disconnected : .unavailable(bus, .notAllowed)
    }

    private func unavailable(_ result: Int32) -> BusError {
        switch -result {
        case ENOENT, ENOTDIR: .unavailable(bus, .noSocket)
        case ECONNREFUSED: .unavailable(bus, .refused)
        case EACCES, EPERM, ECONNRESET, ENOTCONN, EPIPE: .unavailable(bus, .notAllowed)
        case EINVAL: .unavailable(bus, .unsupportedAddress)
        // The socket's queue is full: whoever should accept isn't running, which is what a deadline would find.
        case EAGAIN: .timeout
        case let errno: .unavailable(bus, .failed(errno: errno))
        }
    }

    private static func named(_ signature: String) -> String {
        signature.isEmpty ? "nothing" : signature
    }
}
