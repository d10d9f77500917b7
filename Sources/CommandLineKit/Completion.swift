/// What a shell offers as the value of an argument or an option.
package enum Completion: Sendable {
    /// Nothing.
    case none
    /// Files and directories.
    case files
    /// Directories.
    case directories
    /// These words. An enum's values are offered without being asked for.
    case values([String])
    /// The lines that the program prints when it is run with these arguments, such as `["apps", "--names"]`.
    ///
    /// It runs at each press of the tab key, with nothing to read; what it prints on standard error is dropped.
    case command([String])
}
