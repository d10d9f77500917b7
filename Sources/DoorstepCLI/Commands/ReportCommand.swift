internal import CommandLineKit
internal import DoorstepAudit
internal import DoorstepRegistry
internal import DoorstepSQLite

/// `doorstep report`: the audit as one HTML file.
enum ReportCommand {
    static let verify = Flag("verify", help: "Also ask every check, and show what drifted from its record.")
    static let utc = Flag("utc", help: "Show times in UTC instead of this machine's zone.")
    static let output = Option<String?>(
        "output", short: "o", valueName: "file",
        help: "The file to write instead of standard output, which - is as well.",
        completion: .files)

    static let command = Command(
        "report",
        abstract: "Write the audit as one HTML file: the family, funnels, answers over time, drift, findings.",
        discussion: """
            The file needs no network and no script, follows the reader's light or dark setting, can be printed, and holds \
            nothing that a user typed.
            """,
        parameters: [verify, Parameters.timeout, utc, output]
    ) { invocation in
        let workspace = Workspace(invocation)
        let suite = try workspace.suiteToRead(invocation)
        workspace.warnOfAbsentDirectories()
        var auditor = Auditor(workspace.registry)
        if invocation[verify] { await auditor.verify(workspace.reconciler(invocation[Parameters.timeout])) }
        let html = try Report(suite, auditor: auditor, time: TimeText(utc: invocation[utc])).html
        // A shell's redirection is not a file to be replaced.
        guard let path = invocation[output], !["-", "/dev/stdout", "/dev/fd/1"].contains(path) else {
            try Console.write(html)
            return .success
        }
        try OutputFile.write(html, to: path)
        try Console.print("wrote \(path)")
        return .success
    }
}
