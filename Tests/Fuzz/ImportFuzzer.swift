import Doorstep
import DoorstepAudit
import DoorstepSQLite

/// Imports, as JSON Lines and CSV: what is accepted can be written, and is the same when it is imported again.
enum ImportFuzzer {
    static func run(_ bytes: [UInt8]) {
        let path = FuzzPlace.write(bytes, to: "input")
        do throws(SuiteImport.Failure) {
            let file = try SuiteImport(export: path)
            try write(file)
        } catch {
            if case .storage(let error) = error { precondition(error.code == .invalid, error.message) }
        }
    }

    static func write(_ file: SuiteImport) throws(SuiteImport.Failure) {
        defer { FuzzPlace.removeSuite() }
        guard let suite = try? OnboardingSuite.open(at: FuzzPlace.suite) else { fatalError("there is no place") }
        let would = try file.difference(from: suite, keep: .newest)
        if would.changes.isEmpty, would.inputs.isEmpty, would.events.isEmpty { return }
        let did = try file.write(to: suite, keep: .newest)
        precondition(did.changes.count == would.changes.count, "a dry run says something else")
        let again = try file.difference(from: suite, keep: .newest)
        precondition(
            again.changes.isEmpty && again.inputs.isEmpty && again.events.isEmpty, "a second import changes something")
        try? suite.close()
    }
}
