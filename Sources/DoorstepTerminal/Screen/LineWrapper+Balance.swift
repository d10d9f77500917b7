/// Lines of about the same length.
extension LineWrapper {
    /// The lines of a text, as few as there must be and as even as they can be: none of them is a single short word at
    /// the end, where the words allow it.
    func balancedLines(of text: String) -> [String] {
        let fewest = lines(of: text)
        guard fewest.count > 1, !text.contains(where: \.isNewline) else { return fewest }
        var (low, high) = (Self.minimumColumns, columns)
        while low < high {
            let middle = (low + high) / 2
            if LineWrapper(columns: middle).lines(of: text).count <= fewest.count {
                high = middle
            } else {
                low = middle + 1
            }
        }
        var balanced = LineWrapper(columns: high).lines(of: text)
        let last = balanced.count - 1
        guard !balanced[last].contains(" "), let space = balanced[last - 1].lastIndex(of: " "),
            balanced[last - 1][..<space].contains(" ") || CellWidth.of(balanced[last]) < high / 2
        else { return balanced }
        let joined = balanced[last - 1][balanced[last - 1].index(after: space)...] + " " + balanced[last]
        if CellWidth.of(String(joined)) <= columns {
            balanced[last] = String(joined)
            balanced[last - 1] = String(balanced[last - 1][..<space])
        }
        return balanced
    }
}
