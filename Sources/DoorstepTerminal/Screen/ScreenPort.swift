/// What a full-screen showing draws on and hears from: a terminal, or a script.
protocol ScreenPort: AnyObject {
    /// The cells there are now.
    var size: (columns: Int, rows: Int) { get }
    /// Whether pages may slide.
    var allowsMotion: Bool { get }
    /// Waits for what comes next: until there is something, or for so many milliseconds; for ever without.
    func next(milliseconds: Int?) -> [ScreenEvent]
    /// Waits for at most so many milliseconds, and tells whether there is something; it stays for ``next(milliseconds:)``.
    func peek(milliseconds: Int) -> Bool
    /// Draws a frame.
    func draw(_ frame: Frame)
    /// Gives the terminal back, stops, and takes it over again once the process runs on.
    func suspend()
    /// Takes the terminal over again, after somebody else stopped the process and continued it.
    func resume()
    /// Called around what nobody can take keys or signals during.
    func isOccupied(_ isOccupied: Bool)
}

/// What came from the terminal or the process's surroundings.
enum ScreenEvent: Sendable, Hashable {
    case key(Key)
    case resized
    /// The process was stopped and runs again.
    case continued
    /// Something may have changed outside.
    case changed
    /// Somebody wants the process to stop for now.
    case stop
    /// Nobody is there any more, or the process was asked to end.
    case end
}
