internal import CSQLite
internal import Doorstep
internal import Glibc
internal import Synchronization

/// How a process reads suites that somebody else may have made to harm it: no links, bounded time and memory.
///
/// It is switched on once, for the whole process, which then does nothing else. Untrusted schemas and defensive mode are
/// the rule for every connection.
package enum HostileReading {
    /// The bytes of memory that SQLite may use.
    package static let heapLimit: Int64 = 128 * 1024 * 1024
    /// The bytes that one text of a suite may have.
    package static let textLimit: Int32 = 1_000_000

    private static let deadline = Atomic<UInt64>(0)

    /// Whether it is on.
    static var isOn: Bool { deadline.load(ordering: .relaxed) != 0 }

    /// Switches it on; a statement that runs past the time is interrupted.
    package static func begin(for time: Duration) {
        sqlite3_hard_heap_limit64(heapLimit)
        let nanoseconds = UInt64(max(0, time / .nanoseconds(1)))
        deadline.store(max(1, now() &+ nanoseconds), ordering: .relaxed)
    }

    /// Puts the limits on a new connection.
    static func limit(_ handle: OpaquePointer) {
        guard isOn else { return }
        sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, textLimit)
        sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0)
        sqlite3_limit(handle, SQLITE_LIMIT_WORKER_THREADS, 0)
        // What a schema has sorted counts as memory, instead of filling a disk.
        sqlite3_exec(handle, "PRAGMA temp_store = MEMORY", nil, nil, nil)
        // Some ten thousand steps of the virtual machine take about a millisecond.
        sqlite3_progress_handler(
            handle, 10_000, { _ in HostileReading.now() > HostileReading.deadline.load(ordering: .relaxed) ? 1 : 0 },
            nil)
    }

    static func refusal(_ path: String) -> OnboardingStorageError {
        OnboardingStorageError(
            .notPermitted, "suite \"\(path)\" is a link, and an audit of somebody else's suite follows none")
    }

    private static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }
}
