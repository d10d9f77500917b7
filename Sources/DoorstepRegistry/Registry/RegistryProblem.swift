/// A file or directory of the registry that can't be used.
public struct RegistryProblem: Sendable {
    /// The app that the file is named for, or nil for a directory.
    public var app: String?
    /// The reason.
    public var error: RegistryError
}
