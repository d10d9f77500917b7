internal import Doorstep
internal import DoorstepAudit
internal import DoorstepJSON
internal import DoorstepSQLite
internal import Glibc

/// Prints changes as other processes make them: woken by inotify, with a look at `PRAGMA data_version` once a second in
/// case a file system tells nothing.
struct HistoryFollowing {
    let suite: OnboardingSuite
    let filter: EventFilter
    let time: TimeText
    let isJSON: Bool

    func run() async throws {
        Progress.shared.end()
        let directory = suite.path.directoryOfPath ?? "."
        let notifier = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        defer { if notifier >= 0 { close(notifier) } }
        if notifier >= 0 {
            _ = inotify_add_watch(notifier, directory, UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_CLOSE_WRITE))
        }
        var mark = try suite.changeMark()
        var last = mark?.last ?? 0
        while true {
            try wait(notifier)
            let before = mark
            mark = try suite.changeMark()
            guard let now = mark, now != before else { continue }
            // Another suite begins to count anew; one that was erased or pruned goes on from where it was.
            let isSame = before?.isOfSameFile(as: now) ?? false
            if !isSame, now.last < last { last = 0 }
            for event in try suite.events(after: last) {
                last = event.sequence
                if filter.wants(event) { try print(event) }
            }
        }
    }

    private func wait(_ notifier: Int32) throws {
        var poller = pollfd(fd: notifier, events: Int16(POLLIN), revents: 0)
        if poll(&poller, notifier >= 0 ? 1 : 0, 1000) > 0 {
            var buffer = [UInt8](repeating: 0, count: 4096)
            while read(notifier, &buffer, buffer.count) > 0 {}
        }
    }

    private func print(_ event: OnboardingEvent) throws(CommandFailure) {
        if isJSON { return try Console.write(JSONValue.object(event.json).serialized(.compact) + "\n") }
        let evidence = event.evidence.map { ": \($0)" } ?? ""
        try Console.print(
            "\(time.text(event.at))  \(event.step)  \(event.change)  \(event.origin.rawValue)  \(event.who)\(evidence)")
    }
}
