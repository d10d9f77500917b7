public import Doorstep
internal import Glibc

/// How moments are shown and read: in the zone of this machine's clock, or in UTC.
public struct TimeText: Sendable {
    /// Whether moments are shown in UTC.
    public var isUTC: Bool

    /// A way to show moments.
    public init(utc: Bool) {
        isUTC = utc
    }

    /// For example `2026-03-01 09:30:00`, with a `Z` behind it in UTC.
    public func text(_ instant: OnboardingInstant) -> String {
        // Rounded down, also before 1970.
        let (whole, rest) = instant.milliseconds.quotientAndRemainder(dividingBy: 1000)
        var seconds = time_t(rest < 0 ? whole - 1 : whole)
        var parts = tm()
        let isKnown = isUTC ? gmtime_r(&seconds, &parts) != nil : localtime_r(&seconds, &parts) != nil
        guard isKnown else { return "\(instant.milliseconds)" }
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let year = String(Int(parts.tm_year) + 1900)
        let day =
            String(repeating: "0", count: max(0, 4 - year.count)) + year
            + "-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
        return "\(day) \(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))" + (isUTC ? "Z" : "")
    }

    /// A moment from `2026-03-01`, `2026-03-01T09:30`, `2026-03-01 09:30:00` (in UTC with a `Z` behind it, else in the
    /// zone of this machine), or from a span before now: `90s`, `30m`, `12h`, `7d`, `2w`. Nil for anything else.
    public static func instant(_ text: String, now: OnboardingInstant = .now) -> OnboardingInstant? {
        let units: KeyValuePairs<String, Int64> = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
        if let unit = units.first(where: { text.hasSuffix($0.key) }), let count = Int64(text.dropLast()), count >= 0,
            count < 10_000_000_000
        {
            return OnboardingInstant(milliseconds: now.milliseconds - count * unit.value * 1000)
        }
        let isUTC = text.hasSuffix("Z")
        let halves = (isUTC ? text.dropLast() : text[...]).split(
            omittingEmptySubsequences: false, whereSeparator: { $0 == "T" || $0 == " " })
        guard (1...2).contains(halves.count), let date = numbers(halves[0], "-", [4, 2, 2]) else { return nil }
        var time = [0, 0, 0]
        if halves.count == 2 {
            guard let given = numbers(halves[1], ":", [2, 2, 2]) ?? numbers(halves[1], ":", [2, 2]) else { return nil }
            time = given + (given.count == 2 ? [0] : [])
        }
        guard (1...12).contains(date[1]), (1...31).contains(date[2]), time[0] < 24, time[1] < 60, time[2] < 61 else {
            return nil
        }
        var parts = tm()
        parts.tm_year = Int32(date[0] - 1900)
        parts.tm_mon = Int32(date[1] - 1)
        parts.tm_mday = Int32(date[2])
        parts.tm_hour = Int32(time[0])
        parts.tm_min = Int32(time[1])
        parts.tm_sec = Int32(time[2])
        parts.tm_isdst = -1
        let seconds = isUTC ? timegm(&parts) : mktime(&parts)
        // The 30th of February would have become a day in March.
        guard parts.tm_mday == Int32(date[2]) else { return nil }
        return OnboardingInstant(milliseconds: Int64(seconds) * 1000)
    }

    private static func numbers(_ text: Substring, _ separator: Character, _ digits: [Int]) -> [Int]? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        guard parts.count == digits.count else { return nil }
        var numbers: [Int] = []
        for (part, count) in zip(parts, digits) {
            guard part.utf8.count == count, part.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int(part)
            else {
                return nil
            }
            numbers.append(number)
        }
        return numbers
    }
}
