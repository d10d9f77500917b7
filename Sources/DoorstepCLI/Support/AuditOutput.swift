internal import Doorstep
internal import DoorstepAudit
internal import DoorstepJSON

/// Prints an audit suite by suite, so that memory doesn't grow with their number.
struct AuditOutput {
    enum Style {
        case table, json, csv
    }

    let style: Style
    let time: TimeText
    let isSingle: Bool
    let showsSteps: Bool
    /// Whether only some rows and findings are wanted.
    let isFiltered: Bool
    let environment: [String: String]
    private(set) var totals = AuditTotals()
    private var suites: [String] = []
    private var findings: [String] = []
    private var isFirst = true
    /// Whether something stands above the findings.
    private var hasRows = false

    init(
        style: Style, time: TimeText, isSingle: Bool, showsSteps: Bool, isFiltered: Bool,
        environment: [String: String]
    ) {
        self.isFiltered = isFiltered
        self.style = style
        self.time = time
        self.isSingle = isSingle
        self.showsSteps = showsSteps
        self.environment = environment
    }

    /// Begins with what was found in the manifests and policy files.
    mutating func begin(_ family: [AuditFinding]) throws(CommandFailure) {
        totals.count(family)
        switch style {
        case .table: for finding in family { findings.append(line(finding)) }
        case .json:
            for finding in family { findings.append(json(finding, suite: nil)) }
            try Console.write("{\n  \"version\": 1,\n  \"apps\": [")
        case .csv:
            try Console.write(
                "suite,app,step,plugin,required,revision,value,origin,at,evidence,recorded,recorded_revision\n")
            for finding in family { Console.warn(line(finding)) }
        }
    }

    /// Prints one suite.
    mutating func add(_ audit: SuiteAudit) throws(CommandFailure) {
        totals.add(audit.totals)
        switch style {
        case .table: try addTable(audit)
        case .json: try addJSON(audit)
        case .csv: try addCSV(audit)
        }
    }

    /// Ends with the findings and the sums.
    func end() throws(CommandFailure) {
        switch style {
        case .csv: return
        case .table:
            if hasRows, !findings.isEmpty { try Console.write("\n") }
            for finding in findings { try Console.print(finding) }
            if hasRows || !findings.isEmpty { try Console.write("\n") }
            var text = sums(totals)
            if !isSingle { text += ", in \(Counted.text(totals.suites, "suite"))" }
            if totals.failures > 0, !isSingle { text += " (\(totals.failures) more can't be read)" }
            text += ": \(totals.findings == 0 ? "nothing found" : Counted.text(totals.findings, "finding"))"
            if totals.notes > 0 { text += ", \(Counted.text(totals.notes, "note"))" }
            try Console.print(text)
        case .json:
            func list(_ entries: [String]) -> String {
                entries.isEmpty ? "[]" : "[\n    \(entries.joined(separator: ",\n    "))\n  ]"
            }
            try Console.write(
                "\(isFirst ? "" : "\n  ")],\n  \"findings\": \(list(findings)),\n  \"suites\": \(list(suites)),\n  \"totals\": "
                    + JSONValue.object(json(totals)).serialized(.compact) + "\n}\n")
        }
    }

    private mutating func addTable(_ audit: SuiteAudit) throws(CommandFailure) {
        if !isSingle {
            let name = audit.user.map { "\($0) (\(audit.path))" } ?? audit.path
            let text = audit.failure.map { "can't be read: \($0.message)" } ?? sums(audit.totals)
            try Console.print(TextTable.printable("\(name): \(text)"))
            hasRows = true
        }
        if showsSteps, audit.failure == nil {
            if !audit.rows.isEmpty {
                try Console.write(table(audit.rows).text(columns: Console.columns(environment: environment)))
                hasRows = true
            } else if !isFiltered {
                try Console.print("no app is registered or recorded")
                hasRows = true
            }
        }
        for finding in audit.findings { findings.append(line(finding, of: isSingle ? nil : audit)) }
    }

    private func table(_ rows: [AuditRow]) -> TextTable {
        var table = TextTable("STEP", "KIND", "RULE", "RECORD", "ORIGIN", "WHEN")
        for row in rows {
            var rule = row.isWelcome ? "welcome" : row.step.isRequired ? "required" : "optional"
            if row.step.revision > 1 { rule += ", revision \(row.step.revision)" }
            var record = RecordText.of(row.standing?.value)
            if row.standing == nil, let own = row.own { record = "\(own.value) at revision \(own.revision)" }
            if row.standing?.origin == .policy, let own = row.own { record += " (own: \(own.value))" }
            let shown = row.standing ?? row.own
            table.add(
                row.step.id.rawValue, row.plugin ?? "", rule, record, shown?.origin.rawValue ?? "",
                shown.map { time.text($0.at) } ?? "")
        }
        return table
    }

    private func line(_ finding: AuditFinding, of audit: SuiteAudit? = nil) -> String {
        let place = audit.map { "\($0.user ?? $0.path): " } ?? ""
        let kind = (finding.isNote ? "note: " : "") + finding.code.rawValue
        // A suite that can't be one often says itself what to name.
        let isSaid = finding.code == .suiteUnreadable && finding.message.contains("; name ")
        let remedy = isSaid ? "" : "; \(finding.remedy)"
        return TextTable.printable("\(kind): \(place)\(finding.message)\(remedy)")
    }

    private func sums(_ totals: AuditTotals) -> String {
        "\(Counted.text(totals.apps, "app")), \(Counted.text(totals.steps, "step")), \(totals.unanswered) unanswered; \(totals.needed) needed, "
            + "\(totals.satisfied) satisfied, \(totals.stuck) stuck"
    }

    private mutating func addJSON(_ audit: SuiteAudit) throws(CommandFailure) {
        var text = ""
        var index = 0
        while index < audit.rows.count {
            let app = audit.rows[index].app
            var steps: [JSONValue] = []
            while index < audit.rows.count, audit.rows[index].app == app {
                steps.append(.object(json(audit.rows[index])))
                index += 1
            }
            let object: JSONObject = ["suite": .string(audit.path), "app": .string(app), "steps": .array(steps)]
            text += (isFirst ? "\n    " : ",\n    ") + JSONValue.object(object).serialized(.compact)
            isFirst = false
        }
        try Console.write(text)
        for finding in audit.findings { findings.append(json(finding, suite: audit)) }
        let object: JSONObject = [
            "path": .string(audit.path), "user": JSONValue(audit.user),
            "error": JSONValue(audit.failure?.code.rawValue),
            "message": JSONValue(audit.failure?.message), "totals": .object(json(audit.totals)),
        ]
        suites.append(JSONValue.object(object).serialized(.compact))
    }

    private func json(_ row: AuditRow) -> JSONObject {
        [
            "id": .string(row.step.id.rawValue), "isWelcome": .bool(row.isWelcome), "plugin": JSONValue(row.plugin),
            "required": .bool(row.step.isRequired), "revision": .integer(row.step.revision),
            "value": JSONValue(row.standing?.value), "origin": JSONValue(row.standing?.origin.rawValue),
            "at": row.standing.map { .integer(Int($0.at.milliseconds)) } ?? .null,
            "evidence": JSONValue(row.standing?.evidence),
            "recorded": row.own.map { own in
                [
                    "value": .bool(own.value), "revision": .integer(own.revision),
                    "origin": .string(own.origin.rawValue),
                    "at": .integer(Int(own.at.milliseconds)), "evidence": JSONValue(own.evidence),
                ]
            } ?? .null,
        ]
    }

    private func json(_ finding: AuditFinding, suite: SuiteAudit?) -> String {
        let object: JSONObject = [
            "code": .string(finding.code.rawValue), "app": JSONValue(finding.app), "step": JSONValue(finding.step),
            "at": finding.at.map { .integer(Int($0.milliseconds)) } ?? .null, "message": .string(finding.message),
            "remedy": .string(finding.remedy), "note": .bool(finding.isNote), "suite": JSONValue(suite?.path),
            "user": JSONValue(suite?.user),
        ]
        return JSONValue.object(object).serialized(.compact)
    }

    private func json(_ totals: AuditTotals) -> JSONObject {
        [
            "suites": .integer(totals.suites), "failures": .integer(totals.failures), "apps": .integer(totals.apps),
            "steps": .integer(totals.steps), "unanswered": .integer(totals.unanswered),
            "needed": .integer(totals.needed),
            "satisfied": .integer(totals.satisfied), "stuck": .integer(totals.stuck),
            "findings": .integer(totals.findings), "notes": .integer(totals.notes),
        ]
    }

    private func addCSV(_ audit: SuiteAudit) throws(CommandFailure) {
        var text = ""
        for row in audit.rows {
            text += CSV.line([
                audit.path, row.app, row.step.id.rawValue, row.plugin, "\(row.step.isRequired)", "\(row.step.revision)",
                row.standing.map { "\($0.value)" }, row.standing?.origin.rawValue,
                row.standing.map { time.text($0.at) }, row.standing?.evidence, row.own.map { "\($0.value)" },
                row.own.map { "\($0.revision)" },
            ])
        }
        try Console.write(text)
        for finding in audit.findings { Console.warn(line(finding, of: isSingle ? nil : audit)) }
    }
}

extension TextTable {
    /// A line without what can't be printed.
    static func printable(_ text: String) -> String {
        text.split(separator: "\n").map { singleLine(String($0)) }.joined(separator: "; ")
    }
}
