/// Where policy files are looked for, from the weakest directory to the strongest.
public enum PolicyDirectories {
    /// The admin's own directory: always looked at, and always last, so that no variable can take a lock away.
    public static let system = "/etc/doorstep/policy.d"

    /// The directories that an environment names: those of `DOORSTEP_POLICY_PATH`, then `doorstep/policy.d` below each of
    /// `$XDG_CONFIG_DIRS` (else `/etc/xdg`), whose first is the most important, and at last ``system``.
    public static func standard(environment: [String: String]) -> [String] {
        let own = DirectoryLists.listed("DOORSTEP_POLICY_PATH", in: environment)
        let shared = DirectoryLists.shared("XDG_CONFIG_DIRS", else: ["/etc/xdg"], in: environment)
        let config = shared.reversed().map { $0 + "/doorstep/policy.d" }
        return (own + config).filter { $0 != system } + [system]
    }
}
