/// How often a parameter is given and how the given texts become its value.
struct ValueShape: Sendable {
    typealias Resolve = @Sendable ([String], Declaration) throws(UsageError) -> any Sendable

    var isOptional = true
    var isRepeating = false
    var allowed: [String] = []
    var defaultText: String?
    /// Makes the value from every text that was given for the declaration, in order; none if it was left out.
    let resolve: Resolve

    static let flag = ValueShape { (texts, _) throws(UsageError) in !texts.isEmpty }

    static func one<Value: ArgumentValue>(of: Value.Type, default: Value?) -> ValueShape {
        ValueShape(
            isOptional: `default` != nil, allowed: Value.allowedArguments, defaultText: `default`?.argumentText
        ) { (texts, declaration) throws(UsageError) in
            if let text = texts.last { return try value(Value.self, text, declaration) }
            guard let value = `default` else { throw .missing(declaration) }
            return value
        }
    }

    static func optional<Value: ArgumentValue>(_: Value.Type) -> ValueShape {
        ValueShape(allowed: Value.allowedArguments) { (texts, declaration) throws(UsageError) in
            guard let text = texts.last else { return Value?.none }
            return Value?.some(try value(Value.self, text, declaration))
        }
    }

    static func list<Value: ArgumentValue>(of: Value.Type, isRequired: Bool) -> ValueShape {
        ValueShape(
            isOptional: !isRequired, isRepeating: true, allowed: Value.allowedArguments
        ) { (texts, declaration) throws(UsageError) in
            if isRequired && texts.isEmpty { throw .missing(declaration) }
            var values: [Value] = []
            for text in texts { values.append(try value(Value.self, text, declaration)) }
            return values
        }
    }

    private static func value<Value: ArgumentValue>(
        _: Value.Type, _ text: String, _ declaration: Declaration
    ) throws(UsageError) -> Value {
        guard let value = Value(argument: text) else {
            throw .invalid(text, for: declaration, expected: Value.expectedArgument)
        }
        return value
    }
}
