internal import Glibc

/// A colour in sRGB, and how well another can be told from it.
public struct Colour: Sendable, Hashable {
    /// The parts, 0 to 255.
    public var red: UInt8, green: UInt8, blue: UInt8

    /// A colour from its parts.
    public init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// A colour written as `#RRGGBB`, or nil for anything else.
    public init?(hex: String) {
        let digits = hex.utf8.dropFirst()
        guard hex.utf8.first == UInt8(ascii: "#"), digits.count == 6, let value = UInt32(hex.dropFirst(), radix: 16)
        else { return nil }
        self.init(UInt8(value >> 16 & 0xFF), UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF))
    }

    package static let black = Colour(0, 0, 0)
    package static let white = Colour(255, 255, 255)

    /// The contrast to another colour by WCAG 2.2: from 1, the same brightness, to 21, black on white.
    public func contrast(to other: Colour) -> Double {
        let (one, two) = (luminance, other.luminance)
        return (max(one, two) + 0.05) / (min(one, two) + 0.05)
    }

    /// Black or white, whichever reads better on this; the contrast is at least 4.58.
    package var readable: Colour { contrast(to: .black) >= contrast(to: .white) ? .black : .white }

    /// This colour with a share of another, from 0 to 1.
    package func mixed(with other: Colour, share: Double) -> Colour {
        func mix(_ one: UInt8, _ two: UInt8) -> UInt8 {
            UInt8((Double(one) * (1 - share) + Double(two) * share).rounded())
        }
        return Colour(mix(red, other.red), mix(green, other.green), mix(blue, other.blue))
    }

    /// The square of how far two colours lie apart.
    package func distance(to other: Colour) -> Int {
        let parts = [(red, other.red), (green, other.green), (blue, other.blue)]
        return parts.reduce(0) { sum, part in
            let difference = Int(part.0) - Int(part.1)
            return sum + difference * difference
        }
    }

    private var luminance: Double {
        func linear(_ part: UInt8) -> Double {
            let share = Double(part) / 255
            return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }
}
