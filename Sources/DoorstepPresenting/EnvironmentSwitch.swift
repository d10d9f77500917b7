/// Variables that turn something on, such as `ACCESSIBLE` or `DOORSTEP_REDUCED_MOTION`.
package enum EnvironmentSwitch {
    /// Whether a variable is set to anything but nothing, `0`, `false` or `no`.
    package static func isOn(_ name: String, in environment: [String: String]) -> Bool {
        guard let value = environment[name], !value.isEmpty else { return false }
        return !["0", "false", "no"].contains(value.lowercased())
    }
}
