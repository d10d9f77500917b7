internal import CSDBus
internal import Glibc

/// A connection to a bus whose handshake goes line by line.
///
/// sd-bus sends its whole handshake at once. The proxy before a sandbox's bus, in the versions that stable distributions
/// ship, takes that for nonsense and hangs up (github.com/flatpak/xdg-dbus-proxy/issues/21). So inside a sandbox sd-bus
/// talks to a socket of ours, and a thread passes on each line once the one before is answered, then whatever comes.
enum HandshakeRelay {
    /// Connects to the first socket of an address that can be connected to.
    ///
    /// - Returns: A descriptor for sd-bus, which closes it and with it the relay; or minus an errno value.
    static func connect(to address: BusAddress) -> Int32 {
        var problem = -EINVAL
        for path in address.paths {
            let bus = open(path)
            guard bus >= 0 else {
                problem = bus
                continue
            }
            var ends: [Int32] = [-1, -1]
            let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
            guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
                problem = -errno
                _ = close(bus)
                continue
            }
            let relay = Relay(client: ends[1], bus: bus)
            if let errno = relay.start() {
                _ = close(ends[0])
                return -errno
            }
            return ends[0]
        }
        return problem
    }

    /// A connected, non-blocking socket, or minus an errno value. An abstract name begins with a NUL.
    private static func open(_ path: [UInt8]) -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { return -errno }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let fits = withUnsafeMutableBytes(of: &address.sun_path) { bytes -> Bool in
            guard path.count < bytes.count else { return false }
            bytes.copyBytes(from: path)
            return true
        }
        // An abstract name is as long as it is said to be; any other ends with its NUL.
        let length = MemoryLayout<sa_family_t>.size + path.count + (path.first == 0 ? 0 : 1)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                fits ? Glibc.connect(descriptor, $0, socklen_t(length)) : -1
            }
        }
        if result == 0 { return descriptor }
        let problem = fits ? errno : ENAMETOOLONG
        _ = close(descriptor)
        return -problem
    }
}

/// Both sides of one relay, on a thread of their own. It ends when either side does.
private final class Relay {
    private let client: Int32
    private let bus: Int32
    /// What the client said and the bus hasn't got yet, held back line by line until the handshake is over.
    private var held: [UInt8] = []
    private var toBus: [UInt8] = []
    private var toClient: [UInt8] = []
    private var isHandshake = true
    private var awaitsReply = false

    init(client: Int32, bus: Int32) {
        self.client = client
        self.bus = bus
    }

    /// Starts the thread, deaf to signals like every thread of a client's. Returns an errno value where there is none.
    func start() -> Int32? {
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let retained = Unmanaged.passRetained(self)
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                csdbus_name_thread("doorstep-relay")
                Unmanaged<Relay>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, retained.toOpaque())
        guard result == 0 else {
            retained.release()
            return result
        }
        pthread_detach(thread)
        return nil
    }

    deinit {
        _ = close(client)
        _ = close(bus)
    }

    private func run() {
        while true {
            passOn()
            // A side is read only while the other has taken everything, so that nothing piles up.
            var polled = [
                pollfd(fd: client, events: events(reads: toBus.isEmpty, writes: !toClient.isEmpty), revents: 0),
                pollfd(fd: bus, events: events(reads: toClient.isEmpty, writes: !toBus.isEmpty), revents: 0),
            ]
            if poll(&polled, 2, -1) < 0 {
                if errno == EINTR { continue }
                return
            }
            guard Self.write(&toClient, to: client), Self.write(&toBus, to: bus) else { return }
            if polled[0].revents & Int16(POLLIN | POLLHUP | POLLERR) != 0, toBus.isEmpty {
                guard let bytes = Self.read(client) else { return }
                held += bytes
            }
            if polled[1].revents & Int16(POLLIN | POLLHUP | POLLERR) != 0, toClient.isEmpty {
                guard let bytes = Self.read(bus) else {
                    _ = Self.write(&toClient, to: client)
                    return
                }
                toClient += bytes
                if bytes.contains(UInt8(ascii: "\n")) { awaitsReply = false }
            }
        }
    }

    /// Moves what may go to the bus now: one line of the handshake at a time, and afterwards everything.
    private func passOn() {
        while isHandshake, !awaitsReply, let end = held.firstIndex(of: UInt8(ascii: "\n")) {
            let line = held[...end]
            isHandshake = !line.elementsEqual("BEGIN\r\n".utf8)
            awaitsReply = isHandshake
            toBus += line
            held.removeSubrange(...end)
        }
        if !isHandshake {
            toBus += held
            held = []
        }
    }

    private func events(reads: Bool, writes: Bool) -> Int16 {
        (reads ? Int16(POLLIN) : 0) | (writes ? Int16(POLLOUT) : 0)
    }

    /// Reads what is there; nil at the end.
    private static func read(_ descriptor: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 16_384)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        if count > 0 { return Array(bytes[..<count]) }
        return count < 0 && (errno == EAGAIN || errno == EINTR) ? [] : nil
    }

    /// Writes what can be written now; false once the other side is gone.
    private static func write(_ bytes: inout [UInt8], to descriptor: Int32) -> Bool {
        guard !bytes.isEmpty else { return true }
        let count = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        if count < 0 { return errno == EAGAIN || errno == EINTR }
        bytes.removeFirst(count)
        return true
    }
}

extension BusAddress {
    /// The socket paths of the address, in order; an abstract name begins with a NUL.
    var paths: [[UInt8]] {
        text.split(separator: ";").compactMap { entry in
            for pair in entry.dropFirst("unix:".count).split(separator: ",") {
                if pair.hasPrefix("path=") { return Self.unescaped(pair.dropFirst("path=".count)) }
                if pair.hasPrefix("abstract=") { return [0] + Self.unescaped(pair.dropFirst("abstract=".count)) }
            }
            return nil
        }
    }

    private static func unescaped(_ text: Substring) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }
}
