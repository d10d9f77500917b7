internal import Doorstep
internal import Glibc

/// Turns a stream of changes into a descriptor that a reader can poll beside its input.
///
/// The stream is read by a task, since whoever reads lines blocks its thread. The watch ends when it is let go.
final class ChangeWatch {
    /// The step that is watched.
    let step: OnboardingStepID
    /// Readable once something changed; -1, which poll(2) passes over, once nothing more is told.
    var descriptor: Int32 { isOver ? -1 : reading }
    private let reading: Int32
    private var isOver = false
    private let task: Task<Void, Never>

    /// Begins to watch, or nil where there is no descriptor to be had.
    init?(of step: OnboardingStepID, _ changes: AsyncStream<Void>) {
        var ends: [Int32] = [-1, -1]
        // Sockets and no pipe: a late word to a watch that is gone must not raise SIGPIPE.
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        self.step = step
        reading = ends[0]
        let writing = ends[1]
        task = Task {
            // A full socket says it already. The task owns this end: it may still write while the watch goes.
            for await _ in changes { _ = send(writing, "!", 1, Int32(MSG_NOSIGNAL)) }
            close(writing)
        }
    }

    /// Whether something changed since the last call. Once the stream has ended nothing more is told.
    func take() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(reading, &bytes, bytes.count)
        if count == 0 { isOver = true }
        return count > 0
    }

    deinit {
        task.cancel()
        close(reading)
    }
}
