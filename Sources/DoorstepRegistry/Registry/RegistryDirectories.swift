/// Where manifests are looked for; the earlier directory wins.
public enum RegistryDirectories {
    /// The directories that an environment names: `DOORSTEP_REGISTRY_PATH` (a list, which replaces the rest), else
    /// `$XDG_DATA_HOME/doorstep/registry` and `/doorstep/registry` under each of `$XDG_DATA_DIRS`.
    ///
    /// An empty or relative XDG variable counts as unset, as the XDG Base Directory Specification says. Without HOME the
    /// home directory is the one of the passwd entry.
    public static func standard(environment: [String: String]) -> [String] {
        let own = DirectoryLists.listed("DOORSTEP_REGISTRY_PATH", in: environment)
        if !own.isEmpty { return own }
        return DirectoryLists.data("registry", in: environment)
    }
}
