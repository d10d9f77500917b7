internal import CommandLineKit
internal import Doorstep
internal import DoorstepAudit
internal import DoorstepSQLite

extension SuiteExport.Form: ArgumentValue {}
extension SuiteRestoration.Keep: ArgumentValue {}

/// `doorstep export`: what the suite holds, to be kept or taken elsewhere.
enum ExportCommand {
    static let form = Option<SuiteExport.Form>("format", help: "JSON Lines or CSV.", default: .jsonl)
    static let inputs = Flag("inputs", help: "Also export what the user typed: personal data.")
    static let noHistory = Flag("no-history", help: "Leave the history out.")

    static let command = Command(
        "export", abstract: "Write records and history, and only with --inputs what was typed, to standard output.",
        discussion: """
            What is imported again gives the same export, byte for byte. JSON Lines: a header, then objects with kind (app, \
            record, input, event). CSV: one header; an absent value is empty, an empty text is "".
            """,
        parameters: [form, inputs, noHistory]
    ) { invocation in
        let workspace = Workspace(invocation)
        let suite = try workspace.suiteToRead(invocation)
        let export = SuiteExport(form: invocation[form], history: !invocation[noHistory], inputs: invocation[inputs])
        var buffer = ""
        var lines = 0
        try export.write(suite) { line in
            lines += 1
            buffer += line
            if buffer.utf8.count > 1 << 16 {
                try Console.write(buffer)
                Progress.shared.update(lines, "lines")
                buffer = ""
            }
        }
        try Console.write(buffer)
        return .success
    }
}
