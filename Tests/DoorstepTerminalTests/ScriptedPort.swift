import Doorstep
import Testing

@testable import DoorstepTerminal

/// A screen without a terminal: events come from a script, frames are kept.
final class ScriptedPort: ScreenPort {
    /// What happens next, worked out when it does.
    typealias Step = () -> [ScreenEvent]

    var size: (columns: Int, rows: Int)
    var allowsMotion = false
    /// The frame that was up whenever the next step was asked for.
    private(set) var screens: [Frame] = []
    /// Every frame that was drawn, and the bytes that a terminal would have been sent for each.
    private(set) var frames: [Frame] = []
    private(set) var byteCounts: [Int] = []
    private(set) var suspensions = 0
    private var steps: [Step]
    private var writer: FrameWriter

    init(columns: Int = 80, rows: Int = 24, depth: ColourDepth = .direct, _ steps: [Step]) {
        size = (columns, rows)
        self.steps = steps
        writer = FrameWriter(depth: depth)
    }

    /// A script of keys, one step each.
    convenience init(columns: Int = 80, rows: Int = 24, keys: [Key]) {
        self.init(columns: columns, rows: rows, keys.map { key in { [.key(key)] } })
    }

    func next(milliseconds: Int?) -> [ScreenEvent] {
        if let frame = frames.last { screens.append(frame) }
        return steps.isEmpty ? [.end] : steps.removeFirst()()
    }

    func peek(milliseconds: Int) -> Bool { false }

    func draw(_ frame: Frame) {
        frames.append(frame)
        byteCounts.append(writer.bytes(for: frame.buffer, cursor: frame.cursor).count)
    }

    func suspend() { suspensions += 1 }
    func resume() {}
    func isOccupied(_ isOccupied: Bool) {}

    /// Shows a pager on this screen.
    nonisolated(nonsending) func show(
        _ pager: OnboardingPager, heading: String = "Aurora", theme: TerminalTheme = TerminalTheme(),
        session: PresenterSession = PresenterSession()
    ) async throws(OnboardingStorageError) -> PresenterOutcome {
        try pager.start()
        guard pager.phase == .showing else { return pager.phase == .finished ? .finished : .left }
        let showing = ScreenShowing(
            pager: pager, heading: heading, icon: theme.icon, session: session, port: self,
            layout: PageLayout(theme: theme, depth: .direct, glyphs: .unicode), languages: pager.languages)
        return try await showing.result().get()
    }
}

extension Key {
    /// The keys that type a text.
    static func typing(_ text: String) -> [Key] { text.map(Key.character) }
}

extension Frame {
    var text: String { buffer.lines.joined(separator: "\n") }
}
