internal import Words

extension String: ArgumentValue {
    /// Any text, as it is.
    package init?(argument: String) { self = argument }

    /// The text itself.
    package var argumentText: String { self }
}

extension Int: ArgumentValue {
    /// A whole number in decimal digits, with or without a sign.
    package init?(argument: String) { self.init(argument) }

    package static var expectedArgument: String? { "a whole number" }

    /// The number in decimal digits.
    package var argumentText: String { String(self) }
}

extension Bool: ArgumentValue {
    /// `true` or `false`.
    package init?(argument: String) { self.init(argument) }

    package static var allowedArguments: [String] { ["true", "false"] }

    /// `true` or `false`.
    package var argumentText: String { String(self) }
}

extension Duration: ArgumentValue {
    /// A number with a unit: `500ms`, `2s`, `1.5s`, `1m`, `1h`.
    package init?(argument: String) { self.init(words: argument) }

    package static var expectedArgument: String? { "a duration such as 500ms, 2s or 1m" }

    /// The duration in the largest unit that needs no fraction: `1m`, `90s`, `500ms`.
    package var argumentText: String { words }
}
