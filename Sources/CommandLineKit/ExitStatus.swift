/// The number a process ends with.
///
/// Only what the parser itself needs is named here; a command adds its own in an extension.
package struct ExitStatus: Sendable, Equatable {
    /// The status as `exit` takes it, 0 to 255.
    package let code: Int32

    /// Makes a status from its number.
    package init(_ code: Int32) { self.code = code }

    /// Done (0).
    package static let success = ExitStatus(0)
    /// The command line was wrong (64, `EX_USAGE`).
    package static let usage = ExitStatus(64)
}
