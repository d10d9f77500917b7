import Doorstep
import DoorstepAudit
import DoorstepSQLite

/// Property lists of `UserDefaults`, XML and binary.
enum PropertyListFuzzer {
    static func run(_ bytes: [UInt8]) {
        let path = FuzzPlace.write(bytes, to: "input")
        guard let suite = try? OnboardingSuite.open(at: FuzzPlace.suite) else { fatalError("there is no place") }
        do throws(SuiteImport.Failure) {
            let file = try SuiteImport(
                propertyList: path, app: FuzzPlace.app, keyPrefix: "", legacyFlag: "done", suite: suite)
            try ImportFuzzer.write(file, to: suite)
        } catch {
            if case .storage(let error) = error { fatalError(error.message) }
        }
    }
}
