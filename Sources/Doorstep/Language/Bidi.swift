/// Marks that keep inserted text from disturbing the order of the text around it (Unicode UAX #9, section 2.4).
public enum Bidi {
    /// The text between FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE, for a name inside a sentence of either direction.
    public static func isolated(_ text: String) -> String {
        "\u{2068}\(text)\u{2069}"
    }
}
