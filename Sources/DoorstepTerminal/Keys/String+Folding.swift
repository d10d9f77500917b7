/// Text as it is compared with what somebody types.
extension String {
    /// The text without white space around it, case, accents, and marks that a keyboard makes hard to type: "É" is "e".
    var foldedForMatching: String {
        var kept = UnicodeScalarView()
        for scalar in lowercased().unicodeScalars {
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .format: continue
            default: kept.append(scalar.isASCII ? scalar : scalar.withoutAccent)
            }
        }
        let text = String(kept)
        guard let last = text.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(text[...last].drop { $0.isWhitespace })
    }
}

extension Unicode.Scalar {
    /// The letter that an accent, a stroke or another mark was put on, by the name that Unicode gives it.
    ///
    /// Unlike a canonical decomposition, "LATIN SMALL LETTER O WITH STROKE" also says that "ø" is an "o".
    fileprivate var withoutAccent: Unicode.Scalar {
        guard let name = properties.name, let mark = name.firstRange(of: " WITH ") else { return self }
        return Self.plainLetters[name[..<mark.lowerBound]] ?? self
    }

    /// The letters of the Latin, Greek, Cyrillic and Arabic alphabets by their names.
    private static let plainLetters: [Substring: Unicode.Scalar] = {
        var letters: [Substring: Unicode.Scalar] = [:]
        for range: ClosedRange<UInt32> in [0x61...0x7A, 0x3B1...0x3C9, 0x430...0x44F, 0x627...0x64A] {
            for scalar in range.compactMap(Unicode.Scalar.init) {
                if let name = scalar.properties.name { letters[name[...]] = scalar }
            }
        }
        return letters
    }()
}
