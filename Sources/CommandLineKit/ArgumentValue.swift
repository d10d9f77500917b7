/// A type whose values can be given on the command line.
///
/// An enum with string raw values needs no more than `String, CaseIterable, ArgumentValue`: its values are then listed in
/// help, errors and completions. Any other type says what it reads:
///
/// ```swift
/// extension StepID: ArgumentValue {
///     init?(argument: String) { self.init(validating: argument) }
///     static var expectedArgument: String? { "a step ID such as com.example.aurora.profile" }
///     var argumentText: String { rawValue }
/// }
/// ```
package protocol ArgumentValue: Sendable {
    /// Reads a value, or answers `nil` if the text isn't one.
    init?(argument: String)

    /// Every text that is a value, if they are few enough to be listed; else empty.
    static var allowedArguments: [String] { get }

    /// What the error for a bad text asks for: "a whole number". `nil` if there is nothing to say.
    static var expectedArgument: String? { get }

    /// The text that stands for this value, for defaults in the help.
    var argumentText: String { get }
}

extension ArgumentValue {
    /// No list, unless the type gives one.
    package static var allowedArguments: [String] { [] }

    /// Nothing to say, unless the type does.
    package static var expectedArgument: String? { nil }
}

extension ArgumentValue where Self: RawRepresentable, RawValue == String {
    /// The value with this raw value.
    package init?(argument: String) { self.init(rawValue: argument) }

    /// The raw value.
    package var argumentText: String { rawValue }
}

extension ArgumentValue where Self: RawRepresentable & CaseIterable, RawValue == String {
    /// The raw values in the order the cases are declared.
    package static var allowedArguments: [String] { allCases.map(\.rawValue) }
}
