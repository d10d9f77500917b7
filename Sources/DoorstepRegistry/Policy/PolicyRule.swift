public import Doorstep
internal import DoorstepJSON

/// One rule of a policy file: which steps of which apps it is about, and what it says of them.
public struct PolicyRule: Sendable, Hashable {
    /// What a key of a rule does to what earlier rules said.
    public enum Setting: Sendable, Hashable {
        /// Nothing: the key isn't there.
        case absent
        /// `null`, or `false` for `skip`: takes back what earlier rules said.
        case removed
        /// Says this.
        case value(Bool)
    }

    /// The app's ID, or a pattern in which `*` stands for any text.
    public var app: String
    /// The step's ID, or a pattern in which `*` stands for any text.
    public var step: String
    /// Whether the step is never shown and counts as answered.
    public var skip: Setting
    /// The answer until the user gives one.
    public var preset: Setting
    /// The answer that stands, whatever the user says.
    public var lock: Setting
    /// The file that the rule stands in.
    public var file: String

    /// Whether the rule is about a step of an app.
    public func matches(app: String, step: OnboardingStepID) -> Bool {
        Glob.matches(app, self.app) && Glob.matches(step.rawValue, self.step)
    }
}

/// What all rules together say of one step.
public struct StepPolicy: Sendable, Hashable {
    /// One thing that is said, and where.
    public struct Statement: Sendable, Hashable {
        /// The answer; always true for a skip.
        public var value: Bool
        /// The file that says it.
        public var file: String
    }

    /// The step is never shown and counts as answered.
    public var skip: Statement?
    /// The answer until the user gives one.
    public var preset: Statement?
    /// The answer that stands.
    public var lock: Statement?

    /// Whether nothing is said.
    public var isEmpty: Bool { skip == nil && preset == nil && lock == nil }

    mutating func apply(_ rule: PolicyRule) {
        Self.set(&skip, rule.skip, rule.file)
        Self.set(&preset, rule.preset, rule.file)
        Self.set(&lock, rule.lock, rule.file)
    }

    private static func set(_ statement: inout Statement?, _ setting: PolicyRule.Setting, _ file: String) {
        switch setting {
        case .absent: break
        case .removed: statement = nil
        case .value(let value): statement = Statement(value: value, file: file)
        }
    }

    /// The record that the policy puts over a step's own, or nil where the step's own stands.
    func record(over own: OnboardingRecord?, step: OnboardingStepConfig, times: [String: Int64]) -> OnboardingRecord? {
        func made(_ value: Bool, _ statement: Statement) -> OnboardingRecord {
            OnboardingRecord(
                value: value, revision: step.revision, origin: .policy,
                at: OnboardingInstant(milliseconds: times[statement.file] ?? 0), evidence: statement.file)
        }
        if let lock { return made(lock.value, lock) }
        if let own, own.revision >= step.revision { return nil }
        if let preset { return made(preset.value, preset) }
        // As if the user had moved past it.
        return skip.map { made(!step.isSkippable, $0) }
    }
}

/// Patterns in which `*` stands for any text, an empty one too.
enum Glob {
    static func matches(_ text: String, _ pattern: String) -> Bool {
        let (text, pattern) = (Array(text.utf8), Array(pattern.utf8))
        var (at, place) = (0, 0)
        var star: (pattern: Int, text: Int)?
        while at < text.count {
            if place < pattern.count, pattern[place] == UInt8(ascii: "*") {
                star = (place, at)
                place += 1
            } else if place < pattern.count, pattern[place] == text[at] {
                place += 1
                at += 1
            } else if let last = star {
                // The star takes one byte more; earlier stars never need to be looked at again.
                star = (last.pattern, last.text + 1)
                place = last.pattern + 1
                at = last.text + 1
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
