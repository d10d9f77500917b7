internal import CSDBus
internal import Glibc

/// Signals, on the loop's thread.
extension BusConnection {
    /// One match that sd-bus holds, and whose signals they are.
    final class Listener {
        let subscription: Subscription
        unowned let connection: BusConnection
        var slot: OpaquePointer?

        init(_ subscription: Subscription, on connection: BusConnection) {
            self.subscription = subscription
            self.connection = connection
        }
    }

    /// Has the bus send what matches, from its confirmation on.
    func listen(_ subscription: Subscription) {
        if let failure {
            subscription.fail(with: failure)
            return
        }
        let listener = Listener(subscription, on: self)
        let result = library.pointee.add_match_async(
            handle, &listener.slot, subscription.match.rule,
            { message, userdata, _ in
                guard let message, let userdata else { return 0 }
                let listener = Unmanaged<Listener>.fromOpaque(userdata).takeUnretainedValue()
                listener.connection.receive(message, for: listener)
                // 0 lets other matches have the signal too.
                return 0
            },
            { reply, userdata, _ in
                guard let reply, let userdata else { return 1 }
                let listener = Unmanaged<Listener>.fromOpaque(userdata).takeUnretainedValue()
                listener.connection.confirm(reply, for: listener)
                return 1
            }, Unmanaged.passUnretained(listener).toOpaque())
        if result >= 0 {
            listeners.append(listener)
        } else {
            let error: BusError =
                result == -EINVAL ? .invalidCall("\(subscription.match.rule) is no rule") : .disconnected
            subscription.fail(with: error)
        }
    }

    private func confirm(_ reply: OpaquePointer, for listener: Listener) {
        guard let error = library.pointee.message_get_error(reply) else {
            listener.subscription.confirmation.finish(.success([]))
            return
        }
        let name = error.pointee.name.map { String(cString: $0) } ?? ""
        let message = error.pointee.message.map { String(cString: $0) } ?? ""
        // While a connection ends sd-bus makes errors up; what really happened is told by `fail`.
        guard library.pointee.is_open(handle) > 0 else { return }
        // The slot stays until the next look: sd-bus is inside it now.
        listener.subscription.fail(with: .remote(name: name, message: message))
    }

    private func receive(_ message: OpaquePointer, for listener: Listener) {
        func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }
        var reader = MessageReader(library: library, message: message)
        let arguments: [BusValue]
        do throws(BusError) { arguments = try reader.values() } catch { arguments = [] }
        listener.subscription.deliver(
            BusSignal(
                bus: bus, path: text(library.pointee.message_get_path(message)),
                interface: text(library.pointee.message_get_interface(message)),
                member: text(library.pointee.message_get_member(message)), arguments: arguments))
    }

    /// Ends the waits for a confirmation that are over, and drops what nobody reads.
    func expireListeners(_ now: ContinuousClock.Instant) {
        var kept: [Listener] = []
        for listener in listeners {
            let confirmation = listener.subscription.confirmation
            if !confirmation.isFinished, confirmation.deadline <= now { listener.subscription.fail(with: .timeout) }
            // Readers leave at any time, so each is asked just once.
            if listener.subscription.isEnded { release(listener) } else { kept.append(listener) }
        }
        listeners = kept
    }

    /// Takes the match back; sd-bus tells the bus without waiting for it.
    func release(_ listener: Listener) {
        if let slot = listener.slot { _ = library.pointee.slot_unref(slot) }
        listener.slot = nil
    }
}
