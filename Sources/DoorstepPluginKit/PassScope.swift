internal import Synchronization

/// What the checks of one pass share, such as one private connection a bus. It ends with its pass: nothing in it is
/// seen by the next one.
public final class PassScope: Sendable {
    private let values = Mutex<[ObjectIdentifier: any Sendable]>([:])

    /// An empty scope.
    public init() {}

    /// The scope's one value of a type, made by the first check that asks for it.
    ///
    /// `make` runs under the scope's lock: it must be quick, and must not ask this scope for another value.
    public func shared<Value: Sendable>(_ type: Value.Type = Value.self, make: () -> Value) -> Value {
        let id = ObjectIdentifier(type)
        // Every check of a pass comes by here, so nothing but the look itself is done under the lock.
        if let value = values.withLock({ $0[id] }) as? Value { return value }
        return values.withLock { values in
            if let value = values[id] as? Value { return value }
            let made = make()
            values[id] = made
            return made
        }
    }

    /// Ends what the scope holds and waits until nothing of it is left; whoever runs the pass calls it, once, at the end.
    public func end() async {
        let resources = values.withLock { values in
            defer { values = [:] }
            return values.values.compactMap { $0 as? any PassResource }
        }
        await withTaskGroup { group in
            for resource in resources { group.addTask { await resource.end() } }
        }
    }
}

/// Something in a ``PassScope`` that outlives its last use until it is ended, such as a running plugin.
public protocol PassResource: Sendable {
    /// Ends it, and returns when nothing is left.
    func end() async
}
