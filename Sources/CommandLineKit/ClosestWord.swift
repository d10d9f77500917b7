internal import Words

/// The candidate that a mistyped word most likely stands for, or `nil` if none is near.
///
/// Near means: at most a third of the longer word is wrong (but always one letter), or the word is the beginning of exactly
/// one candidate. The first of equally near candidates wins, so the order of declaration decides.
func closest(to word: String, among candidates: [String]) -> String? {
    let continued = word.count < 2 ? [] : candidates.filter { $0.hasPrefix(word) }
    if continued.count == 1 { return continued[0] }
    var best: (candidate: String, distance: Int)?
    for candidate in candidates {
        let distance = editDistance(Array(word), Array(candidate))
        let limit = max(1, max(word.count, candidate.count) / 3)
        if distance <= limit && distance < best?.distance ?? .max && distance < candidate.count {
            best = (candidate, distance)
        }
    }
    return best?.candidate
}
