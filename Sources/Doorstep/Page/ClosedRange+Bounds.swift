/// The bounds of an integer field's range: the least and the greatest `Int` stand for one that isn't there.
extension ClosedRange<Int> {
    package var hasLowerBound: Bool { lowerBound > .min }

    package var hasUpperBound: Bool { upperBound < .max }
}

extension StepField {
    /// So many characters of a number always can be read.
    package static let longestNumber = 18
}
