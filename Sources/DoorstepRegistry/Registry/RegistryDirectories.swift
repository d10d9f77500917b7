internal import DoorstepSQLite

/// Where manifests are looked for; the earlier directory wins.
public enum RegistryDirectories {
    /// The directories that an environment names: `DOORSTEP_REGISTRY_PATH` (a list, which replaces the rest), else
    /// `$XDG_DATA_HOME/doorstep/registry` and `/doorstep/registry` under each of `$XDG_DATA_DIRS`.
    ///
    /// An empty or relative XDG variable counts as unset, as the XDG Base Directory Specification says. Without HOME the
    /// home directory is the one of the passwd entry.
    public static func standard(environment: [String: String]) -> [String] {
        let own = list(environment["DOORSTEP_REGISTRY_PATH"])
        if !own.isEmpty { return own }
        let data = DataHome.path { environment[$0] }.map { [$0] } ?? []
        let shared = list(environment["XDG_DATA_DIRS"]).filter { $0.hasPrefix("/") }
        let system = shared.isEmpty ? ["/usr/local/share", "/usr/share"] : shared
        return (data + system).map { $0 + "/doorstep/registry" }
    }

    private static func list(_ variable: String?) -> [String] {
        (variable ?? "").split(separator: ":").map(String.init)
    }
}
