internal import Glibc

/// A file descriptor that is closed with its owner.
struct Descriptor: ~Copyable {
    let number: Int32

    init(_ number: Int32) { self.number = number }

    deinit { close(number) }

    /// What the file system says of the file, or nil where it says nothing.
    borrowing func status() -> stat? {
        var status = stat()
        return fstat(number, &status) == 0 ? status : nil
    }
}
