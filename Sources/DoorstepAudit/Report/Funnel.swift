internal import Doorstep
internal import DoorstepSQLite

/// How far users came in one flow, step by step.
struct Funnel {
    /// One step of it.
    struct Stage {
        var step: String
        /// In how many showings its page was shown; nil where nobody kept that.
        var shown: Int?
        /// How often it was answered.
        var answered: Int
        /// How often the answer was `true`.
        var granted: Int
        /// The median time on its page, in milliseconds; nil where nobody kept that.
        var time: Int64?
    }

    var app: String
    var stages: [Stage]

    /// The funnels of these rows' apps: from what was kept of showings where the suite has it, else from the history alone.
    static func all(_ rows: [AuditRow], history: [OnboardingEvent], pages: [OnboardingPageEvent]) -> [Funnel] {
        var answers: [String: (answered: Int, granted: Int)] = [:]
        for event in history where event.new != nil {
            let key = "\(event.app)\u{0}\(event.step)"
            answers[key, default: (0, 0)].answered += 1
            if event.new == true { answers[key, default: (0, 0)].granted += 1 }
        }
        let showings = pages.isEmpty ? nil : Showings(pages)
        var funnels: [Funnel] = []
        for row in rows {
            let key = "\(row.app)\u{0}\(row.step.id)"
            let found = answers[key] ?? (0, 0)
            let stage = Stage(
                step: row.step.id.rawValue, shown: showings?.shown[key]?.count, answered: found.answered,
                granted: found.granted, time: showings?.median(key))
            if funnels.last?.app != row.app { funnels.append(Funnel(app: row.app, stages: [])) }
            funnels[funnels.count - 1].stages.append(stage)
        }
        return funnels
    }

    /// What was kept of showings: which pages each had, and how long each page stood.
    private struct Showings {
        var shown: [String: Set<String>] = [:]
        private var times: [String: [Int64]] = [:]

        init(_ events: [OnboardingPageEvent]) {
            var open: [String: (key: String, at: Int64)] = [:]
            for event in events {
                let key = "\(event.app)\u{0}\(event.step)"
                if event.kind == .shown { shown[key, default: []].insert(event.showing) }
                // A page stands until the next thing that happens in its showing.
                if let page = open.removeValue(forKey: event.showing), event.at.milliseconds >= page.at {
                    // A file that others wrote can hold any two moments.
                    let (time, isTooLong) = event.at.milliseconds.subtractingReportingOverflow(page.at)
                    times[page.key, default: []].append(isTooLong ? .max : time)
                }
                if event.kind == .shown { open[event.showing] = (key, event.at.milliseconds) }
            }
        }

        func median(_ key: String) -> Int64? {
            guard let sorted = times[key]?.sorted(), !sorted.isEmpty else { return nil }
            return sorted[sorted.count / 2]
        }
    }
}
