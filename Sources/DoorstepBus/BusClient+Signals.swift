/// Waiting for what others say of their own accord.
extension BusClient {
    /// Listens for signals on one bus, from the moment that this returns.
    ///
    /// ```swift
    /// let signals = try await client.signals(.session, [.owner(of: "org.freedesktop.Notifications")], deadline: deadline)
    /// for await _ in signals { … }
    /// ```
    ///
    /// The stream ends with its reader's task, with the connection, and with ``close()``. It keeps the 64 newest signals
    /// that weren't read yet. Listening starts no service: a name that nobody owns sends nothing until somebody does.
    ///
    /// - Parameters:
    ///   - matches: Which signals; a signal that fits several comes once for each.
    ///   - deadline: When to stop waiting for the bus to confirm.
    /// - Throws: `BusError` as `call` does; then nothing listens.
    public func signals(
        _ bus: Bus, _ matches: [BusMatch], deadline: ContinuousClock.Instant
    ) async throws(BusError) -> AsyncStream<BusSignal> {
        let (stream, continuation) = AsyncStream<BusSignal>.makeStream(bufferingPolicy: .bufferingNewest(64))
        let subscriptions = matches.map {
            Subscription(bus: bus, match: $0, deadline: deadline, continuation: continuation)
        }
        continuation.onTermination = { [weak self] _ in
            for subscription in subscriptions { subscription.end() }
            self?.reconsider()
        }
        do throws(BusError) {
            for subscription in subscriptions { try listen(subscription) }
            for subscription in subscriptions { _ = try await answer(of: subscription.confirmation) }
        } catch {
            continuation.finish()
            throw error
        }
        return stream
    }
}
