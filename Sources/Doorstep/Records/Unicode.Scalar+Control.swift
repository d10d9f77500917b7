extension Unicode.Scalar {
    /// Whether this is a control character.
    ///
    /// Unicode never changes which those are, and a launch gate asks for each character of each ID: a look into Unicode's
    /// tables would take it longer than the rest.
    package var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }
}
