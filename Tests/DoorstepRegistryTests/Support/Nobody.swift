import Foundation
import Glibc

/// Runs what must meet the permissions of files, also where the tests run as root, whom no mode keeps out.
enum Nobody {
    static let isNeeded = geteuid() == 0

    /// Runs the body with the file-system identity of `nobody`, which is this thread's own; as it is for other users.
    @discardableResult
    static func run<Result>(_ body: () throws -> Result) throws -> Result {
        guard isNeeded else { return try body() }
        typealias SetID = @convention(c) (UInt32) -> Int32
        func call(_ name: String, _ id: UInt32) throws {
            guard let symbol = dlsym(nil, name) else { throw POSIXError(.ENOSYS) }
            _ = unsafeBitCast(symbol, to: SetID.self)(id)
        }
        try call("setfsgid", 65534)
        try call("setfsuid", 65534)
        let result = Swift.Result { try body() }
        try call("setfsuid", 0)
        try call("setfsgid", 0)
        return try result.get()
    }

    static func setMode(_ mode: Int, of path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }
}
