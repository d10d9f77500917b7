public import Doorstep

/// One thing that an audit found: a code for scripts, a sentence for people, and a remedy.
public struct AuditFinding: Sendable, Hashable {
    /// What kind of thing it is; the raw values are part of the command's interface.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// A record of a step that its app's flow no longer has.
        case orphanRecord = "orphan-record"
        /// Records of an app that no manifest registers.
        case unregisteredApp = "unregistered-app"
        /// A required step that is recorded `false`: it isn't asked again by itself.
        case requiredDeclined = "required-declined"
        /// A record that was made at an earlier revision of its step: it counts as unanswered.
        case oldRevision = "old-revision"
        /// A manifest that isn't the one that the suite's kept flow was read from; a note where the flow is the same.
        case manifestChanged = "manifest-changed"
        /// A manifest names a kind of plugin that isn't installed.
        case unknownPlugin = "unknown-plugin"
        /// A manifest that can't be used for another reason.
        case invalidManifest = "invalid-manifest"
        /// Two apps' prefixes overlap.
        case prefixOverlap = "prefix-overlap"
        /// A suite, or its directory, that others may read or write.
        case suitePermissions = "suite-permissions"
        /// A policy file that can't be used.
        case invalidPolicy = "invalid-policy"
        /// A rule of a policy that concerns no step of a registered app; a note, because the app may be another machine's.
        case unmatchedPolicy = "unmatched-policy"
        /// Recorded granted, but the check says it is not.
        case driftRevoked = "drift-revoked"
        /// Recorded declined, but the check says it is granted.
        case driftGranted = "drift-granted"
        /// A suite that couldn't be read.
        case suiteUnreadable = "suite-unreadable"
    }

    /// What kind of thing it is.
    public var code: Code
    /// The app concerned, or nil.
    public var app: String?
    /// The step concerned, or nil.
    public var step: String?
    /// When the record was made that it is about, the last one of several; nil for what is of no record.
    public var at: OnboardingInstant?
    /// One sentence: what, and where.
    public var message: String
    /// What to do about it.
    public var remedy: String
    /// Whether it only is worth knowing: it isn't counted, and an audit that finds nothing else has found nothing.
    public var isNote: Bool
    /// The apps concerned, patterns too, where it is about a policy; else empty.
    var patterns: [String] = []

    /// A finding from its parts.
    public init(
        _ code: Code, app: String? = nil, step: String? = nil, at: OnboardingInstant? = nil, _ message: String,
        remedy: String, isNote: Bool = false
    ) {
        self.code = code
        self.app = app
        self.step = step
        self.at = at
        self.message = message
        self.remedy = remedy
        self.isNote = isNote
    }

    /// A finding about a policy's rules, which concern these apps.
    init(
        _ code: Code, patterns: [String], _ message: String, remedy: String, isNote: Bool = false
    ) {
        let only = patterns.count == 1 && !patterns[0].contains("*") ? patterns[0] : nil
        self.init(code, app: only, message, remedy: remedy, isNote: isNote)
        self.patterns = patterns
    }
}
