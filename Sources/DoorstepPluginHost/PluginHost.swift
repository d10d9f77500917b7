/// The host as plugins know it.
public enum PluginHost {
    /// What `hello` calls the host.
    public static let name = "doorstep 0.1.0"
}
