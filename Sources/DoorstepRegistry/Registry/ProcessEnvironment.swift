internal import Glibc

/// The environment of this process.
public enum ProcessEnvironment {
    /// The variables as they are now; what isn't UTF-8 is repaired.
    public static var current: [String: String] {
        var variables: [String: String] = [:]
        // There is no list at all after clearenv().
        guard var entry = environ as UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? else { return [:] }
        while let text = entry.pointee {
            let pair = String(cString: text)
            // Of a name that stands twice getenv() sees the first.
            if let equals = pair.firstIndex(of: "="), variables[String(pair[..<equals])] == nil {
                variables[String(pair[..<equals])] = String(pair[pair.index(after: equals)...])
            }
            entry += 1
        }
        return variables
    }
}
