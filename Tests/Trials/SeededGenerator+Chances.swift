import DoorstepTestSupport

extension SeededGenerator {
    /// Whether something happens that does so many times in a hundred.
    mutating func happens(_ percent: Int) -> Bool {
        Int.random(in: 0..<100, using: &self) < percent
    }
}
