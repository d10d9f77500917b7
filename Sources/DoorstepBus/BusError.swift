/// Why a question to a bus has no answer.
///
/// Only `remote` comes from the service that was asked. A probe tells "not here" (`unavailable`), "didn't answer"
/// (`timeout`) and "said no" (`remote`) apart, since they mean different things for a permission.
public enum BusError: Error, Sendable, Equatable {
    /// There is no such bus for this process, for the reason given.
    case unavailable(Bus, BusUnavailability)
    /// The deadline passed first, be it while connecting or while the service worked.
    case timeout
    /// The bus daemon or the service answered with an error: its D-Bus name and its message, which is text for people.
    case remote(name: String, message: String)
    /// The connection worked and then ended, by the bus or by `BusClient.close()`.
    case disconnected
    /// The answer isn't of the type that was asked for: both as D-Bus signatures, or words where no signature says it.
    case invalidReply(expected: String, found: String)
    /// The call itself can't be sent: a name, path or value that D-Bus doesn't allow.
    case invalidCall(String)
    /// The task that waited was cancelled.
    case cancelled
}

extension BusError: CustomStringConvertible {
    /// The error as one sentence for a person.
    public var description: String {
        switch self {
        case .unavailable(let bus, let reason):
            "There is no \(bus): \(reason.explanation(for: bus))."
        case .timeout:
            "The service didn't answer in time."
        case .remote(let name, let message):
            message.isEmpty
                ? "The service answered with the error \(name)."
                : "The service answered with the error \(name): \(message)"
        case .disconnected:
            "The connection to the bus ended before the answer came."
        case .invalidReply(let expected, let found):
            "The service answered with \(found) where \(expected) was expected."
        case .invalidCall(let reason):
            "The call can't be sent: \(reason)."
        case .cancelled:
            "The question was cancelled before the answer came."
        }
    }
}
