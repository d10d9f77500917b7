/// How many colours a terminal has.
public enum ColourDepth: Sendable, Hashable, CaseIterable {
    /// None: bold, underlined and reversed text only.
    case none
    /// The 16 of ECMA-48 and their bright forms.
    case sixteen
    /// The 256 of xterm.
    case indexed
    /// Red, green and blue with 8 bits each.
    case direct

    /// The nearest colour that a terminal of this depth has, as it is drawn there.
    ///
    /// The 16 are taken to be xterm's; a user who gave them other colours chose them to be told apart.
    func nearest(to colour: Colour) -> Colour {
        switch self {
        case .none, .direct: colour
        case .sixteen: Self.nearest(to: colour, in: 0..<16)
        case .indexed: Self.nearest(to: colour, in: 16..<256)
        }
    }

    /// The parameters of SGR (ECMA-48, 8.3.117) for a colour in front or behind.
    func parameters(for colour: Colour, isBackground: Bool) -> String {
        switch self {
        case .none:
            return ""
        case .direct:
            return "\(isBackground ? 48 : 38);2;\(colour.red);\(colour.green);\(colour.blue)"
        case .indexed:
            return "\(isBackground ? 48 : 38);5;\(Self.index(of: colour, in: 16..<256))"
        case .sixteen:
            let index = Self.index(of: colour, in: 0..<16)
            return String((index < 8 ? 30 : 82) + index + (isBackground ? 10 : 0))
        }
    }

    private static func nearest(to colour: Colour, in range: Range<Int>) -> Colour {
        palette[index(of: colour, in: range)]
    }

    private static func index(of colour: Colour, in range: Range<Int>) -> Int {
        var (best, distance) = (range.lowerBound, Int.max)
        for index in range {
            let found = palette[index].distance(to: colour)
            if found < distance { (best, distance) = (index, found) }
        }
        return best
    }

    /// xterm's palette: 16 named ones, a cube of 6 levels a part, 24 greys.
    private static let palette: [Colour] = {
        var colours = [
            Colour(0, 0, 0), Colour(205, 0, 0), Colour(0, 205, 0), Colour(205, 205, 0), Colour(0, 0, 238),
            Colour(205, 0, 205), Colour(0, 205, 205), Colour(229, 229, 229), Colour(127, 127, 127),
            Colour(255, 0, 0), Colour(0, 255, 0), Colour(255, 255, 0), Colour(92, 92, 255), Colour(255, 0, 255),
            Colour(0, 255, 255), Colour(255, 255, 255),
        ]
        let levels: [UInt8] = [0, 95, 135, 175, 215, 255]
        for red in levels {
            for green in levels { for blue in levels { colours.append(Colour(red, green, blue)) } }
        }
        for grey in 0..<24 { colours.append(Colour(UInt8(8 + grey * 10), UInt8(8 + grey * 10), UInt8(8 + grey * 10))) }
        return colours
    }()
}
