internal import Glibc

/// A thread of this process, as the kernel sees it.
struct RunningThread: Sendable, Hashable {
    private let thread: pthread_t
    private let statusFile: String

    /// The thread that asks. Where there is no `/proc`, nothing can be told of any thread.
    static var current: RunningThread {
        var target = [CChar](repeating: 0, count: 64)
        let count = readlink("/proc/thread-self", &target, target.count)
        let thread = String(decoding: target.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
        return RunningThread(thread: pthread_self(), statusFile: "/proc/\(thread)/stat")
    }

    /// Whether it runs, or would if a processor were free, rather than wait for something. False where nobody can tell.
    var isRunnable: Bool {
        let file = open(statusFile, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 128)
        let count = read(file, &bytes, bytes.count)
        // The number, the name in parentheses, which may hold anything, a blank and the state's letter.
        guard count > 0, let end = bytes[..<count].lastIndex(of: UInt8(ascii: ")")), end + 2 < count else {
            return false
        }
        return bytes[end + 2] == UInt8(ascii: "R")
    }
}
