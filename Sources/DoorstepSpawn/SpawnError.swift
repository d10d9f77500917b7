internal import Glibc

/// Why nothing was started: the system had no process, memory or descriptor left.
package struct SpawnError: Error, Hashable, CustomStringConvertible {
    /// An errno value.
    package var code: Int32

    /// What the system says of it.
    package var description: String { String(cString: strerror(code)) }
}
