import Doorstep
import DoorstepSQLite
import Foundation
import Testing

let auroraPrefix = "com.example.aurora."
let auroraStep: OnboardingStepID = "com.example.aurora.profile"

let aurora = FlowRegistration(
    app: "com.example.aurora", prefix: auroraPrefix,
    source: ManifestIdentity(
        path: "/usr/share/doorstep/registry/com.example.aurora.json", device: 64769, inode: -1, size: 812,
        modified: 1_700_000_000_123_456_789, changed: 1_700_000_000_987_654_321),
    welcome: OnboardingStepConfig(id: "com.example.aurora.welcome", isSkippable: false),
    steps: [
        OnboardingStepConfig(id: auroraStep, isRequired: true, isSkippable: false),
        OnboardingStepConfig(id: "com.example.aurora.reqs.notifications", isRequired: true, revision: 3),
        OnboardingStepConfig(id: "com.example.aurora.reqs.location"),
    ], commit: .onFinish)

func answer(
    _ step: OnboardingStepID = auroraStep, _ value: Bool = true, condition: OnboardingChange.Condition = .always,
    inputs: [String: OnboardingInputValue]? = nil
) -> OnboardingChange {
    OnboardingChange(
        step: step, action: .record(value, revision: 1), condition: condition, origin: .user, inputs: inputs)
}

/// A directory with a suite that has one answer, one input, and the aurora flow.
func makeSuite(in directory: TemporaryDirectory) throws -> String {
    let path = directory.path + "/suite.db"
    let suite = try OnboardingSuite.open(at: path)
    _ = try suite.storage(for: aurora).commit([answer(inputs: ["name": .text("Ada")])])
    try suite.close()
    return path
}

/// The code and the message that a call throws.
func failure(_ body: () throws -> Void) -> OnboardingStorageError? {
    #expect(throws: OnboardingStorageError.self, performing: body)
}

/// Every file of a directory with its bytes.
func contents(of directory: TemporaryDirectory) throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try directory.names {
        files[name] = try Data(contentsOf: URL(fileURLWithPath: directory.path + "/" + name))
    }
    return files
}

/// A file's permission bits.
func mode(of path: String) throws -> Int {
    try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
}

/// Makes a file look as if it had been written an hour ago, or so many seconds; less than none is in the future.
func age(_ path: String, seconds: Double = 3600) throws {
    try FileManager.default.setAttributes([.modificationDate: Date.now - seconds], ofItemAtPath: path)
}

/// The versions of the schema that were ever in use. Of each there is a file, with one answer, one input, the aurora flow,
/// and a row in each table that came later.
enum OldVersions {
    static let all = 1...3
}
