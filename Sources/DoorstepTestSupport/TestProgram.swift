internal import Glibc

/// Programs that tests put somewhere to be run.
///
/// A file that a process has written can't be run while a copy of the descriptor is open, and every process that another
/// test starts in the same moment inherits one, for as long as it lives. So a process of its own writes the program.
public enum TestProgram {
    /// Copies a file to a path and makes it a program.
    ///
    /// - Parameters:
    ///   - source: The file that is copied.
    ///   - path: Where the program goes.
    ///   - mode: The program's mode.
    /// - Returns: Whether it stands there now.
    public static func install(_ source: String, at path: String, mode: UInt32 = 0o755) -> Bool {
        let arguments = ["install", "-m", String(mode, radix: 8), "--", source, path]
        var pointers = arguments.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var child: pid_t = 0
        guard posix_spawn(&child, "/usr/bin/install", nil, nil, &pointers, nil) == 0 else { return false }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return status == 0
    }
}
