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

    static var expectedArgument: String? { "a date such as 2026-03-01 or 2026-03-01T09:30Z, or a span such as 7d" }
}

extension AuditFinding.Code: ArgumentValue {}
