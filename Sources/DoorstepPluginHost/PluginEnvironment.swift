/// What a plugin's description may ask for of its host's environment.
enum PluginEnvironment {
    /// Variables that make a program run or load something else: no description can ask for them.
    private static let forbidden: Set<String> = [
        "PATH", "IFS", "ENV", "BASH_ENV", "SHELLOPTS", "BASHOPTS", "GCONV_PATH", "GLIBC_TUNABLES", "NLSPATH", "LOCPATH",
        "PYTHONSTARTUP", "PYTHONPATH", "PYTHONHOME", "PERL5LIB", "PERL5OPT", "RUBYLIB", "RUBYOPT", "NODE_OPTIONS",
        "NODE_PATH", "JAVA_TOOL_OPTIONS",
    ]

    /// What is wrong with a name in a description, or nil.
    static func fault(inName name: String) -> String? {
        let isName =
            (1...128).contains(name.utf8.count) && name.utf8.first.map { !(48...57).contains($0) } == true
            && name.unicodeScalars.allSatisfy { scalar in
                switch scalar {
                case "a"..."z", "A"..."Z", "0"..."9", "_": true
                default: false
                }
            }
        if !isName { return "\"\(name)\" is not a variable's name; accepted: letters, digits and _" }
        if forbidden.contains(name) || name.hasPrefix("LD_") || name.hasPrefix("MALLOC_") {
            return "\"\(name)\" changes what a program loads or runs, so no plugin gets it"
        }
        return nil
    }
}
