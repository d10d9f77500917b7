import CommandLineKit
import Foundation
import Testing

/// A directory with the completion scripts, a program called `porch` that answers them, and files to complete.
struct Sandbox {
    struct MissingShell: Error, CustomStringConvertible {
        let name: String
        var description: String { "\(name) isn't installed: apt-get install bash zsh fish" }
    }

    let directory: URL

    var work: String { directory.appending(component: "work").path }
    var zshAsker: String { directory.appending(component: "ask.zsh").path }
    func script(_ shell: CompletionShell) -> String { directory.appending(component: "porch.\(shell.rawValue)").path }
    func quoted(_ word: String) -> String { "'\(word)'" }

    static func with(
        root: Command = Porch.root, answers: String = "com.example.aurora\ncom.example.basalt\n",
        _ body: (Sandbox) throws -> Void
    ) throws {
        let files = FileManager.default
        let directory = files.temporaryDirectory.appending(component: "completions-\(UUID().uuidString)")
        defer { try? files.removeItem(at: directory) }
        let sandbox = Sandbox(directory: directory)
        try files.createDirectory(
            at: directory.appending(components: "work", "mydir"), withIntermediateDirectories: true)
        try Data().write(to: directory.appending(components: "work", "my file.json"))
        try Data(answers.utf8).write(to: directory.appending(component: "answers"))
        for shell in CompletionShell.allCases {
            try Data(shell.script(for: root).utf8).write(to: URL(filePath: sandbox.script(shell)))
        }
        try Data(zshAsker.utf8).write(to: URL(filePath: sandbox.zshAsker))
        try Data(zshInside.utf8).write(to: directory.appending(component: "inner.zsh"))
        let program = directory.appending(component: "porch")
        try Data("#!/bin/sh\n[ \"$*\" = 'apps --names' ] && cat '\(directory.path)/answers'\n".utf8).write(to: program)
        try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
        try body(sandbox)
    }

    func run(_ arguments: String...) throws -> [String] { try run(arguments) }

    /// The lines that a shell prints, errors among them; a missing shell is a failure that says so.
    func run(_ arguments: [String]) throws -> [String] {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let shell = path.split(separator: ":").map { "\($0)/\(arguments[0])" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
        guard let shell else { throw MissingShell(name: arguments[0]) }
        let process = Process()
        let output = Pipe()
        // A shell that waits for ever must end as a failed test, not as a hung one.
        process.executableURL = URL(filePath: "/usr/bin/timeout")
        process.arguments = ["120", shell] + arguments.dropFirst()
        process.environment = ["PATH": "\(directory.path):\(path)", "HOME": work, "TERM": "dumb", "LC_ALL": "C.UTF-8"]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(arguments[0]) failed")
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// zsh completes only in an interactive shell, so this asks one on a pseudo-terminal: it types each line and a tab, and a
    /// `compadd` of our own notes what zsh would offer. What belongs to a line ends with `--`.
    private static let zshAsker = #"""
        zmodload zsh/zpty || exit 1
        export script=$1 work=$2 hits=$2/../hits
        shift 2
        zpty ask "PROMPT= zsh -f -i"
        zpty -w ask "source ${0:h}/inner.zsh"
        zpty -r ask seen '*READY>*' || exit 1
        for line in "$@"; do
            : >$hits
            zpty -n -w ask "$line"$'\t'
            zpty -r ask seen '*DONE>*' || exit 1
            cat $hits
            echo --
            zpty -n -w ask $'\C-u'
        done
        zpty -d ask
        """#

    private static let zshInside = #"""
        autoload -Uz compinit && compinit -D -u
        source $script
        cd $work
        compadd() {
            if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then
                builtin compadd "$@"
                return
            fi
            local -a found
            builtin compadd -A found "$@"
            (( $#found )) && print -rl -- ${found//\\/} >>$hits
            builtin compadd "$@"
        }
        complete-and-tell() {
            zle complete-word
            print -n 'DONE>'
        }
        zle -N complete-and-tell
        bindkey '^I' complete-and-tell
        bindkey '^U' kill-whole-line
        zstyle ':completion:*' insert-tab false
        PROMPT='READY''>'
        """#
}
