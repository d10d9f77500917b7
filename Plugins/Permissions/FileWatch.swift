internal import Dispatch
internal import DoorstepPluginKit
internal import Glibc

/// Watches files through inotify, also those that aren't there yet.
///
/// A path is watched where it stands and in its nearest directory that exists, so that it is seen to appear, level by
/// level. Only names on a watched path count: a runtime directory stirs all the time.
enum FileWatch {
    /// A value once the watch stands, then one whenever a path stirs. The stream ends at once where nothing can be watched.
    static func changes(of paths: [String]) -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
            guard descriptor >= 0 else {
                continuation.finish()
                return
            }
            let table = WatchTable(descriptor: descriptor, paths: paths)
            let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: table.queue)
            source.setEventHandler { if table.takeEvents() { continuation.yield() } }
            source.setCancelHandler { close(descriptor) }
            table.queue.sync { table.arm() }
            source.activate()
            continuation.yield()
            let cancellation = SourceCancellation(source)
            continuation.onTermination = { _ in cancellation.cancel() }
        }
    }
}

/// Ends a source from any thread.
///
/// Unchecked: the reference never changes, and libdispatch lets any thread cancel a source.
final class SourceCancellation: @unchecked Sendable {
    private let source: any DispatchSourceProtocol
    init(_ source: any DispatchSourceProtocol) { self.source = source }
    func cancel() { source.cancel() }
}

/// Which names count in which watched directory.
///
/// Unchecked: everything mutable is touched on its serial queue alone.
private final class WatchTable: @unchecked Sendable {
    let queue = DispatchQueue(label: "doorstep.file-watch")
    private let descriptor: Int32
    private let paths: [String]
    /// The names that count, by watch; an empty name is the watched thing itself.
    private var names: [Int32: Set<String>] = [:]

    init(descriptor: Int32, paths: [String]) {
        self.descriptor = descriptor
        self.paths = paths
    }

    private static let mask =
        UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM) | UInt32(IN_MOVED_TO) | UInt32(IN_ATTRIB)
        | UInt32(IN_CLOSE_WRITE) | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF)

    /// Watches each path where it stands, and the nearest directory above it that is there.
    func arm() {
        names = [:]
        for path in paths {
            if !path.hasSuffix("*") { watch(path, for: "") }
            var parts = path.pathParts
            while let name = parts.popLast() {
                if watch("/" + parts.joined(separator: "/"), for: name) { break }
            }
        }
    }

    @discardableResult
    private func watch(_ path: String, for name: String) -> Bool {
        let watch = inotify_add_watch(descriptor, path, Self.mask)
        guard watch >= 0 else { return false }
        names[watch, default: []].insert(name)
        return true
    }

    /// Reads all events that are there.
    ///
    /// - Returns: Whether one of them concerns a watched path.
    func takeEvents() -> Bool {
        var concerns = false
        var bytes = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = read(descriptor, &bytes, bytes.count)
            guard count > 0 else { break }
            var offset = 0
            let header = MemoryLayout<inotify_event>.size
            while offset + header <= count {
                let event = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: inotify_event.self) }
                let end = min(offset + header + Int(event.len), count)
                let name = bytes[(offset + header)..<end].prefix { $0 != 0 }
                if isWanted(String(decoding: name, as: UTF8.self), in: event.wd) { concerns = true }
                offset = end
            }
        }
        if concerns { arm() }
        return concerns
    }

    private func isWanted(_ name: String, in watch: Int32) -> Bool {
        guard let wanted = names[watch] else { return false }
        return wanted.contains { $0.hasSuffix("*") ? name.hasPrefix($0.dropLast()) : $0 == name }
    }
}
