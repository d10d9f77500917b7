internal import Doorstep
internal import DoorstepSQLite

/// Lists of directories in an environment, read by one rule for manifests, plugins and policy files.
enum DirectoryLists {
    /// The directories that a variable of ours lists; none where it is unset or empty.
    static func listed(_ variable: String, in environment: [String: String]) -> [String] {
        (environment[variable] ?? "").listedPaths
    }

    /// The absolute directories that an XDG variable lists, or what stands for them where there is none.
    static func shared(_ variable: String, else standard: [String], in environment: [String: String]) -> [String] {
        let absolute = listed(variable, in: environment).filter(\.isAbsolutePath)
        return absolute.isEmpty ? standard : absolute
    }

    /// A folder of ours in the user's data home and then in each of `$XDG_DATA_DIRS`.
    static func data(_ folder: String, in environment: [String: String]) -> [String] {
        let home = DataHome.path { environment[$0] }.map { [$0] } ?? []
        let system = shared("XDG_DATA_DIRS", else: ["/usr/local/share", "/usr/share"], in: environment)
        return (home + system).map { $0 + "/doorstep/" + folder }
    }
}
