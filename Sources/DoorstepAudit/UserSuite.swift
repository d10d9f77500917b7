internal import Doorstep
internal import Glibc

/// The suite that one user of the machine would have, and who that is.
public struct UserSuite: Sendable, Hashable {
    /// The user's name.
    public var name: String
    /// The user's ID.
    public var uid: UInt32
    /// The ID of the user's group.
    public var gid: UInt32
    /// Where the suite is: below the user's home directory.
    public var path: String

    /// The users who have a suite: those of the system, or of a passwd file, in the order of that.
    ///
    /// Users that share a home directory are one; whether the suite can be read isn't looked at here.
    ///
    /// - Parameter passwd: A file in the form of `/etc/passwd`, such as an image's; nil for the system's users.
    /// - Returns: nil where the file can't be read.
    public static func all(passwd: String? = nil) -> [UserSuite]? {
        var users: [UserSuite] = []
        var homes: Set<String> = []
        func add(_ entry: UnsafeMutablePointer<passwd_entry>) {
            guard let home = entry.pointee.pw_dir.map({ String(cString: $0) }), home.isAbsolutePath, home != "/",
                let name = entry.pointee.pw_name.map({ String(cString: $0) }), let real = realpath(home, nil)
            else { return }
            defer { free(real) }
            let directory = String(cString: real)
            let path = directory + "/.local/share/doorstep/suite.db"
            guard homes.insert(directory).inserted, mayExist(path) else { return }
            users.append(UserSuite(name: name, uid: entry.pointee.pw_uid, gid: entry.pointee.pw_gid, path: path))
        }
        if let passwd {
            guard let file = fopen(passwd, "re") else { return nil }
            defer { fclose(file) }
            while let entry = fgetpwent(file) { add(entry) }
        } else {
            setpwent()
            defer { endpwent() }
            while let entry = getpwent() { add(entry) }
        }
        return users
    }

    private typealias passwd_entry = Glibc.passwd

    /// Whether something is there, or can't be looked at.
    private static func mayExist(_ path: String) -> Bool {
        var facts = stat()
        return lstat(path, &facts) == 0 || errno != ENOENT && errno != ENOTDIR
    }
}
