internal import Synchronization

/// One match on one connection, and the stream that its signals go to.
///
/// The loop's thread delivers; whoever reads the stream may end it from any thread.
final class Subscription: Sendable {
    let bus: Bus
    let match: BusMatch
    /// Finished once the bus has confirmed the match, or refused it.
    let confirmation: PendingCall
    private let continuation: AsyncStream<BusSignal>.Continuation
    private let ended = Mutex(false)

    init(
        bus: Bus, match: BusMatch, deadline: ContinuousClock.Instant, continuation: AsyncStream<BusSignal>.Continuation
    ) {
        self.bus = bus
        self.match = match
        self.continuation = continuation
        confirmation = PendingCall(deadline: deadline)
    }

    /// Whether nobody reads any more.
    var isEnded: Bool { ended.withLock { $0 } }

    func deliver(_ signal: BusSignal) {
        continuation.yield(signal)
    }

    /// Nobody reads any more; the loop drops the match when it looks next.
    func end() {
        ended.withLock { $0 = true }
    }

    /// Nothing more will come: the confirmation fails if it is still waited for, and the stream ends.
    func fail(with error: BusError) {
        confirmation.finish(.failure(error))
        end()
        continuation.finish()
    }
}
