/// The candidate that a misspelt word most likely means, or nil when none is near.
///
/// Near is one slip (a wrong, missing, extra or swapped letter) for every three letters, at least one and at most three;
/// upper and lower case don't count. Of equally near ones the first is taken. Words beyond 64 characters are no slips.
public func nearestSpelling(of word: String, among candidates: some Sequence<String>) -> String? {
    let letters = Array(word.lowercased().prefix(65))
    guard letters.count <= 64 else { return nil }
    var best: (spelling: String, distance: Int)?
    for candidate in candidates where candidate != word {
        let other = Array(candidate.lowercased().prefix(65))
        let tolerance = min(3, max(1, max(letters.count, other.count) / 3))
        guard other.count <= 64, abs(other.count - letters.count) <= tolerance else { continue }
        let distance = editDistance(letters, other)
        // A word that shares no letter is no misspelling, however short.
        guard distance <= tolerance, distance < max(letters.count, other.count) else { continue }
        if distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.spelling
}

/// Insertions, deletions, substitutions and swaps of neighbours that turn one word into the other.
func editDistance(_ one: [Character], _ other: [Character]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...other.count)
    for i in one.indices {
        var row = [i + 1]
        for j in other.indices {
            var cost = min(last[j] + (one[i] == other[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
            if i > 0, j > 0, one[i] == other[j - 1], one[i - 1] == other[j] {
                cost = min(cost, beforeLast[j - 1] + 1)
            }
            row.append(cost)
        }
        (beforeLast, last) = (last, row)
    }
    return last[other.count]
}
