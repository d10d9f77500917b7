internal import Doorstep
internal import DoorstepSQLite

/// The report's charts, as SVG: each with a title, a description, and labels beside the colours.
enum ReportCharts {
    /// Bars of how often each step was shown, answered and granted.
    static func funnel(_ funnel: Funnel, number: Int) -> String {
        let rows = funnel.stages
        let most = max(1, rows.map { max($0.shown ?? 0, $0.answered) }.max() ?? 1)
        let height = rows.count * 62 + 30
        var svg = open(
            "funnel-\(number)", height: height, title: "How far users came in \(funnel.app)",
            description: "Bars for each step: shown, answered, granted. The numbers stand in the table below.")
        for (index, stage) in rows.enumerated() {
            let y = index * 62 + 16
            svg += text(stage.step, x: 12, y: y + 10)
            let bars: [(String, Int?, Int)] = [
                ("shown", stage.shown, 5), ("answered", stage.answered, 0), ("granted", stage.granted, 2),
            ]
            var line = 0
            for (name, count, colour) in bars {
                guard let count else { continue }
                let width = count * 560 / most
                svg +=
                    "<rect class=\"c\(colour)\" x=\"12\" y=\"\(y + 15 + line * 13)\" width=\"\(max(1, width))\" height=\"10\" rx=\"2\"/>"
                svg += text("\(name) \(count)", x: 20 + width, y: y + 24 + line * 13, isSoft: true)
                line += 1
            }
        }
        return svg + "</svg>"
    }

    /// The spans of time that answers are counted in: at most as many as a chart has room for.
    struct Span {
        var start: Int64
        var counts: [OnboardingOrigin: Int] = [:]
    }

    private static let day: Int64 = 86_400_000
    /// The days before and after 1970 that are told apart, some 270,000 years: what a file that others wrote holds beyond
    /// them is counted at their ends, so that every difference fits.
    private static let farthest: Int64 = 100_000_000 * day

    static func spans(_ history: [OnboardingEvent]) -> [Span] {
        let answers = history.filter { $0.new != nil }.map { event in
            (at: min(max(event.at.milliseconds, -farthest), farthest), origin: event.origin)
        }
        guard let first = answers.map(\.at).min(), let last = answers.map(\.at).max() else { return [] }
        let days = (last - first) / day + 1
        let size = day * max(1, (days + 29) / 30)
        // Midnight before the first answer, also before 1970.
        let start = first - (first % day + day) % day
        var spans = (0...Int((last - start) / size)).map { Span(start: start + Int64($0) * size) }
        for answer in answers { spans[Int((answer.at - start) / size)].counts[answer.origin, default: 0] += 1 }
        return spans
    }

    /// Stacked bars of the answers in each span, by who gave them.
    static func origins(_ spans: [Span], label: (Int64) -> String) -> String {
        let most = max(1, spans.map { $0.counts.values.reduce(0, +) }.max() ?? 1)
        var svg = open(
            "origins", height: 260, title: "Answers by origin over time",
            description: "Stacked bars of how many answers each origin gave. The numbers stand in the table below.")
        let width = max(4, min(60, 740 / max(1, spans.count) - 4))
        for (index, span) in spans.enumerated() {
            var y = 200
            let x = 40 + index * (width + 4)
            for (colour, origin) in OnboardingOrigin.allCases.enumerated() {
                guard let count = span.counts[origin], count > 0 else { continue }
                let height = max(1, count * 170 / most)
                y -= height
                svg += "<rect class=\"c\(colour)\" x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(height)\"/>"
            }
        }
        svg += "<line x1=\"40\" y1=\"200\" x2=\"788\" y2=\"200\"/>" + text("\(most)", x: 10, y: 38, isSoft: true)
        if let first = spans.first { svg += text(label(first.start), x: 40, y: 218, isSoft: true) }
        if spans.count > 1, let last = spans.last {
            svg +=
                "<text class=\"soft\" text-anchor=\"end\" x=\"788\" y=\"218\">\(HTML.escaped(label(last.start)))</text>"
        }
        for (colour, origin) in OnboardingOrigin.allCases.enumerated() {
            let x = 40 + colour * 120
            svg += "<rect class=\"c\(colour)\" x=\"\(x)\" y=\"234\" width=\"12\" height=\"12\"/>"
            svg += text(origin.rawValue, x: x + 18, y: 244)
        }
        return svg + "</svg>"
    }

    private static func open(_ id: String, height: Int, title: String, description: String) -> String {
        "<svg viewBox=\"0 0 800 \(height)\" role=\"img\" aria-labelledby=\"\(id)-title \(id)-text\">"
            + "<title id=\"\(id)-title\">\(HTML.escaped(title))</title><desc id=\"\(id)-text\">\(HTML.escaped(description))</desc>"
    }

    private static func text(_ text: String, x: Int, y: Int, isSoft: Bool = false) -> String {
        "<text\(isSoft ? " class=\"soft\"" : "") x=\"\(x)\" y=\"\(y)\">\(HTML.escaped(text))</text>"
    }
}
