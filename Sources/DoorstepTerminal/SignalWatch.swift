internal import CTerminal

/// Catches signals while it lives, and puts the handlers back when it goes.
///
/// A handler writes to a pipe that the reader polls beside its input. An interrupted `read` alone would not do: the
/// signal can come just before the call, or be delivered to another thread. Signals belong to the process, so a second
/// watch at the same time sees none.
struct SignalWatch: ~Copyable {
    /// What was caught, or is to be.
    struct Caught: OptionSet {
        let rawValue: Int32
        /// Ctrl-C where the terminal makes a signal of it.
        static let interrupted = Caught(rawValue: CTERMINAL_INTERRUPTED)
        /// The process was stopped and runs again.
        static let continued = Caught(rawValue: CTERMINAL_CONTINUED)
        static let terminated = Caught(rawValue: CTERMINAL_TERMINATED)
        /// The terminal went away.
        static let hungUp = Caught(rawValue: CTERMINAL_HUNG_UP)
        static let resized = Caught(rawValue: CTERMINAL_RESIZED)
        /// Somebody wants the process to stop, as Ctrl-Z does.
        static let stopped = Caught(rawValue: CTERMINAL_STOPPED)
        /// No signal: another thread has news.
        static let woken = Caught(rawValue: CTERMINAL_WOKEN)
    }

    /// Readable once a signal has come; nil where none are caught.
    let descriptor: Int32?

    /// Starts to catch signals if `isWanted`.
    init(isWanted: Bool, for signals: Caught = [.interrupted, .continued]) {
        let descriptor = isWanted ? cterminal_signals_begin(signals.rawValue) : -1
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
