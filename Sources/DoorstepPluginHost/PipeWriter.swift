internal import Glibc

/// Writes to a pipe whose reader may be gone, without the signal that would end this process.
enum PipeWriter {
    /// Writes what the pipe takes; -1 with `errno` like `write`.
    ///
    /// The signal is blocked in the calling thread alone and taken off its queue, so an app's own handler neither hears
    /// of it nor is replaced.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int {
        var pipe = sigset_t()
        sigemptyset(&pipe)
        sigaddset(&pipe, SIGPIPE)
        var before = sigset_t()
        pthread_sigmask(SIG_BLOCK, &pipe, &before)
        let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        let code = errno
        if count < 0, code == EPIPE {
            var none = timespec()
            sigtimedwait(&pipe, nil, &none)
        }
        pthread_sigmask(SIG_SETMASK, &before, nil)
        errno = code
        return count
    }
}
