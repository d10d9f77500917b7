import Doorstep
import DoorstepAudit
import DoorstepSQLite

/// Imports, as JSON Lines and CSV: what is accepted can be written, and is the same when it is imported again.
enum ImportFuzzer {
    static func run(_ bytes: [UInt8]) {
        let path = FuzzPlace.write(bytes, to: "input")
        defer { FuzzPlace.removeSuite() }
        guard let suite = try? OnboardingSuite.open(at: FuzzPlace.suite) else { fatalError("there is no place") }
        do throws(SuiteImport.Failure) {
            try write(try SuiteImport(export: path, for: suite), to: suite)
        } catch {
            if case .storage(let error) = error { precondition(error.code == .invalid, error.message) }
        }
        try? suite.close()
    }

    static func write(_ file: SuiteImport, to suite: OnboardingSuite) throws(SuiteImport.Failure) {
        let would = try file.difference(from: suite, keep: .newest)
        if would.isEmpty { return }
        let did = try file.write(to: suite, keep: .newest)
        precondition(
            (did.changed, did.inputs, did.events) == (would.changed, would.inputs, would.events),
            "a dry run says something else")
        let again = try file.difference(from: suite, keep: .newest)
        precondition(again.isEmpty, "a second import changes something")
    }
}

extension SuiteDifference {
    /// Whether the import changes nothing.
    fileprivate var isEmpty: Bool { changed == 0 && inputs == 0 && events == 0 }
}
