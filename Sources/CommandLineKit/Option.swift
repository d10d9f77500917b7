/// A value that is known by a name: `--suite FILE`, `--suite=FILE`, and with a short name `-s FILE`, `-sFILE`.
///
/// `Option<T>` is required unless it has a default, `Option<T?>` may be left out, `Option<[T]>` may be repeated. Of an option
/// that can't be repeated the last value counts, so that an alias can be overridden.
package struct Option<Value: Sendable>: Parameter {
    package let declaration: Declaration

    private init(
        _ name: String, _ short: Character?, _ valueName: String?, _ help: String, _ completion: Completion?,
        _ isHidden: Bool, _ shape: ValueShape
    ) {
        declaration = Declaration(
            kind: .option, names: Declaration.names(short: short, long: name), valueName: valueName ?? name, help: help,
            completion: completion, isHidden: isHidden, shape: shape)
    }
}

extension Option where Value: ArgumentValue {
    /// Declares an option that is required, or optional if it has a default.
    package init(
        _ name: String, short: Character? = nil, valueName: String? = nil, help: String, default: Value? = nil,
        completion: Completion? = nil, isHidden: Bool = false
    ) {
        self.init(
            name, short, valueName, help, completion, isHidden, .one(of: Value.self, default: `default`))
    }
}

extension Option {
    /// Declares an option that may be left out.
    package init<Wrapped: ArgumentValue>(
        _ name: String, short: Character? = nil, valueName: String? = nil, help: String, completion: Completion? = nil,
        isHidden: Bool = false
    ) where Value == Wrapped? {
        self.init(name, short, valueName, help, completion, isHidden, .optional(Wrapped.self))
    }

    /// Declares an option that may be repeated; it must be given at least once if it is required.
    package init<Element: ArgumentValue>(
        _ name: String, short: Character? = nil, valueName: String? = nil, help: String, isRequired: Bool = false,
        completion: Completion? = nil, isHidden: Bool = false
    ) where Value == [Element] {
        self.init(
            name, short, valueName, help, completion, isHidden, .list(of: Element.self, isRequired: isRequired))
    }
}
