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
    /// The most characters that a pattern may have; a manifest's regular expression stays one that a person can read.
    static let longestPattern = 500
    /// The most characters of a text with a pattern: what is matched is what somebody types on a line.
    static let longestMatchedText = 256

    let key: String
    let label: LocalizedText
    let help: LocalizedText?
    let isOptional: Bool
    let rule: Rule

    /// Reads one input; mistakes are left in the reader.
    init(from reader: JSONReader) {
        let earlierFaults = reader.faults.count
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
        // A rule with mistakes can't judge its default; those of other inputs are no reason to pass over this one.
        if reader.faults.count == earlierFaults { checkDefault(reader) }
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
        let earlierFaults = reader.faults.count
        let minimum = reader.integer("minLength", in: 0...longestText, default: isOptional ? 0 : 1)
        let maximum = reader.integer("maxLength", in: 1...longestText, default: max(200, minimum))
        if reader.faults.count > earlierFaults {
            // What was put in the place of a mistake is not compared.
        } else if minimum > maximum {
            reader.fault("minLength \(minimum) is above maxLength \(maximum); swap them", at: "minLength")
        } else if minimum == 0 && !isOptional {
            let message = "a minLength of 0 is accepted only with \"optional\": true; else 1 or more"
            reader.fault(message, at: "minLength")
        }
        let pattern = reader.optionalString("pattern", check: faultInPattern)
        if pattern != nil, maximum > longestMatchedText {
            let message =
                "a text that must match a pattern may have at most \(longestMatchedText) characters; this allows \(maximum)"
            reader.fault(message, at: minimum > longestMatchedText ? "minLength" : "maxLength")
        }
        return .text(
            length: min(minimum, maximum)...max(minimum, maximum), pattern: pattern,
            initial: reader.optionalString("default"))
    }

    private static func integer(from reader: JSONReader) -> Rule {
        let earlierFaults = reader.faults.count
        let minimum = reader.integer("minimum", default: Int.min)
        let maximum = reader.integer("maximum", default: Int.max)
        if reader.has("step") && !reader.has("minimum") {
            reader.fault("a step is counted from minimum, which is missing here; add one", at: "step")
        }
        if reader.faults.count == earlierFaults, minimum > maximum {
            reader.fault("minimum \(minimum) is above maximum \(maximum); swap them", at: "minimum")
        }
        return .integer(
            range: min(minimum, maximum)...max(minimum, maximum),
            step: reader.integer("step", in: 1...Int.max, default: 1),
            initial: reader.optionalInteger("default"))
    }

    private static func choice(from reader: JSONReader) -> Rule {
        let choices = reader.array("choices", count: 1...200) { reader in
            let value = reader.string("value", check: faultInValue)
            return Choice(value: value, label: reader.optionalText("label") ?? LocalizedText(value))
        }
        var values: Set<String> = []
        for (place, choice) in choices.enumerated() where !choice.value.isEmpty && !values.insert(choice.value).inserted
        {
            let path = reader.path.key("choices").index(place).key("value")
            let message = "the value \(quoted(choice.value)) stands twice; each choice needs its own"
            reader.add([JSONFault(path: path, message: message)])
        }
        return .choice(choices, initial: reader.optionalString("default"))
    }

    /// A default must be a value that the field itself would accept.
    private func checkDefault(_ reader: JSONReader) {
        if case .choice(let choices, let initial?) = rule {
            let values = choices.map(\.value)
            if values.contains(initial) { return }
            let hint = JSONFault.hint(nearestSpelling(of: initial, among: values), accepted: values)
            reader.fault("\(quoted(initial)) is none of the choices\(hint)", at: "default")
            return
        }
        let english = LanguagePreferences(["en"])
        let field = StepField(key: key, label: key, kind: kind { $0.text(for: english) }, isOptional: isOptional)
        guard let value = field.initialValue, let fault = field.fault(in: value) else { return }
        let message = "the field itself would refuse this default, saying \"\(fault.text(for: english))\""
        reader.fault(message, at: "default")
    }

    private static func faultInPattern(_ pattern: String) -> String? {
        guard (1...longestPattern).contains(pattern.count) else {
            return "a pattern of \(pattern.count) characters can't be used; accepted are 1 to \(longestPattern)"
        }
        return StepField.fault(inPattern: pattern)
    }

    private static func faultInValue(_ value: String) -> String? {
        if value.isEmpty { return "this value is empty; it needs at least one character" }
        let hasControl = value.unicodeScalars.contains { $0.properties.generalCategory == .control }
        return hasControl ? "this value holds a control character; none is accepted" : nil
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
            ? nil : "\(quoted(key)) can't be a key; accepted are 1 to 64 letters from a to z or A to Z, digits, _ and -"
    }
}
