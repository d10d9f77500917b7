internal import Glibc

/// How wide a terminal is.
public enum TerminalSize {
    /// The columns where neither the environment nor the terminal tells.
    public static let defaultColumns = 80
    /// The fewest columns that are ever reported; a presenter can't do with less.
    public static let minimumColumns = 20

    /// The columns of the terminal behind a descriptor: what `COLUMNS` says, else the terminal, else
    /// ``defaultColumns``; never fewer than ``minimumColumns``.
    ///
    /// A `COLUMNS` that isn't a whole number above 0 is passed over, and so is a terminal that says 0, as a serial line
    /// does.
    public static func columns(of descriptor: Int32, environment: [String: String]) -> Int {
        if let columns = environment["COLUMNS"].flatMap({ Int($0) }), columns > 0 {
            return max(columns, minimumColumns)
        }
        var size = winsize()
        if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
            return max(Int(size.ws_col), minimumColumns)
        }
        return defaultColumns
    }
}
