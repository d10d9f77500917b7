/// How many columns help is wrapped to.
package enum HelpWidth {
    /// What is used when nothing is known of the terminal.
    package static let standard = 80
    /// Narrower than this, help can't be read; it is never wrapped to less.
    package static let smallest = 40

    /// The columns to use: those of the environment's `COLUMNS`, else the terminal's, else ``standard``.
    ///
    /// - Parameters:
    ///   - environment: the text of `COLUMNS`, if it is set; anything but a positive number is passed over.
    ///   - terminal: what the terminal says, if standard output is one.
    package static func columns(environment: String?, terminal: Int?) -> Int {
        for case let columns? in [environment.flatMap(Int.init), terminal] where columns > 0 {
            return max(columns, smallest)
        }
        return standard
    }
}
