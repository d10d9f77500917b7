/// Something a command takes whose value has a known type: an ``Argument``, an ``Option`` or a ``Flag``.
///
/// The declared value is also the key to what was given: `invocation[app]` is a `String` because `app` is declared so.
package protocol Parameter<Value>: Sendable {
    /// The type of the value that the command reads.
    associatedtype Value: Sendable

    /// The same declaration without its type, for parsing, help and completions.
    var declaration: Declaration { get }
}
