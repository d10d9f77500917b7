public import DoorstepPluginHost
internal import DoorstepSQLite

/// Where plugins that are programs are looked for; the earlier directory wins.
public enum PluginDirectories {
    /// The directories that an environment names: `DOORSTEP_PLUGIN_PATH` (a list, which replaces the rest), else
    /// `$XDG_DATA_HOME/doorstep/plugins`, `/doorstep/plugins` under each of `$XDG_DATA_DIRS`, and
    /// `/usr/libexec/doorstep/plugins`.
    ///
    /// Unset, empty and relative variables count as in ``RegistryDirectories/standard(environment:)``.
    public static func standard(environment: [String: String]) -> [String] {
        let own = list(environment["DOORSTEP_PLUGIN_PATH"])
        if !own.isEmpty { return own }
        let data = DataHome.path { environment[$0] }.map { [$0] } ?? []
        let shared = list(environment["XDG_DATA_DIRS"]).filter { $0.hasPrefix("/") }
        let system = shared.isEmpty ? ["/usr/local/share", "/usr/share"] : shared
        return (data + system).map { $0 + "/doorstep/plugins" } + ["/usr/libexec/doorstep/plugins"]
    }

    private static func list(_ variable: String?) -> [String] {
        (variable ?? "").split(separator: ":").map(String.init)
    }
}

extension ExternalPlugins {
    /// The plugins that an environment names; by default this process's own. Nothing is looked at yet.
    public static func standard(environment: [String: String] = ProcessEnvironment.current) -> ExternalPlugins {
        ExternalPlugins(
            directories: PluginDirectories.standard(environment: environment), environment: environment)
    }
}
