public import Doorstep

/// What the suite keeps of one app's flow, so that its launch gate needs no manifest.
public struct FlowRegistration: Sendable, Hashable {
    /// The app's reverse-DNS ID, for example `com.example.aurora`.
    public var app: String
    /// What the app's record keys begin with; it ends in a dot, and no two apps' prefixes overlap.
    public var prefix: String
    /// The manifest that this was read from, or nil for a flow declared in code.
    public var source: ManifestIdentity?
    /// The flow's welcome, or nil for a flow without one.
    public var welcome: OnboardingStepConfig?
    /// The flow's steps in order, without the welcome.
    public var steps: [OnboardingStepConfig]
    /// When the flow's answers are written.
    public var commit: OnboardingCommitMode

    /// A registration from its parts.
    public init(
        app: String, prefix: String, source: ManifestIdentity? = nil, welcome: OnboardingStepConfig? = nil,
        steps: [OnboardingStepConfig] = [], commit: OnboardingCommitMode = .eachStep
    ) {
        self.app = app
        self.prefix = prefix
        self.source = source
        self.welcome = welcome
        self.steps = steps
        self.commit = commit
    }

    /// The most bytes of UTF-8 that a prefix may hold.
    public static let maximumPrefixLength = 256

    /// What is wrong with this registration and what would be accepted, or nil for one that the suite can hold.
    public var fault: String? {
        if let fault = Self.fault(ofApp: app) { return fault }
        if let fault = Self.fault(ofPrefix: prefix) { return fault }
        var seen: Set<OnboardingStepID> = []
        for step in (welcome.map { [$0] } ?? []) + steps {
            if let fault = step.id.fault { return "app \"\(app)\": \(fault)" }
            if step.revision < 1 {
                return "app \"\(app)\": the step \"\(step.id)\" has revision \(step.revision); revisions start at 1"
            }
            if !seen.insert(step.id).inserted {
                return "app \"\(app)\" has the step \"\(step.id)\" twice; step IDs must be unique"
            }
        }
        return nil
    }

    /// What is wrong with an app's ID and what would be accepted, or nil for a valid one.
    package static func fault(ofApp app: String) -> String? {
        if !app.isEmpty && app.utf8.count <= 255 && !holdsControl(app) { return nil }
        return "an app's ID needs 1 to 255 bytes without control characters; this one has \(app.utf8.count)"
    }

    /// What is wrong with a prefix and what would be accepted, or nil for a valid one.
    public static func fault(ofPrefix prefix: String) -> String? {
        if prefix.utf8.count > maximumPrefixLength {
            return "a prefix has \(prefix.utf8.count) bytes; at most \(maximumPrefixLength) are accepted"
        }
        if holdsControl(prefix) { return "a prefix holds a control character; none is accepted" }
        if prefix.utf8.count < 2 || prefix.utf8.last != UInt8(ascii: ".") {
            return
                "the prefix \"\(prefix)\" can't be used; it needs a name and a dot at its end, like \"com.example.aurora.\""
        }
        return nil
    }

    /// Whether two prefixes are the same, byte for byte, as they are in the suite: text that only looks the same is another.
    package static func isSame(_ one: String, _ other: String) -> Bool {
        one.utf8.elementsEqual(other.utf8)
    }

    /// Whether one of two prefixes begins with the other, byte by byte.
    package static func overlap(_ one: String, _ other: String) -> Bool {
        one.utf8.starts(with: other.utf8) || other.utf8.starts(with: one.utf8)
    }

    private static func holdsControl(_ text: String) -> Bool {
        text.unicodeScalars.contains { $0.isControl }
    }
}
