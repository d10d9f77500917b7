internal import CSDBus

/// The buses as one pass of probes sees them: a private connection each, every call with a deadline.
///
/// ```swift
/// let buses = BusClient(environment: environment)
/// defer { buses.close() }
/// let version = try await buses.property(
///     .session, destination: "org.freedesktop.portal.Desktop", path: "/org/freedesktop/portal/desktop",
///     interface: "org.freedesktop.portal.ScreenCast", name: "version", deadline: .now + .milliseconds(500))
/// ```
///
/// Calls from any number of tasks go out at once on one connection a bus, so a pass costs one deadline however many
/// services hang. The deadline covers connecting and authenticating too. No call starts a service and none makes the
/// system ask a person; there is no way to turn that off here, since a question that does either is no probe.
///
/// A connection that can't be made or that ends stays ended for this client: make a client for each pass.
public final class BusClient: Sendable {
    private let addresses: [Bus: Result<BusAddress, BusError>]
    private let sharesAnswers: Bool
    private let shared = SharedQuestions()
    private let loop: BusLoop

    /// A client for a process with this environment. Nothing is opened, loaded or started until the first call.
    ///
    /// - Parameters:
    ///   - environment: Where `DBUS_SESSION_BUS_ADDRESS`, `XDG_RUNTIME_DIR` and `DBUS_SYSTEM_BUS_ADDRESS` are
    ///   looked up; an empty variable counts as unset. The process's own environment isn't read.
    ///   - isSandboxed: Whether a sandbox's proxy stands before the buses, which takes a handshake only line by line.
    ///   - sharesAnswers: Whether equal calls are one question: it is sent once, and everybody gets its answer, an error
    ///     reply too, also who asks later. Right for one pass of checks, which sees one state of the machine, and for nothing that lives on.
    public convenience init(environment: [String: String], isSandboxed: Bool = false, sharesAnswers: Bool = false) {
        self.init(
            environment: environment, isSandboxed: isSandboxed, sharesAnswers: sharesAnswers, load: { csdbus_load() })
    }

    init(
        environment: [String: String], isSandboxed: Bool = false, sharesAnswers: Bool = false,
        load: @escaping @Sendable () -> UnsafePointer<csdbus>?
    ) {
        addresses = Dictionary(
            uniqueKeysWithValues: Bus.allCases.map { ($0, BusAddress.result(of: $0, in: environment)) })
        self.sharesAnswers = sharesAnswers
        loop = BusLoop(isProxied: isSandboxed, load: load)
    }

    deinit {
        loop.close()
    }

    /// Ends the connections and every wait, and lets the thread go. Never blocks; may be called more than once.
    ///
    /// Calls made afterwards throw `BusError.disconnected`. A client that is let go closes itself.
    public func close() {
        loop.close()
    }

    /// Calls a method and waits for its answer.
    ///
    /// - Parameters:
    ///   - signature: What the answer's body must be, such as `"ssss"`, or nil for anything. `""` is an empty body.
    ///   - deadline: When to stop waiting, whatever has been reached by then.
    /// - Throws: `BusError`: `.unavailable` without a bus, `.timeout` at the deadline, `.remote` for an error reply (a
    ///   name that nobody owns among them, see `isNotOwned`), `.disconnected` when the bus goes away, `.invalidReply`
    ///   for an answer of another type, `.invalidCall` for names or arguments that D-Bus doesn't allow, `.cancelled`
    ///   with the task.
    public func call(
        _ bus: Bus, destination: String, path: String, interface: String, member: String, arguments: [BusValue] = [],
        expecting signature: String? = nil, deadline: ContinuousClock.Instant
    ) async throws(BusError) -> [BusValue] {
        let call = MethodCall(
            destination: destination, path: path, interface: interface, member: member, arguments: arguments,
            expected: signature)
        return try await answer(to: call, on: bus, deadline: deadline)
    }

    func answer(
        to call: MethodCall, on bus: Bus, deadline: ContinuousClock.Instant
    ) async throws(BusError) -> [BusValue] {
        let address = try address(of: bus)
        guard !Task.isCancelled else { throw .cancelled }
        guard deadline > .now else { throw .timeout }
        let pending = PendingCall(deadline: deadline)
        let isShared = sharesAnswers || call.isShared
        switch isShared ? shared.join(call, on: bus, pending) : .new(Question(call, on: bus, for: pending)) {
        case .answered(let answer): return try answer.get()
        case .waits(let isFirstDue): if isFirstDue { loop.reconsider() }
        case .new(let question):
            do throws(BusError) {
                try loop.submit(.call(address, question), for: bus)
            } catch {
                question.finish(.failure(error))
            }
        }
        return try await answer(of: pending)
    }

    /// Waits for an answer, or for the task's cancellation.
    func answer(of pending: PendingCall) async throws(BusError) -> [BusValue] {
        let answer = await withTaskCancellationHandler {
            await pending.answer()
        } onCancel: {
            pending.finish(.failure(.cancelled))
            loop.reconsider()
        }
        return try answer.get()
    }

    private func address(of bus: Bus) throws(BusError) -> BusAddress {
        guard let address = addresses[bus] else { throw .unavailable(bus, .noAddress) }
        return try address.get()
    }

    /// Hands a subscription to the loop.
    func listen(_ subscription: Subscription) throws(BusError) {
        let address = try address(of: subscription.bus)
        try loop.submit(.listen(subscription.bus, address, subscription), for: subscription.bus)
    }

    /// Has the loop drop what nobody waits for any more.
    func reconsider() {
        loop.reconsider()
    }
}
