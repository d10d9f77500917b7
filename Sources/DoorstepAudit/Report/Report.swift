internal import Doorstep
public import DoorstepSQLite

/// An audit to look at: one HTML file that needs no network and no script, with every text of others kept a text.
public struct Report: Sendable {
    private let audit: SuiteAudit
    private let family: [AuditFinding]
    private let isVerified: Bool
    private let history: [OnboardingEvent]
    private let pages: [OnboardingPageEvent]
    private let removals: [SuiteRemoval]
    private let time: TimeText
    private let made: OnboardingInstant

    /// A report of a suite as it is now.
    ///
    /// - Parameters:
    ///   - suite: The suite.
    ///   - auditor: The auditor; one that verified brings drift.
    ///   - time: How moments are shown.
    /// - Throws: `OnboardingStorageError`.
    public init(_ suite: OnboardingSuite, auditor: Auditor, time: TimeText) throws {
        audit = auditor.audit(suite)
        if let failure = audit.failure { throw failure }
        family = auditor.familyFindings()
        isVerified = !auditor.live.isEmpty
        history = try suite.history()
        pages = try suite.pageEvents()
        removals = try suite.removals() ?? []
        self.time = time
        made = .now
    }

    /// The whole file.
    public var html: String {
        var html = HTML()
        html.raw(
            """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <title>Onboarding report</title>
            <style>
            \(ReportStyle.css)
            </style>
            </head>
            <body>
            <header>
            <h1>Onboarding report</h1>

            """)
        html.raw("<p class=\"soft\">Made \(HTML.escaped(time.text(made))) of ")
        html.foreign("code", "", audit.path)
        html.raw(".</p>\n</header>\n<main>\n")
        sums(&html)
        findings(&html)
        drift(&html)
        matrix(&html)
        funnels(&html)
        origins(&html)
        html.raw("</main>\n</body>\n</html>\n")
        return html.text
    }

    private func sums(_ html: inout HTML) {
        var totals = audit.totals
        totals.count(family)
        html.raw("<section aria-labelledby=\"sums\">\n<h2 id=\"sums\">In short</h2>\n<dl class=\"sums\">\n")
        for (name, count) in [
            ("Apps", totals.apps), ("Steps", totals.steps), ("Unanswered steps", totals.unanswered),
            ("Apps that need onboarding", totals.needed), ("Apps with all they require", totals.satisfied),
            ("Apps stuck on a declined step", totals.stuck), ("Findings", totals.findings),
        ] {
            html.raw("<div><dt>\(name)</dt><dd>\(count)</dd></div>\n")
        }
        html.raw("</dl>\n</section>\n")
    }

    private func findings(_ html: inout HTML) {
        html.raw("<section aria-labelledby=\"findings\">\n<h2 id=\"findings\">Findings</h2>\n")
        list(
            family + audit.findings.filter { !$0.isDrift }, caption: "What was found", empty: "Nothing was found.",
            &html)
        html.raw("</section>\n")
    }

    private func drift(_ html: inout HTML) {
        html.raw("<section aria-labelledby=\"drift\">\n<h2 id=\"drift\">Drift</h2>\n")
        let empty =
            isVerified
            ? "Every answer that can be checked is what its check says."
            : "The checks weren't asked; --verify asks them."
        list(audit.findings.filter(\.isDrift), caption: "Where records and reality differ", empty: empty, &html)
        html.raw("</section>\n")
    }

    private func list(_ findings: [AuditFinding], caption: String, empty: String, _ html: inout HTML) {
        if findings.isEmpty {
            html.element("p", "", empty)
            return
        }
        table(caption, ["Code", "What", "What to do"], &html) { html in
            for finding in findings {
                html.raw("<tr>")
                html.element("th", "scope=\"row\"", finding.code.rawValue + (finding.isNote ? " (note)" : ""))
                html.foreign("td", "", finding.message)
                html.foreign("td", "", finding.remedy)
                html.raw("</tr>\n")
            }
        }
    }

    private func matrix(_ html: inout HTML) {
        html.raw("<section aria-labelledby=\"family\">\n<h2 id=\"family\">The family</h2>\n")
        if audit.rows.isEmpty { html.element("p", "", "No app is registered or recorded.") }
        var index = 0
        while index < audit.rows.count {
            let app = audit.rows[index].app
            table(app, ["Step", "Kind", "Rule", "Answer", "Origin", "When"], &html) { html in
                while index < audit.rows.count, audit.rows[index].app == app {
                    row(audit.rows[index], &html)
                    index += 1
                }
            }
        }
        html.raw("</section>\n")
    }

    private func row(_ row: AuditRow, _ html: inout HTML) {
        html.raw("<tr>")
        html.foreign("th", "scope=\"row\"", row.step.id.rawValue)
        html.foreign("td", "", row.plugin ?? "unknown")
        var rule = row.isWelcome ? "welcome" : row.step.isRequired ? "required" : "optional"
        if row.step.revision > 1 { rule += ", revision \(row.step.revision)" }
        html.element("td", "", rule)
        let shown = row.standing ?? row.own
        switch row.standing?.value {
        case true?: html.element("td", "class=\"yes\"", "✓ true")
        case false?: html.element("td", "class=\"no\"", "✗ false")
        case nil: html.element("td", "", row.own == nil ? "unrecorded" : "of an earlier revision")
        }
        html.element("td", "", shown?.origin.rawValue ?? "none")
        html.element("td", "", shown.map { time.text($0.at) } ?? "never")
        html.raw("</tr>\n")
    }

    private func funnels(_ html: inout HTML) {
        html.raw("<section aria-labelledby=\"funnels\">\n<h2 id=\"funnels\">How far users came</h2>\n")
        if pages.isEmpty {
            html.element(
                "p", "class=\"soft\"",
                "This suite keeps no showings: what was answered is told from the history, what was shown isn't known.")
        }
        for (number, funnel) in Funnel.all(audit.rows, history: history, pages: pages).enumerated() {
            html.foreign("h3", "", funnel.app)
            html.raw(ReportCharts.funnel(funnel, number: number) + "\n")
            table("The steps of \(funnel.app)", ["Step", "Shown", "Answered", "Granted", "Time on the page"], &html) {
                html in
                for stage in funnel.stages {
                    html.raw("<tr>")
                    html.foreign("th", "scope=\"row\"", stage.step)
                    html.element("td", "", stage.shown.map(String.init) ?? "not known")
                    html.raw("<td>\(stage.answered)</td><td>\(stage.granted)</td>")
                    html.element("td", "", stage.time.map { "\(Double($0 / 100) / 10) s" } ?? "not known")
                    html.raw("</tr>\n")
                }
            }
        }
        html.raw("</section>\n")
    }

    private func origins(_ html: inout HTML) {
        html.raw("<section aria-labelledby=\"over-time\">\n<h2 id=\"over-time\">Answers over time</h2>\n")
        let spans = ReportCharts.spans(history)
        func label(_ start: Int64) -> String {
            String(time.text(OnboardingInstant(milliseconds: start)).prefix(10))
        }
        if spans.isEmpty {
            html.element("p", "", "No answer is in the history.")
        } else {
            html.raw(ReportCharts.origins(spans, label: label) + "\n")
            let origins = OnboardingOrigin.allCases
            table("Answers by origin", ["From"] + origins.map(\.rawValue), &html) { html in
                for span in spans where !span.counts.isEmpty {
                    html.raw("<tr>")
                    html.element("th", "scope=\"row\"", label(span.start))
                    for origin in origins { html.raw("<td>\(span.counts[origin] ?? 0)</td>") }
                    html.raw("</tr>\n")
                }
            }
        }
        for removal in removals {
            html.element(
                "p", "class=\"soft\"",
                "\(time.text(removal.at)): \(removal.kind == "prune" ? "pruned" : "erased") \(removal.app ?? "every app"): \(removal.records) records, \(removal.events) changes."
            )
        }
        html.raw("</section>\n")
    }

    private func table(
        _ caption: String, _ headings: [String], _ html: inout HTML, _ rows: (inout HTML) -> Void
    ) {
        html.raw(
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"\(HTML.escaped(caption))\">\n<table>\n")
        html.foreign("caption", "", caption)
        html.raw("\n<thead><tr>")
        for heading in headings { html.element("th", "scope=\"col\"", heading) }
        html.raw("</tr></thead>\n<tbody>\n")
        rows(&html)
        html.raw("</tbody>\n</table>\n</div>\n")
    }
}

extension AuditFinding {
    /// Whether it tells of a record that differs from what its check says.
    var isDrift: Bool { code == .driftRevoked || code == .driftGranted }
}
