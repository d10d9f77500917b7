internal import Glibc

/// Which file a descriptor leads to and as of when: what a swapped or rewritten file differs in.
struct FileIdentity: Sendable, Hashable {
    private let device: UInt64
    private let inode: UInt64
    private let size: Int64
    private let modified: [Int]
    private let changed: [Int]

    init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        modified = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
        changed = [status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
    }
}
