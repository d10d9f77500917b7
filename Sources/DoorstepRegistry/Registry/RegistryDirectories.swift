internal import Glibc

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
        let data = dataHome(environment: environment).map { [$0] } ?? []
        let shared = list(environment["XDG_DATA_DIRS"]).filter { $0.hasPrefix("/") }
        let system = shared.isEmpty ? ["/usr/local/share", "/usr/share"] : shared
        return (data + system).map { $0 + "/doorstep/registry" }
    }

    static func dataHome(environment: [String: String]) -> String? {
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return data }
        if let home = environment["HOME"], home.hasPrefix("/") { return home + "/.local/share" }
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16 * 1024)
        guard getpwuid_r(geteuid(), &entry, &buffer, buffer.count, &found) == 0, found != nil, let home = entry.pw_dir
        else { return nil }
        let path = String(cString: home)
        return path.hasPrefix("/") ? path + "/.local/share" : nil
    }

    private static func list(_ variable: String?) -> [String] {
        (variable ?? "").split(separator: ":").map(String.init)
    }
}
