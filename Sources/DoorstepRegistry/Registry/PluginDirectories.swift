public import DoorstepPluginHost

/// Where plugins that are programs are looked for; the earlier directory wins.
public enum PluginDirectories {
    /// The directories that an environment names: `DOORSTEP_PLUGIN_PATH` (a list, which replaces the rest), else
    /// `$XDG_DATA_HOME/doorstep/plugins`, `/doorstep/plugins` under each of `$XDG_DATA_DIRS`, and
    /// `/usr/libexec/doorstep/plugins`.
    ///
    /// Unset, empty and relative variables count as in ``RegistryDirectories/standard(environment:)``.
    public static func standard(environment: [String: String]) -> [String] {
        let own = DirectoryLists.listed("DOORSTEP_PLUGIN_PATH", in: environment)
        if !own.isEmpty { return own }
        return DirectoryLists.data("plugins", in: environment) + ["/usr/libexec/doorstep/plugins"]
    }
}

extension ExternalPlugins {
    /// The plugins that an environment names; by default this process's own. Nothing is looked at yet.
    public static func standard(environment: [String: String] = ProcessEnvironment.current) -> ExternalPlugins {
        ExternalPlugins(
            directories: PluginDirectories.standard(environment: environment), environment: environment)
    }
}
