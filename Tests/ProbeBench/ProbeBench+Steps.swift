import DoorstepPluginKit

/// Which steps a pass has.
extension ProbeBench {
    typealias Step = (kind: String, options: JSONObject)

    /// One step of every kind.
    static let kinds: [Step] = [
        ("accessibility", [:]), ("background", [:]), ("bluetooth", [:]), ("camera", [:]),
        ("command", ["program": "/bin/sh"]), ("device-group", ["node": "/dev/null"]), ("file-access", ["path": "/"]),
        ("linger", [:]), ("linux-capability", ["capability": "cap_chown", "program": "/bin/sh"]), ("location", [:]),
        ("microphone", [:]), ("network", [:]), ("notifications", [:]), ("polkit", ["action": "org.example.act"]),
        ("screen-capture", [:]), ("secrets", [:]), ("service", ["name": "org.example.Service"]),
    ]

    /// Steps of all kinds in turn, those of a kind with equal options.
    static let alike = (0..<200).map { kinds[$0 % kinds.count] }

    /// Steps of all kinds in turn, those of a kind with options of their own each looking at something else.
    static let varied = (0..<200).map { number -> Step in
        let (kind, options) = kinds[number % kinds.count]
        return (kind, options.adding(variant(of: kind, number / kinds.count)))
    }

    /// The same, with another choice of grants that count in each: no two are alike, and each is a check of its own.
    static let distinct = varied.enumerated().map { number, step -> Step in
        let choice = number / kinds.count + 1
        let modes = GrantMode.allCases.enumerated().filter { choice >> $0.offset & 1 == 1 }.map(\.element)
        return (step.kind, step.options.adding(["acceptModes": .array(modes.map { .string($0.rawValue) })]))
    }

    /// What the steps of a kind look at.
    private static func variant(of kind: String, _ round: Int) -> JSONObject {
        switch kind {
        case "accessibility": ["screenReader": .bool(round.isMultiple(of: 2))]
        case "command": ["program": .string("/bin/" + programs[round])]
        case "device-group": ["node": .string("/dev/" + nodes[round])]
        case "file-access": ["path": .string("/bin/" + programs[round])]
        case "linux-capability": ["program": .string("/bin/" + programs[round])]
        case "location": ["accuracy": .string(["country", "city", "street", "exact"][round % 4])]
        case "polkit": ["action": .string("org.example.act\(round)")]
        case "service": ["name": .string("org.example.Service\(round)")]
        default: [:]
        }
    }

    private static let programs = [
        "sh", "ls", "cat", "cp", "mv", "rm", "ln", "df", "dd", "date", "sleep", "true",
    ]
    private static let nodes = [
        "null", "zero", "full", "random", "urandom", "tty", "ptmx", "console", "kmsg", "stdin", "stdout", "stderr",
    ]
}

extension JSONObject {
    /// The object with these members, too; they win.
    fileprivate func adding(_ members: JSONObject) -> JSONObject {
        var object = self
        for (key, value) in members { object[key] = value }
        return object
    }
}
