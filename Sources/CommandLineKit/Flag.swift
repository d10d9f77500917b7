/// A name without a value: `--json`, and with a short name `-j`; short flags may be joined, as in `-jv`.
package struct Flag: Parameter {
    package typealias Value = Bool
    package let declaration: Declaration

    /// Declares a flag, which is `false` unless it is given.
    package init(_ name: String, short: Character? = nil, help: String, isHidden: Bool = false) {
        declaration = Declaration(
            kind: .flag, names: Declaration.names(short: short, long: name), valueName: "", help: help,
            completion: Completion.none, isHidden: isHidden, shape: .flag)
    }
}
