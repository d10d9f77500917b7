internal import CommandLineKit
internal import DoorstepPluginHost
internal import DoorstepPluginKit
internal import DoorstepRegistry
internal import Glibc

/// `doorstep plugin new NAME`: a small working plugin to start from.
enum PluginNewCommand {
    /// What a plugin can be written in from a template.
    enum Language: String, CaseIterable, ArgumentValue {
        case sh, python, swift
    }

    static let name = Argument<String>(
        "name", help: "The plugin's kind: lower-case letters, digits and -, such as vpn-up.")
    static let language = Option<Language>("language", help: "What it is written in.", default: .sh)

    static let command = Command(
        "new", abstract: "Write a small working plugin with its description and a test.",
        discussion: """
            Makes a directory of the plugin's name here. Nothing that exists is overwritten.

             doorstep plugin new vpn-up --language python
             doorstep plugin check vpn-up
            """,
        parameters: [name, language]
    ) { invocation in
        let kind = invocation[name]
        guard PluginProtocol.isKind(kind) else {
            throw UsageError(
                "\"\(kind)\" is not a kind; it needs lower-case letters, digits and -, beginning with a letter",
                at: name)
        }
        try Workspace.requireOwnKind(kind, path: kind)
        let template: PluginTemplate =
            switch invocation[language] {
            case .sh: .shell(kind)
            case .python: .python(kind)
            case .swift: .swift(kind)
            }
        guard mkdir(kind, 0o755) == 0 else { throw failure(kind) }
        for file in template.files {
            let path = "\(kind)/\(file.path)"
            for slash in path.indices where path[slash] == "/" {
                if mkdir(String(path[..<slash]), 0o755) != 0, errno != EEXIST { throw failure(path) }
            }
            try write(file.text, to: path, mode: file.isProgram ? 0o755 : 0o644)
            try Console.print(path)
        }
        try Console.print(template.next)
        return .success
    }

    private static func write(_ text: String, to path: String, mode: mode_t) throws(CommandFailure) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw failure(path) }
        defer { close(descriptor) }
        // A umask that leaves the group its rights would make a plugin that isn't trusted.
        guard WholeWrite.put(text, to: descriptor), fchmod(descriptor, mode) == 0 else { throw failure(path) }
    }

    private static func failure(_ path: String) -> CommandFailure {
        let code = errno
        if code == EEXIST {
            return CommandFailure(.notPermitted, "\"\(path)\" is already there; choose another name, or move it away")
        }
        return CommandFailure(
            code == EACCES || code == EPERM || code == EROFS ? .notPermitted : .storage,
            "\"\(path)\" can't be written: \(String(cString: strerror(code)))")
    }
}
