/// Which manifest file, in which state, a registration was read from: while it is unchanged, nothing has to be parsed.
public struct ManifestIdentity: Sendable, Hashable {
    /// The manifest's absolute path.
    public var path: String
    /// The number of the device that holds the file, bit by bit as `stat` gives it.
    public var device: Int64
    /// The file's inode number, bit by bit as `stat` gives it.
    public var inode: Int64
    /// The file's size in bytes.
    public var size: Int64
    /// When the contents last changed: nanoseconds since 1970-01-01T00:00:00Z.
    public var modified: Int64
    /// When the contents or the inode last changed: nanoseconds since 1970-01-01T00:00:00Z.
    public var changed: Int64

    /// An identity from its parts.
    public init(path: String, device: Int64, inode: Int64, size: Int64, modified: Int64, changed: Int64) {
        self.path = path
        self.device = device
        self.inode = inode
        self.size = size
        self.modified = modified
        self.changed = changed
    }
}
