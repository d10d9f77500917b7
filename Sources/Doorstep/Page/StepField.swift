/// One value that a page asks the user for, with the rule that it must meet.
public struct StepField: Sendable, Hashable {
    /// What kind of value, and which ones are accepted.
    public enum Kind: Sendable, Hashable {
        /// Text of `length` characters (grapheme clusters) that matches `pattern`, a Swift regular expression, as a whole.
        ///
        /// Matching takes time in proportion to the text's length, whatever the pattern. Look-arounds, references to groups
        /// and repetitions that give nothing back can't be used; ``StepField/fault(inPattern:)`` says so.
        case text(length: ClosedRange<Int>, pattern: String?, initial: String?)
        /// A whole number in `range`, counted from its lower bound in steps of `step`. The least and the greatest `Int` stand
        /// for a bound that isn't there: presenters then neither name it nor offer a slider.
        case integer(range: ClosedRange<Int>, step: Int, initial: Int?)
        /// One of the choices.
        case choice([StepChoice], initial: String?)
        /// On or off.
        case toggle(initial: Bool)
    }

    /// The input's key in the suite, unique in its flow.
    public var key: String
    /// What the field is called on the page.
    public var label: String
    /// A line of help, also shown under an invalid value: what is accepted, in the app's own words.
    public var help: String?
    /// What kind of value, and which ones are accepted.
    public var kind: Kind { didSet { pattern = KeptPattern(of: kind) } }
    /// Whether the field may be left empty.
    public var isOptional: Bool
    /// What text must match, read once for this field and its copies.
    private(set) var pattern: KeptPattern?

    /// A field from its parts.
    public init(key: String, label: String, help: String? = nil, kind: Kind, isOptional: Bool = false) {
        self.key = key
        self.label = label
        self.help = help
        self.kind = kind
        self.isOptional = isOptional
        pattern = KeptPattern(of: kind)
    }

    /// The value that the field holds before the user has touched it.
    public var initialValue: OnboardingInputValue? {
        switch kind {
        case .text(_, _, let initial): initial.map(OnboardingInputValue.text)
        case .integer(_, _, let initial): initial.map(OnboardingInputValue.integer)
        case .choice(_, let initial): initial.map(OnboardingInputValue.text)
        case .toggle(let initial): .toggle(initial)
        }
    }
}
