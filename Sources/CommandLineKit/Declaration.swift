/// What parsing, help and completions know of a parameter, whatever the type of its value.
package struct Declaration: Sendable {
    enum Kind: Sendable { case argument, option, flag }

    let kind: Kind
    /// The names with their dashes, the short one first; none for an argument.
    let names: [String]
    let valueName: String
    let help: String
    let completion: Completion
    let isHidden: Bool
    let shape: ValueShape

    init(
        kind: Kind, names: [String], valueName: String, help: String, completion: Completion?, isHidden: Bool,
        shape: ValueShape
    ) {
        self.kind = kind
        self.names = names
        self.valueName = valueName
        self.help = help
        self.completion = completion ?? (shape.allowed.isEmpty ? .none : .values(shape.allowed))
        self.isHidden = isHidden
        self.shape = shape
    }

    static func names(short: Character?, long: String) -> [String] {
        (short.map { ["-\($0)"] } ?? []) + ["--\(long)"]
    }

    /// What tells the parameters of one command apart.
    package var key: String { names.last ?? "<\(valueName)>" }

    /// How the parameter is named in usage and errors: `<app>`, `--suite <file>`, `--json`.
    var synopsis: String {
        switch kind {
        case .argument: "<\(valueName)>"
        case .option: "\(key) <\(valueName)>"
        case .flag: key
        }
    }

    /// The same with every name, for the left column of the help.
    var label: String {
        switch kind {
        case .argument: synopsis
        case .option: names.joined(separator: ", ") + " <\(valueName)>"
        case .flag: names.joined(separator: ", ")
        }
    }

    /// The same with what may be left out in brackets, for the usage line.
    var usage: String {
        let text = shape.isRepeating ? "\(synopsis) ..." : synopsis
        return shape.isOptional ? "[\(text)]" : text
    }

    /// The help with the allowed values and the default at its end.
    var fullHelp: String {
        var notes: [String] = []
        if !shape.allowed.isEmpty { notes.append("values: " + shape.allowed.joined(separator: ", ")) }
        if let text = shape.defaultText, !text.isEmpty { notes.append("default: \(text)") }
        guard !notes.isEmpty else { return help }
        return (help.isEmpty ? "" : help + " ") + "(" + notes.joined(separator: "; ") + ")"
    }
}
