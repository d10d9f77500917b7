internal import Words

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
