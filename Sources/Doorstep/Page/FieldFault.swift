/// What is wrong with the value of one field.
public struct FieldFault: Error, Sendable, Hashable {
    /// The field's key.
    public var key: String
    /// The sentence to show: what is wrong and what is accepted.
    public var phrase: Phrase

    /// A fault of one field.
    public init(key: String, phrase: Phrase) {
        self.key = key
        self.phrase = phrase
    }
}
