/// A signal that came in.
public struct BusSignal: Sendable, Hashable {
    /// Which bus it came from.
    public var bus: Bus
    /// The object that sent it.
    public var path: String
    /// Its interface.
    public var interface: String
    /// Its name.
    public var member: String
    /// What it carries; empty where that is malformed or holds a file descriptor.
    public var arguments: [BusValue]
}
