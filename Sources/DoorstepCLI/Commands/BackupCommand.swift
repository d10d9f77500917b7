internal import CommandLineKit
internal import Doorstep
internal import DoorstepSQLite

/// `doorstep backup FILE`: a consistent copy.
enum BackupCommand {
    static let file = Argument<String>("file", help: "The copy to make; nothing may stand there.", completion: .files)

    static let command = Command(
        "backup", abstract: "Copy the suite to a new file, consistent also while others write.",
        parameters: [file]
    ) { invocation in
        let workspace = Workspace(invocation)
        let target = invocation[file].absolutePath
        let suite = try OnboardingSuite.open(at: workspace.suite.path, access: .readOnly)
        guard let size = try suite.backUp(to: target) else {
            throw CommandFailure(.absent, "there is no suite \"\(suite.path)\" to copy")
        }
        try Console.print("copied \(suite.path) to \(target), \(size) bytes")
        return .success
    }
}
