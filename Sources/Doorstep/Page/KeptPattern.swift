internal import Synchronization

/// A field's pattern, read at its first use and then kept for the field and all its copies.
///
/// A field is asked at every key that its user presses, and a pattern takes longer to be read than to be matched.
final class KeptPattern: Sendable {
    private enum State {
        case unread
        case read(FieldPattern)
        case unusable
    }

    /// The pattern as it is written.
    let text: String
    private let state = Mutex(State.unread)

    init(_ text: String) {
        self.text = text
    }

    /// The pattern of a kind of field, if it has one.
    convenience init?(of kind: StepField.Kind) {
        guard case .text(_, let pattern?, _) = kind else { return nil }
        self.init(pattern)
    }

    /// Whether the pattern was read already.
    var isRead: Bool {
        state.withLock { if case .unread = $0 { false } else { true } }
    }

    /// Whether a whole text matches. A pattern that isn't one was refused when the flow was registered; here it lets nothing
    /// through.
    func matches(_ candidate: String) -> Bool {
        state.withLock { state in
            if case .unread = state { state = Self.read(text) }
            guard case .read(let pattern) = state else { return false }
            return pattern.matches(candidate)
        }
    }

    private static func read(_ text: String) -> State {
        do throws(FieldPattern.Fault) {
            return .read(try FieldPattern(text))
        } catch {
            return .unusable
        }
    }
}

extension KeptPattern: Hashable {
    static func == (one: KeptPattern, other: KeptPattern) -> Bool { one.text == other.text }

    func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
