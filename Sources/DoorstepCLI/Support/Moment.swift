internal import CommandLineKit
internal import Doorstep
internal import DoorstepAudit

/// A moment on the command line: a date, a date with a time, or a span before now.
struct Moment: ArgumentValue {
    let instant: OnboardingInstant
    let argumentText: String

    init?(argument: String) {
        guard let instant = TimeText.instant(argument) else { return nil }
        self.instant = instant
        argumentText = argument
    }

    /// What is accepted, for help and errors.
    static let forms =
        "a date such as 2026-03-01, a date and time such as 2026-03-01T09:30 (in UTC with a Z behind it), or a span before "
        + "now such as 7d, in one of the units s, m, h, d and w"

    static var expectedArgument: String? { forms }
}

extension AuditFinding.Code: ArgumentValue {}
