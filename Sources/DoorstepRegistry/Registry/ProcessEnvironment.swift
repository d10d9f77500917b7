internal import Glibc

/// The environment of this process.
public enum ProcessEnvironment {
    /// The variables as they are now; what isn't UTF-8 is repaired.
    public static var current: [String: String] {
        var variables: [String: String] = [:]
        // There is no list at all after clearenv().
        guard var entry = environ as UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? else { return [:] }
        while let text = entry.pointee {
            if let equals = strchr(text, Int32(UInt8(ascii: "="))) {
                let name = String(
                    decoding: UnsafeRawBufferPointer(start: text, count: equals - text), as: UTF8.self)
                // Of a name that stands twice getenv() sees the first.
                if variables[name] == nil { variables[name] = String(cString: equals + 1) }
            }
            entry += 1
        }
        return variables
    }
}
