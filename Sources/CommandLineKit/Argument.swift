/// A value that is known by its position.
///
/// `Argument<T>` is required unless it has a default, `Argument<T?>` may be left out, `Argument<[T]>` takes all that follow.
package struct Argument<Value: Sendable>: Parameter {
    package let declaration: Declaration

    private init(_ name: String, _ help: String, _ completion: Completion?, _ shape: ValueShape) {
        declaration = Declaration(
            kind: .argument, names: [], valueName: name, help: help, completion: completion, isHidden: false,
            shape: shape)
    }
}

extension Argument where Value: ArgumentValue {
    /// Declares an argument that is required, or optional if it has a default.
    package init(_ name: String, help: String, default: Value? = nil, completion: Completion? = nil) {
        self.init(name, help, completion, .one(of: Value.self, default: `default`))
    }
}

extension Argument {
    /// Declares an argument that may be left out.
    package init<Wrapped: ArgumentValue>(_ name: String, help: String, completion: Completion? = nil)
    where Value == Wrapped? {
        self.init(name, help, completion, .optional(Wrapped.self))
    }

    /// Declares the argument that takes every value that follows: at least one if it is required. It must be the last.
    package init<Element: ArgumentValue>(
        _ name: String, help: String, isRequired: Bool = false, completion: Completion? = nil
    ) where Value == [Element] {
        self.init(name, help, completion, .list(of: Element.self, isRequired: isRequired))
    }
}
