internal import DoorstepPluginKit

/// One input of a profile step, as the manifest's options give it.
public struct ProfileInput: Sendable {
    /// The types of values.
    enum ValueType: String, CaseIterable {
        case text, integer, choice, toggle
    }

    /// A value that can be chosen, with its label in every language.
    struct Choice: Sendable {
        var value: String
        var label: LocalizedText
    }

    /// Which values are accepted.
    enum Rule: Sendable {
        case text(length: ClosedRange<Int>, pattern: String?, initial: String?)
        case integer(range: ClosedRange<Int>, step: Int, initial: Int?)
        case choice([Choice], initial: String?)
        case toggle(initial: Bool)
    }

    /// The most characters that a text may be allowed to have.
    static let longestText = 10_000

    let key: String
    let label: LocalizedText
    let help: LocalizedText?
    let isOptional: Bool
    let rule: Rule

    /// Reads one input; mistakes are left in the reader.
    init(from reader: JSONReader) {
        key = reader.string("key", check: Self.faultInKey)
        label = reader.optionalText("label") ?? LocalizedText(key)
        help = reader.optionalText("help")
        isOptional = reader.bool("optional", default: false)
        let type = reader.choice("type", of: ValueType.self)
        switch reader.object["type"]?.string.flatMap(ValueType.init) == nil ? nil : type {
        case .text: rule = Self.text(from: reader, isOptional: isOptional)
        case .integer: rule = Self.integer(from: reader)
        case .choice: rule = Self.choice(from: reader)
        case .toggle: rule = .toggle(initial: reader.bool("default", default: false))
        case nil:
            // Without a type nothing can be said of the other keys.
            reader.allowUnknownKeys()
            rule = .toggle(initial: false)
        }
        checkDefault(reader)
    }

    /// The field that a page shows for this input.
    func field(in context: StepContext) -> StepField {
        StepField(
            key: key, label: context.text(label), help: help.map(context.text), kind: kind(context.text),
            isOptional: isOptional)
    }

    private func kind(_ text: (LocalizedText) -> String) -> StepField.Kind {
        switch rule {
        case .text(let length, let pattern, let initial): .text(length: length, pattern: pattern, initial: initial)
        case .integer(let range, let step, let initial): .integer(range: range, step: step, initial: initial)
        case .choice(let choices, let initial):
            .choice(choices.map { StepChoice(value: $0.value, label: text($0.label)) }, initial: initial)
        case .toggle(let initial): .toggle(initial: initial)
        }
    }

    private static func text(from reader: JSONReader, isOptional: Bool) -> Rule {
        let minimum = reader.integer("minLength", in: 0...longestText, default: isOptional ? 0 : 1)
        let maximum = reader.integer("maxLength", in: 1...longestText, default: max(200, minimum))
        let pattern = reader.optionalString("pattern") { pattern in
            (try? Regex(pattern)) == nil ? "this is not a regular expression that Swift's Regex accepts" : nil
        }
        if minimum > maximum {
            reader.fault("minLength \(minimum) is above maxLength \(maximum); swap them", at: "minLength")
        }
        return .text(
            length: min(minimum, maximum)...max(minimum, maximum), pattern: pattern,
            initial: reader.optionalString("default"))
    }

    private static func integer(from reader: JSONReader) -> Rule {
        let minimum = reader.integer("minimum", default: Int.min)
        let maximum = reader.integer("maximum", default: Int.max)
        if minimum > maximum {
            reader.fault("minimum \(minimum) is above maximum \(maximum); swap them", at: "minimum")
        }
        return .integer(
            range: min(minimum, maximum)...max(minimum, maximum),
            step: reader.integer("step", in: 1...Int.max, default: 1),
            initial: reader.optionalInteger("default"))
    }

    private static func choice(from reader: JSONReader) -> Rule {
        let choices = reader.array("choices", count: 1...200) { reader in
            let value = reader.string("value") { $0.isEmpty ? "this value is empty; it needs a text" : nil }
            return Choice(value: value, label: reader.optionalText("label") ?? LocalizedText(value))
        }
        var values: Set<String> = []
        for (place, choice) in choices.enumerated() where !choice.value.isEmpty && !values.insert(choice.value).inserted
        {
            let path = reader.path.key("choices").index(place).key("value")
            reader.add([
                JSONFault(path: path, message: "the value \"\(choice.value)\" stands twice; each must be different")
            ])
        }
        return .choice(choices, initial: reader.optionalString("default"))
    }

    /// A default must be a value that the field itself would accept.
    private func checkDefault(_ reader: JSONReader) {
        guard reader.faults.isEmpty else { return }
        let english = LanguagePreferences(["en"])
        let field = StepField(key: key, label: key, kind: kind { $0.text(for: english) }, isOptional: isOptional)
        guard let value = field.initialValue, let fault = field.fault(in: value) else { return }
        reader.fault("the default isn't accepted by its own field: \(fault.text(for: english))", at: "default")
    }

    private static func faultInKey(_ key: String) -> String? {
        let isAccepted =
            (1...64).contains(key.utf8.count)
            && key.unicodeScalars.allSatisfy { scalar in
                switch scalar {
                case "a"..."z", "A"..."Z", "0"..."9", "_", "-": true
                default: false
                }
            }
        return isAccepted
            ? nil : "\"\(key)\" can't be a key; accepted: 1 to 64 of the letters a-z and A-Z, digits, _ and -"
    }
}
