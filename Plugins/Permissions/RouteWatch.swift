internal import Dispatch
internal import Glibc

/// Watches the kernel's routes through netlink: `/proc/net/route` itself tells of nothing.
enum RouteWatch {
    /// A value once the watch stands, then one whenever a route comes or goes. The stream ends at once where the kernel
    /// tells nothing.
    static func changes() -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            guard let descriptor = subscribe() else {
                continuation.finish()
                return
            }
            let queue = DispatchQueue(label: "doorstep.route-watch")
            let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
            source.setEventHandler {
                // What changed is looked up afterwards, so the messages are only taken; too many at once are an error that
                // says that something changed as well.
                var bytes = [UInt8](repeating: 0, count: 16_384)
                while true {
                    let count = recv(descriptor, &bytes, bytes.count, 0)
                    if count == 0 || count < 0 && errno != ENOBUFS { break }
                }
                continuation.yield()
            }
            source.setCancelHandler { close(descriptor) }
            source.activate()
            continuation.yield()
            let cancellation = SourceCancellation(source)
            continuation.onTermination = { _ in cancellation.cancel() }
        }
    }

    /// A socket to which the kernel writes of IPv4 and IPv6 routes, or nil where it is refused.
    private static func subscribe() -> Int32? {
        // From linux/netlink.h and linux/rtnetlink.h, which aren't imported.
        let family: Int32 = 16
        let routes: UInt32 = 0x40 | 0x400
        let kind = Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(family, kind, 0)
        guard descriptor >= 0 else { return nil }
        // struct sockaddr_nl: the family in 16 bits, 16 of padding, the port, which the kernel chooses, and the groups.
        var address: (UInt32, UInt32, UInt32) = (0, 0, routes)
        let bound = withUnsafeMutableBytes(of: &address) { bytes in
            bytes.storeBytes(of: sa_family_t(family), as: sa_family_t.self)
            return bytes.withMemoryRebound(to: sockaddr.self) { bind(descriptor, $0.baseAddress, 12) }
        }
        guard bound == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }
}
