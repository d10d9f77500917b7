internal import CSpawn
internal import DoorstepPluginKit
internal import Dispatch
internal import Glibc
internal import Synchronization

/// The one running process of a plugin in a pass: takes requests from any thread, and answers each exactly once.
///
/// A thread of its own looks at the files, starts the program, and moves bytes until the end; everything that can block
/// or go wrong happens there, so nothing that a plugin does costs anybody but those who asked it.
final class PluginConnection: Sendable {
    typealias Completion = @Sendable (Result<PluginMessage.Answer, PluginFailure>) -> Void

    /// One thing for the thread to do.
    enum Order: Sendable {
        case ask(id: Int, line: String, isPageWork: Bool, deadline: ContinuousClock.Instant, Completion)
        case cancel(Int)
        case end
    }

    struct Box {
        var orders: [Order] = []
        var nextID = 1
        var isEnding = false
        var isFinished = false
        /// Why there is no use in asking any more.
        var reason = PluginFailure("the pass is over")
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    let plugin: InstalledPlugin
    let environment: [String]
    let event: Int32
    private let box = Mutex(Box())
    private let finished = DispatchSemaphore(value: 0)

    /// A connection that starts its plugin at once.
    init(_ plugin: InstalledPlugin, environment: [String: String]) {
        self.plugin = plugin
        self.environment = plugin.variables(of: environment)
        self.event = cspawn_event()
        let isStarted = DetachedThread.start {
            cspawn_name_thread("doorstep-plugin")
            PluginExchange(self).run()
        }
        if !isStarted { noteFinished("the system has no thread left for it") }
    }

    deinit {
        if event >= 0 { close(event) }
    }

    /// Asks one question.
    ///
    /// - Parameters:
    ///   - deadline: Until when; the answer is a failure then.
    ///   - call: The question, made for what is left of the time.
    ///   - completion: Gets the answer, once, on the connection's thread.
    /// - Returns: The request's ID, to cancel it by.
    @discardableResult
    func ask(
        _ call: PluginRequest.Call, until deadline: ContinuousClock.Instant, completion: @escaping Completion
    ) -> Int {
        let isPageWork =
            switch call {
            case .page, .perform: true
            default: false
            }
        let id = box.withLock { box in
            defer { box.nextID += 1 }
            return box.nextID
        }
        // Made by those who ask, side by side, rather than by the one thread that serves them all.
        let line = HostMessage.request(PluginRequest(id: id, call: call)).line
        let reason = box.withLock { box -> PluginFailure? in
            if box.isEnding { return box.reason }
            box.orders.append(.ask(id: id, line: line, isPageWork: isPageWork, deadline: deadline, completion))
            return nil
        }
        if let reason { completion(.failure(reason)) } else { cspawn_wake(event) }
        return id
    }

    /// Asks one question and waits for the answer without blocking a thread; a cancelled task's question is cancelled.
    func answer(
        to call: PluginRequest.Call, until deadline: ContinuousClock.Instant
    ) async -> Result<PluginMessage.Answer, PluginFailure> {
        let id = Mutex(0)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let given = ask(call, until: deadline) { continuation.resume(returning: $0) }
                id.withLock { $0 = given }
                if Task.isCancelled { order(.cancel(given)) }
            }
        } onCancel: {
            order(.cancel(id.withLock { $0 }))
        }
    }

    /// Lets the plugin end, without waiting for it; who still waits for an answer gets none.
    func end() {
        let isFirst = box.withLock { box -> Bool in
            if box.isEnding { return false }
            box.isEnding = true
            box.orders.append(.end)
            return true
        }
        if isFirst { cspawn_wake(event) }
    }

    /// Lets the plugin end and waits until nothing is left of it.
    func finish() async {
        end()
        await withCheckedContinuation { continuation in
            let isFinished = box.withLock { box -> Bool in
                if !box.isFinished { box.waiting.append(continuation) }
                return box.isFinished
            }
            if isFinished { continuation.resume() }
        }
    }

    /// As ``finish()``, for callers that can't suspend.
    func finishBlocking() {
        end()
        finished.wait()
        finished.signal()
    }

    /// The orders since the last call; for the connection's thread.
    func takeOrders() -> [Order] {
        box.withLock { box in
            defer { box.orders.removeAll(keepingCapacity: true) }
            return box.orders
        }
    }

    /// Nothing is left of the plugin; for the connection's thread, as its last act.
    ///
    /// - Parameter reason: What those hear who ask nevertheless.
    func noteFinished(_ reason: String?) {
        let (waiting, orders, reason) = box.withLock { box in
            if let reason { box.reason = PluginFailure(reason) }
            box.isEnding = true
            box.isFinished = true
            defer {
                box.waiting = []
                box.orders = []
            }
            return (box.waiting, box.orders, box.reason)
        }
        for case .ask(_, _, _, _, let completion) in orders { completion(.failure(reason)) }
        for continuation in waiting { continuation.resume() }
        finished.signal()
    }

    private func order(_ order: Order) {
        box.withLock { $0.orders.append(order) }
        cspawn_wake(event)
    }
}
