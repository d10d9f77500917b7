import DoorstepRegistry
import DoorstepSQLite

/// Manifests: one that is accepted is one that a suite can hold, and it reads the same a second time.
enum ManifestFuzzer {
    static func run(_ bytes: [UInt8]) {
        // A manifest is named for its app.
        let path = FuzzPlace.write(bytes, to: "com.example.aurora.json")
        do throws(RegistryError) {
            let app = try Registry.read(path, catalogue: FuzzPlace.catalogue)
            precondition(app.registration.fault == nil, "a manifest was accepted that no suite can hold")
            let again = try Registry.read(path, catalogue: FuzzPlace.catalogue)
            precondition(again.registration == app.registration, "a manifest reads in two ways")
        } catch {
            precondition(!error.description.isEmpty, "a refusal without a word")
        }
    }
}
