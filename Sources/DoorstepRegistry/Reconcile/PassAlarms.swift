internal import DoorstepPluginHost
internal import Dispatch

/// The deadlines of one pass, kept by one thread of its own.
///
/// Dispatch's timers need one of its threads, which are also those of Swift's pool: while checks or an app's own tasks block
/// all of them, a timer fires up to a second late.
struct PassAlarms {
    private struct Alarm {
        let instant: ContinuousClock.Instant
        let ring: @Sendable () -> Void
    }

    private var alarms: [Alarm] = []
    private let isOver = DispatchSemaphore(value: 0)

    /// Has the body run at an instant, unless the pass is over by then.
    mutating func ring(at instant: ContinuousClock.Instant, _ body: @escaping @Sendable () -> Void) {
        alarms.append(Alarm(instant: instant, ring: body))
    }

    /// Starts to wait for the alarms, or answers false where there is no thread to do so.
    func start(on start: DetachedThread.Start) -> Bool {
        if alarms.isEmpty { return true }
        return start { [alarms = alarms.sorted { $0.instant < $1.instant }, isOver] in
            for alarm in alarms {
                let left = max(.zero, alarm.instant - .now)
                if isOver.wait(timeout: .now() + .nanoseconds(Int(left / .nanoseconds(1)))) == .success { return }
                alarm.ring()
            }
        }
    }

    /// Lets go of the alarms that are still to come.
    func stop() {
        isOver.signal()
    }
}
