extension Duration {
    /// A number with a unit, as people write durations: `500ms`, `2s`, `1.5s`, `1m`, `1h`; nil for anything else.
    ///
    /// A number alone is refused: nothing says whether its author thought of seconds. Nor is there a negative duration.
    package init?(words text: String) {
        for (unit, attoseconds) in Self.units where text.hasSuffix(unit) {
            let parts = text.dropLast(unit.count).split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { 48...57 ~= $0 } }),
                let whole = Int64(parts[0]), whole <= Int64(Int32.max)
            else { return nil }
            var total = Int128(whole) * attoseconds
            var place = attoseconds
            for digit in parts.dropFirst().joined().utf8 {
                place /= 10
                total += Int128(digit - 48) * place
            }
            self.init(attoseconds: total)
            return
        }
        return nil
    }

    /// The duration in the largest unit that needs no fraction: `1m`, `90s`, `500ms`.
    package var words: String {
        for (unit, size) in Self.units.reversed() where attoseconds != 0 && attoseconds % size == 0 {
            return "\(attoseconds / size)\(unit)"
        }
        return attoseconds == 0 ? "0s" : "\(self)"
    }

    /// Every unit in attoseconds, the smallest first; `ms` stands before `m` and `s`, which end or begin like it.
    private static var units: [(name: String, attoseconds: Int128)] {
        let second: Int128 = 1_000_000_000_000_000_000
        return [("ms", second / 1000), ("s", second), ("m", second * 60), ("h", second * 3600)]
    }
}
