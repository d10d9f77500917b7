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
        values.withLock { values in
            if let value = values[ObjectIdentifier(type)] as? Value { return value }
            let value = make()
            values[ObjectIdentifier(type)] = value
            return value
        }
    }
}
