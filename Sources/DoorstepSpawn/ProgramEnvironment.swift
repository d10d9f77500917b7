/// What a program that isn't trusted with anything sees of its host's environment.
package enum ProgramEnvironment {
    /// The variables that each of them sees where the host has them.
    private static let common = [
        "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "TZ",
    ]
    /// Where they look for programs; the host's own PATH may hold directories that others can write to.
    package static let path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

    /// The environment of a program, from its host's, as `NAME=value` texts.
    ///
    /// - Parameters:
    ///   - environment: The host's.
    ///   - names: The variables that it sees beside those that each does.
    ///   - path: Where it looks for programs.
    package static func scrubbed(
        _ environment: [String: String], naming names: [String] = [], path: String = path
    ) -> [String] {
        var variables = ["PATH=\(path)"]
        for name in Set(common + names).sorted() {
            if let value = environment[name], !value.utf8.contains(0) { variables.append("\(name)=\(value)") }
        }
        return variables
    }
}
