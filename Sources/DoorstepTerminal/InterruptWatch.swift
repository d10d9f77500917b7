internal import Dispatch
internal import Synchronization

/// Cancels the task that makes it when Ctrl-C is pressed, while work goes on that doesn't read the terminal.
final class InterruptWatch {
    /// What came, and the task that is to be cancelled.
    ///
    /// `@unchecked Sendable`: the task is only cancelled, which any task may do, and only before ``end()``, until which
    /// the task itself keeps the watch. What came is under the lock.
    private final class State: @unchecked Sendable {
        let task: UnsafeCurrentTask?
        let caught = Mutex(SignalWatch.Caught())

        init(_ task: UnsafeCurrentTask?) { self.task = task }
    }

    private let state: State
    private let source: (any DispatchSourceRead)?
    private let queue: DispatchQueue

    /// Watches what a signal watch catches; nothing where that catches nothing.
    init(_ descriptor: Int32?) {
        let state = State(withUnsafeCurrentTask { $0 })
        let queue = DispatchQueue(label: "doorstep.interrupt")
        self.state = state
        self.queue = queue
        source = descriptor.map { DispatchSource.makeReadSource(fileDescriptor: $0, queue: queue) }
        source?.setEventHandler {
            let caught = SignalWatch.takePending()
            state.caught.withLock { $0.formUnion(caught) }
            if caught.contains(.interrupted) { state.task?.cancel() }
        }
        source?.activate()
    }

    /// Ends the watch and says what came.
    func end() -> SignalWatch.Caught {
        source?.cancel()
        // The handler may be running.
        queue.sync {}
        return state.caught.withLock { $0 }
    }
}
