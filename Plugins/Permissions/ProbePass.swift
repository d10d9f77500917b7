internal import DoorstepBus
internal import DoorstepPluginKit
internal import Synchronization

/// What the probes of one pass share: a private connection a bus, and what was read of the machine. It ends with the pass.
final class ProbePass: Sendable {
    /// The machine; a file of it is read once a pass.
    let machine: Machine
    /// The sandbox's name for the app, or nil outside a sandbox.
    let sandboxID: String?
    let buses: BusClient
    let names: ServiceNames
    /// What keeps all apps of the user from the location.
    let location = SharedAnswer<LocationProbe.Surroundings>()
    /// Who shows notifications.
    let notifications = SharedAnswer<NotificationsProbe.Server>()

    init(machine: Machine, environment: [String: String]) {
        self.machine = machine.readingOnce()
        sandboxID = self.machine.sandboxID
        buses = BusClient(environment: environment, isSandboxed: sandboxID != nil, sharesAnswers: true)
        names = ServiceNames(buses, isSandboxed: sandboxID != nil)
    }
}

/// What was read of a machine's files, by path and by what was made of them.
final class Readings: Sendable {
    private struct Key: Hashable {
        let path: String
        let type: ObjectIdentifier

        /// Byte for byte: two spellings of one letter name two files.
        static func == (one: Key, other: Key) -> Bool {
            one.type == other.type && one.path.utf8.elementsEqual(other.path.utf8)
        }
    }

    private final class Reading<Value: Sendable>: Sendable {
        let value: Value
        init(_ value: Value) { self.value = value }
    }

    private let readings = Mutex<[Key: any AnyObject & Sendable]>([:])

    /// The reading that is there, else a new one. A path that blocks holds up nobody but those who read it.
    func value<Value: Sendable>(of path: String, reading read: () -> Value) -> Value {
        let key = Key(path: path, type: ObjectIdentifier(Value.self))
        if let there = readings.withLock({ $0[key] }) as? Reading<Value> { return there.value }
        let new = Reading(read())
        return readings.withLock { readings in
            // Two at once: both go by what the first one saw.
            if let first = readings[key] as? Reading<Value> { return first.value }
            readings[key] = new
            return new.value
        }
    }
}
