import Doorstep
import DoorstepAudit
import DoorstepRegistry
import DoorstepSQLite
import Glibc

/// Suite files: a valid one in which bytes are flipped is read, or is damaged; whatever it holds, nothing crashes.
///
/// Each four bytes of the input are the place of a byte (three of them, modulo the file's size) and what it becomes.
enum SuiteFuzzer {
    private static let valid: [UInt8] = {
        let suite: OnboardingSuite
        do {
            suite = try OnboardingSuite.open(at: FuzzPlace.suite)
            for app in 0..<4 {
                let prefix = "com.example.app\(app)."
                let steps = (0..<6).map { OnboardingStepConfig(id: OnboardingStepID("\(prefix)\($0)")) }
                let registration = FlowRegistration(app: String(prefix.dropLast()), prefix: prefix, steps: steps)
                let changes = steps.map { step in
                    OnboardingChange(
                        step: step.id, action: .record(true, revision: 1), origin: .user, evidence: "because",
                        inputs: ["name": .text("Ada"), "age": .integer(36)])
                }
                _ = try suite.storage(for: registration).commit(changes)
            }
            try suite.append([
                OnboardingPageEvent(
                    prefix: "com.example.app1.", app: "com.example.app1", step: "a", kind: .shown, showing: "b")
            ])
            _ = try suite.erase(.app("com.example.app3", prefix: "com.example.app3."))
            try suite.close()
        } catch {
            fatalError("\(error)")
        }
        let descriptor = open(FuzzPlace.suite, O_RDONLY)
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        bytes.removeLast(bytes.count - max(0, read(descriptor, &bytes, bytes.count)))
        FuzzPlace.removeSuite()
        return bytes
    }()

    private static let auditor = Auditor(Registry(directories: [], catalogue: FuzzPlace.catalogue))

    static func run(_ input: [UInt8]) {
        var bytes = valid
        for place in stride(from: 0, to: input.count - 3, by: 4) {
            let offset = Int(input[place]) << 16 | Int(input[place + 1]) << 8 | Int(input[place + 2])
            bytes[offset % bytes.count] = input[place + 3]
        }
        FuzzPlace.write(bytes, to: "suite.db")
        defer { FuzzPlace.removeSuite() }
        // Each may fail with the one typed error; the types see to that.
        guard let suite = try? OnboardingSuite.open(at: FuzzPlace.suite, busyTimeout: .milliseconds(1)) else { return }
        let storage = try? suite.storage(prefix: "com.example.app0.")
        _ = try? storage?.records()
        _ = try? storage?.inputs()
        _ = try? suite.flowSnapshots()
        _ = try? suite.history()
        _ = try? suite.pageEvents()
        _ = auditor.audit(suite)
        _ = SuiteDoctor(FuzzPlace.suite).examine()
        _ = try? SuiteDoctor(FuzzPlace.suite).repair(into: FuzzPlace.suite + ".repaired")
        _ = try? storage?.commit([
            OnboardingChange(step: "com.example.app0.1", action: .record(false, revision: 1), origin: .user)
        ])
        _ = try? suite.erase(.everything)
        try? suite.close()
    }
}
