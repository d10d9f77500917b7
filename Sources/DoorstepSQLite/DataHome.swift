internal import Glibc

/// The directory for a user's own data by the XDG Base Directory Specification: where the suite and the user's registry are.
package enum DataHome {
    /// `$XDG_DATA_HOME`, else `.local/share` in `$HOME`, else in the home directory of the passwd entry; nil where nothing
    /// names one. A variable that is empty or relative counts as unset.
    ///
    /// - Parameter variable: Looks a variable up.
    package static func path(_ variable: (String) -> String?) -> String? {
        if let data = variable("XDG_DATA_HOME"), isAbsolute(data) { return data }
        if let home = variable("HOME"), isAbsolute(home) { return home + "/.local/share" }
        return homeOfUser().map { $0 + "/.local/share" }
    }

    private static func isAbsolute(_ path: String) -> Bool {
        path.utf8.first == UInt8(ascii: "/")
    }

    private static func homeOfUser() -> String? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16384)
        guard getpwuid_r(geteuid(), &entry, &buffer, buffer.count, &found) == 0, found != nil,
            let home = entry.pw_dir
        else { return nil }
        let path = String(cString: home)
        return isAbsolute(path) ? path : nil
    }
}
