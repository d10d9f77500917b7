internal import Glibc

/// A moment as records keep it: milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
public struct OnboardingInstant: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z; negative before it.
    public var milliseconds: Int64

    /// A moment from its milliseconds since 1970-01-01T00:00:00Z.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// The system's clock now. It can go backwards: order events by their sequence, never by this.
    public static var now: OnboardingInstant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return OnboardingInstant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// Orders moments from past to future.
    public static func < (left: OnboardingInstant, right: OnboardingInstant) -> Bool {
        left.milliseconds < right.milliseconds
    }
}
