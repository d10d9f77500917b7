package import Glibc

/// A file descriptor that is closed with its owner.
package struct Descriptor: ~Copyable {
    /// The number.
    package let number: Int32

    /// The owner of a descriptor.
    package init(_ number: Int32) { self.number = number }

    deinit { close(number) }

    /// What the file system says of the file, or nil where it says nothing.
    package borrowing func status() -> stat? {
        var status = stat()
        return fstat(number, &status) == 0 ? status : nil
    }
}
