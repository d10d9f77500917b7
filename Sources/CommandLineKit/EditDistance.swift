/// The candidate that a mistyped word most likely stands for, or `nil` if none is near.
///
/// Near means: at most a third of the longer word is wrong (but always one letter), or the word is the beginning of exactly
/// one candidate. The first of equally near candidates wins, so the order of declaration decides.
func closest(to word: String, among candidates: [String]) -> String? {
    let continued = word.count < 2 ? [] : candidates.filter { $0.hasPrefix(word) }
    if continued.count == 1 { return continued[0] }
    var best: (candidate: String, distance: Int)?
    for candidate in candidates {
        let distance = editDistance(word, candidate)
        let limit = max(1, max(word.count, candidate.count) / 3)
        if distance <= limit && distance < best?.distance ?? .max && distance < candidate.count {
            best = (candidate, distance)
        }
    }
    return best?.candidate
}

/// How many letters must be inserted, removed, replaced or swapped with their neighbour to turn one word into the other.
func editDistance(_ first: String, _ second: String) -> Int {
    let source = Array(first)
    let target = Array(second)
    var beforePrevious: [Int] = []
    var previous = Array(0...target.count)
    for i in 0..<source.count {
        var current = [i + 1]
        for j in 0..<target.count {
            var cost = min(previous[j + 1] + 1, current[j] + 1, previous[j] + (source[i] == target[j] ? 0 : 1))
            if i > 0, j > 0, source[i] == target[j - 1], source[i - 1] == target[j] {
                cost = min(cost, beforePrevious[j - 1] + 1)
            }
            current.append(cost)
        }
        beforePrevious = previous
        previous = current
    }
    return previous[target.count]
}
