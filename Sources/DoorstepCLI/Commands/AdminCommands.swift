internal import CommandLineKit

/// The commands for admins, in the order of the help.
enum AdminCommands {
    static let all: [Command] = [
        AuditCommand.command, AuditSuiteCommand.command, HistoryCommand.command, ReportCommand.command,
        ExportCommand.command,
        ImportCommand.command, EraseCommand.command, PolicyCommand.command, DoctorCommand.command,
        BackupCommand.command,
    ]
}
