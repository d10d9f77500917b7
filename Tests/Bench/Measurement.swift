import Foundation

/// The times of one side of a comparison, in milliseconds.
struct Side {
    let name: String
    var times: [Double] = []

    /// The middle one.
    var median: Double { quantile(0.5) }
    /// Between which times eight of ten lie.
    var spread: (Double, Double) { (quantile(0.1), quantile(0.9)) }

    private func quantile(_ part: Double) -> Double {
        let sorted = times.sorted()
        return sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
    }
}

/// One row of the table: sides that were measured in turn, and the ratios that are wanted.
struct Row {
    /// What the first side's median may be at most, as a multiple of another side's.
    struct Limit {
        let side: Int
        let ratio: Double
    }

    let name: String
    var sides: [Side]
    let limits: [Limit]
    var note = ""

    var ratios: [(limit: Limit, ratio: Double)] {
        limits.map { ($0, sides[0].median / sides[$0.side].median) }
    }

    /// Measures the sides in turn, round after round, so that what the machine does meanwhile meets all of them.
    ///
    /// - Parameter prepare: What is done before each side's turn, outside of its time.
    init(
        _ name: String, rounds: Int, limits: [Limit], preparing prepare: () throws -> Void = {},
        _ sides: [(name: String, run: () throws -> Void)]
    ) throws {
        self.name = name
        self.limits = limits
        self.sides = sides.map { Side(name: $0.name) }
        let clock = ContinuousClock()
        for round in 0...rounds {
            for (number, side) in sides.enumerated() {
                try prepare()
                let time = try clock.measure(side.run) / .milliseconds(1)
                // The first round makes everything warm.
                if round > 0 { self.sides[number].times.append(time) }
            }
        }
    }

    /// A row whose times were taken elsewhere.
    init(_ name: String, sides: [Side], limits: [Limit], note: String = "") {
        self.name = name
        self.sides = sides
        self.limits = limits
        self.note = note
    }
}

extension Row {
    private static func text(_ time: Double) -> String {
        time >= 100
            ? String(format: "%.0f ms", time)
            : time >= 0.1 ? String(format: "%.2f ms", time) : String(format: "%.2f µs", time * 1000)
    }

    /// The row's lines in a Markdown table.
    var lines: [String] {
        sides.enumerated().map { number, side in
            let (low, high) = side.spread
            var verdict = ""
            for (limit, ratio) in ratios where limit.side == number {
                let word = ratio <= limit.ratio ? "reached" : "missed"
                verdict = String(format: "%.2f × (≤ %.2f: \(word))", ratio, limit.ratio)
            }
            let what = number == 0 ? name + (note.isEmpty ? "" : " (\(note))") : ""
            let spread = "\(Self.text(low)) – \(Self.text(high))"
            return "| \(what) | \(side.name) | \(Self.text(side.median)) | \(spread) | \(verdict) |"
        }
    }

    /// The row for programs.
    var json: [String: Any] {
        [
            "name": name, "note": note,
            "sides": sides.map { ["name": $0.name, "median": $0.median, "low": $0.spread.0, "high": $0.spread.1] },
            "ratios": ratios.map { ["side": sides[$0.limit.side].name, "ratio": $0.ratio, "limit": $0.limit.ratio] },
        ]
    }
}
