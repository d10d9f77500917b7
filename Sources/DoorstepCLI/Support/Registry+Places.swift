internal import DoorstepRegistry
internal import Glibc

extension Registry {
    /// Says that there is no app, and where one was looked for.
    func sayNoApps() throws(CommandFailure) {
        try Console.print(
            "no app is registered; manifests are looked for in \(directories.joined(separator: ", ")), and doorstep register "
                + "puts one into the first")
    }
}

extension Workspace {
    /// Names the directories of manifests that a variable of ours lists and that aren't there.
    func warnOfAbsentDirectories() {
        guard environment["DOORSTEP_REGISTRY_PATH"]?.isEmpty == false else { return }
        for directory in registry.directories where access(directory, F_OK) != 0 && errno == ENOENT {
            Console.warn("warning: DOORSTEP_REGISTRY_PATH names \"\(directory)\", which isn't there")
        }
    }
}
