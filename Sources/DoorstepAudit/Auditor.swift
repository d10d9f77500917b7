internal import Doorstep
internal import DoorstepPluginKit
public import DoorstepRegistry
public import DoorstepSQLite

/// Joins records, manifests, policy and live checks into rows and findings, suite by suite.
///
/// The registry and the policy are read once; each suite then costs its own reads and nothing that grows with the number
/// of suites.
public struct Auditor: Sendable {
    let family: Family
    let policy: Policy
    private let unmatchedRules: [UnmatchedRule]
    /// What the checks say now, where they were asked.
    private(set) var live: [LiveKey: Satisfied] = [:]

    struct LiveKey: Hashable, Sendable {
        var app: String
        var step: OnboardingStepID
    }

    /// What a check said: whether it is satisfied, where it can tell, and its evidence.
    struct Satisfied: Sendable {
        var isSatisfied: Bool?
        var evidence: String
    }

    /// An auditor of this registry's family.
    public init(_ registry: Registry) {
        let contents = registry.contents()
        family = Family(contents)
        policy = registry.policy
        unmatchedRules = policy.unmatchedRules(in: contents)
    }

    /// Asks every check of the family once, so that audits also find drift; nothing is recorded.
    public mutating func verify(_ reconciler: Reconciler) async {
        let questions = family.members.map { ($0.app, $0.steps.map(\.id)) }
        let answers = await reconciler.check(questions)
        for (member, answers) in zip(family.members, answers) {
            for answer in answers {
                live[LiveKey(app: member.registration.app, step: answer.step)] = Satisfied(
                    isSatisfied: answer.outcome.satisfaction.isSatisfied, evidence: answer.outcome.satisfaction.evidence
                )
            }
        }
    }

    /// What is wrong with the manifests and policy files, once for all suites.
    public func familyFindings() -> [AuditFinding] {
        family.findings() + policy.problems.map(Self.finding) + unmatchedRules.map(Self.note)
    }

    private static func finding(_ problem: Policy.Problem) -> AuditFinding {
        AuditFinding(
            .invalidPolicy, patterns: problem.apps.isEmpty ? ["*"] : Set(problem.apps).sorted(),
            problem.error.description.split(separator: "\n").joined(separator: "; "),
            remedy: "correct the file; until then only its own rules are ignored")
    }

    private static func note(_ unmatched: UnmatchedRule) -> AuditFinding {
        AuditFinding(
            .unmatchedPolicy,
            patterns: [unmatched.rule.app] + (unmatched.isOfKnownApp ? [] : unmatched.nearest.map { [$0] } ?? []),
            unmatched.description,
            remedy: "correct the rule, unless it is for other machines", isNote: true)
    }

    /// Reads and audits one suite of the caller; a suite that can't be read is an audit with its failure.
    public func audit(_ suite: OnboardingSuite, user: String? = nil) -> SuiteAudit {
        do throws(OnboardingStorageError) {
            var audit = audit(try suite.contents() ?? SuiteContents(), path: suite.path, user: user)
            audit.add(SuitePermissions.findings(suite.path))
            return audit
        } catch {
            return Self.failed(error, path: suite.path, user: user)
        }
    }

    static func failed(_ error: OnboardingStorageError, path: String, user: String?) -> SuiteAudit {
        var audit = SuiteAudit(path: path, user: user)
        audit.failure = error
        audit.totals.failures = 1
        audit.add([
            AuditFinding(.suiteUnreadable, error.message, remedy: remedy(for: error.code))
        ])
        return audit
    }

    private static func remedy(for code: OnboardingStorageError.Code) -> String {
        switch code {
        case .damaged: "doorstep doctor explains, and --repair recovers what is readable"
        case .newer: "audit it with the newer doorstep"
        case .busy: "try again once the other process has finished"
        case .notPermitted: "let its owner read it"
        case .foreign, .invalid: "name a suite"
        case .full, .io: "look at the file system"
        }
    }

    /// Audits what was read of a suite.
    package func audit(_ contents: SuiteContents, path: String, user: String? = nil) -> SuiteAudit {
        var audit = SuiteAudit(path: path, user: user)
        var joiner = AuditJoiner(auditor: self, strays: contents.strays)
        for app in contents.apps { joiner.add(app) }
        joiner.addUnseenMembers()
        joiner.addLeftovers()
        audit.rows = joiner.rows
        audit.totals = AuditTotals(of: joiner.rows)
        audit.totals.suites = 1
        audit.add(joiner.findings)
        return audit
    }
}
