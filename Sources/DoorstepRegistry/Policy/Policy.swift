public import Doorstep
internal import DoorstepJSON
internal import DoorstepSQLite
internal import Glibc

/// What the admin's policy files say: rules that overlay records and are never written into a user's suite.
///
/// ```json
/// { "format": 1, "rules": [
///     { "app": "com.example.aurora", "step": "com.example.aurora.welcome", "skip": true },
///     { "app": "com.example.*", "step": "*.reqs.notifications", "lock": false } ] }
/// ```
///
/// Rules apply in order, files in the order of their names, directories from the weakest to the strongest; a later rule
/// overrides an earlier one key by key, and `null` takes a key back.
public struct Policy: Sendable {
    /// A file or directory that can't be used; only its own rules are ignored.
    public struct Problem: Sendable, Hashable {
        /// The file or directory.
        public var path: String
        /// Every mistake.
        public var error: RegistryError
        /// The apps that its rules name, as far as they can be read; patterns too.
        public var apps: [String]
    }

    /// The rules, from the weakest to the strongest.
    public private(set) var rules: [PolicyRule] = []
    /// The files that the rules stand in, in the order they were read.
    public private(set) var files: [String] = []
    /// What can't be used.
    public private(set) var problems: [Problem] = []
    private var times: [String: Int64] = [:]

    /// Reads the policy files of these directories. A directory that isn't there costs one look.
    public init(directories: [String]) {
        for directory in directories {
            for path in list(directory) { read(path) }
        }
    }

    /// Another number for rules that say something else.
    var fingerprint: Int {
        var hasher = Hasher()
        hasher.combine(rules)
        hasher.combine(times)
        return hasher.finalize()
    }

    /// What is said of a step.
    public func policy(app: String, step: OnboardingStepID) -> StepPolicy {
        var policy = StepPolicy()
        for rule in rules where rule.matches(app: app, step: step) { policy.apply(rule) }
        return policy
    }

    /// What stands in an app's way that isn't the user: the records with the policy's put over them.
    func overlaid(
        _ records: [OnboardingStepID: OnboardingRecord], app: String, steps: [OnboardingStepConfig]
    ) -> [OnboardingStepID: OnboardingRecord] {
        if rules.isEmpty { return records }
        var records = records
        for step in steps {
            let policy = policy(app: app, step: step.id)
            if let record = policy.record(over: records[step.id], step: step, times: times) {
                records[step.id] = record
            }
        }
        return records
    }

    /// The steps that are never shown: skipped and locked ones.
    func withheld(app: String, steps: [OnboardingStepConfig]) -> Set<OnboardingStepID> {
        if rules.isEmpty { return [] }
        var withheld: Set<OnboardingStepID> = []
        for step in steps {
            let policy = policy(app: app, step: step.id)
            if policy.skip != nil || policy.lock != nil { withheld.insert(step.id) }
        }
        return withheld
    }

    /// The record that stands for a step, and whether the policy put it there.
    package func effective(
        _ own: OnboardingRecord?, app: String, step: OnboardingStepConfig
    ) -> (record: OnboardingRecord?, isPolicy: Bool) {
        if rules.isEmpty { return (own, false) }
        let made = policy(app: app, step: step.id).record(over: own, step: step, times: times)
        return (made ?? own, made != nil)
    }

    private mutating func list(_ directory: String) -> [String] {
        guard let stream = opendir(directory) else {
            if errno != ENOENT && errno != ENOTDIR {
                let reason = String(cString: strerror(errno))
                problems.append(
                    Problem(path: directory, error: .unreadable(path: directory, reason: reason), apps: ["*"]))
            }
            return []
        }
        defer { closedir(stream) }
        if let reason = RegistryTrust.fault(ofDirectory: directory) {
            problems.append(Problem(path: directory, error: .untrusted(path: directory, reason: reason), apps: ["*"]))
            return []
        }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasSuffix(".json"), !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { "\(directory)/\($0)" }
    }

    private mutating func read(_ path: String) {
        do throws(RegistryError) {
            let (file, value, _) = try ManifestFile.read(path)
            if let reason = file.distrust { throw .untrusted(path: path, reason: reason) }
            let reader = JSONReader(value)
            let found = Self.rules(reader, file: path)
            let faults = reader.finish()
            guard faults.isEmpty else {
                let apps = found.map(\.app).filter { !$0.isEmpty }
                let error = RegistryError.invalid(faults.map { ManifestFault(file: path, $0) })
                problems.append(Problem(path: path, error: error, apps: apps))
                return
            }
            rules += found
            files.append(path)
            times[path] = file.identity.modified / 1_000_000
        } catch {
            problems.append(Problem(path: path, error: error, apps: ["*"]))
        }
    }

    private static func rules(_ reader: JSONReader, file: String) -> [PolicyRule] {
        _ = reader.optionalString("$schema")
        _ = reader.integer("format", in: 1...1)
        return reader.array("rules", count: 0...10_000) { rule in
            let app = rule.string("app", check: faultInPattern)
            let step = rule.string("step", check: faultInPattern)
            let skip = rule.optionalBool("skip").map { $0 ? PolicyRule.Setting.value(true) : .removed } ?? .absent
            let found = PolicyRule(
                app: app, step: step, skip: skip, preset: setting("preset", rule), lock: setting("lock", rule),
                file: file)
            // What says something wrong is told of for itself.
            if rule.object.keys.allSatisfy({ $0 == "app" || $0 == "step" }) {
                rule.fault("this rule says nothing; accepted: at least one of skip, preset and lock")
            }
            return found
        }
    }

    private static func setting(_ key: String, _ reader: JSONReader) -> PolicyRule.Setting {
        let value = reader.optionalValue(key) { value in
            value.isNull || value.bool != nil ? nil : "this is \(value.typeName); it must be true, false or null"
        }
        guard let value else { return .absent }
        return value.bool.map(PolicyRule.Setting.value) ?? .removed
    }

    private static func faultInPattern(_ text: String) -> String? {
        if text.isEmpty { return "this is empty; accepted: an ID, or a pattern in which * stands for any text" }
        if text.utf8.count > OnboardingStepID.maximumLength {
            return "this has \(text.utf8.count) bytes; at most \(OnboardingStepID.maximumLength) are accepted"
        }
        return nil
    }
}
