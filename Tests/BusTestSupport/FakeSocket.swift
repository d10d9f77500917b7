internal import Foundation
internal import Glibc

/// A socket that isn't a bus: it listens and then does what the test says.
package final class FakeSocket: Sendable {
    package struct Failed: Error {
        package let errno: Int32
    }

    package let path: String
    private let descriptor: Int32

    package init(at path: String, backlog: Int32 = 16) throws {
        self.path = path
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = Self.address(of: path)
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
        }
        guard bound == 0, listen(descriptor, backlog) == 0 else { throw Failed(errno: errno) }
    }

    deinit { close(descriptor) }

    /// What a bus says to a client that it lets in, up to where the messages begin.
    package static let welcome = "DATA\r\nOK 0123456789abcdef0123456789abcdef\r\n"

    /// Takes one connection and answers its first bytes with `answer`, then hangs up once the other side does, or at
    /// once.
    package func answerOnce(with answer: String, thenHangUp: Bool = true) {
        let listener = descriptor
        Thread.detachNewThread {
            let connection = accept(listener, nil, nil)
            var bytes = [UInt8](repeating: 0, count: 4096)
            _ = read(connection, &bytes, bytes.count)
            _ = send(connection, answer, answer.utf8.count, Int32(MSG_NOSIGNAL))
            while !thenHangUp, read(connection, &bytes, bytes.count) > 0 {}
            close(connection)
        }
    }

    /// Connects until the queue of those not yet accepted is full. Returns the descriptors, for the caller to close.
    package func fillQueue() -> [Int32] {
        var connections: [Int32] = []
        while true {
            let connection = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
            connections.append(connection)
            var address = Self.address(of: path)
            let size = socklen_t(MemoryLayout<sockaddr_un>.size)
            let result = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(connection, $0, size) }
            }
            if result != 0 { return connections }
        }
    }

    private static func address(of path: String) -> sockaddr_un {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return address
    }
}
