internal import CTerminal

/// Catches Ctrl-C and the return from a suspension while it lives, and puts the handlers back when it goes.
///
/// A handler writes to a pipe that the reader polls beside its input. An interrupted `read` alone would not do: the
/// signal can come just before the call, or be delivered to another thread. Signals belong to the process, so a second
/// watch at the same time sees none.
struct SignalWatch: ~Copyable {
    /// What was caught.
    struct Caught: OptionSet {
        let rawValue: Int32
        static let interrupted = Caught(rawValue: CTERMINAL_INTERRUPTED)
        static let continued = Caught(rawValue: CTERMINAL_CONTINUED)
    }

    /// Readable once a signal has come; nil where none are caught.
    let descriptor: Int32?

    /// Starts to catch signals if `isWanted`.
    init(isWanted: Bool) {
        let descriptor = isWanted ? cterminal_signals_begin() : -1
        self.descriptor = descriptor >= 0 ? descriptor : nil
    }

    /// What came since the last call.
    func take() -> Caught {
        descriptor == nil ? [] : Self.takePending()
    }

    /// What came since the last call, to whichever watch there is.
    static func takePending() -> Caught {
        Caught(rawValue: cterminal_signals_take())
    }

    deinit {
        if descriptor != nil { cterminal_signals_end() }
    }
}
