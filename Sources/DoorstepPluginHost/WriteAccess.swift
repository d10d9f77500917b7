internal import CXattr
package import Glibc

/// Who may change a file or a directory beside its owner.
package enum WriteAccess {
    /// Who else could put something else there, in words with what to do; nil where nobody could.
    ///
    /// - Parameters:
    ///   - status: What the file system says of it.
    ///   - path: Where it is; of use is also the name that an open descriptor has below `/proc/self/fd`.
    package static func fault(_ status: stat, of path: @autoclosure () -> String) -> String? {
        // In a sticky directory of root's, such as /tmp, nobody can replace what another has put there.
        if status.st_mode & S_IFMT == S_IFDIR, status.st_mode & S_ISVTX != 0, status.st_uid == 0 { return nil }
        if status.st_mode & S_IWOTH != 0 { return "everybody can write to it; chmod o-w takes that away" }
        if status.st_mode & S_IWGRP == 0 { return nil }
        // Beside an access control list the group's bits are the most that the list may give to anybody, so they say nothing
        // of the group itself.
        if hasAccessList(path()) {
            return "its access control list may let others write to it; setfacl -b takes that away"
        }
        return isPrivate(status.st_gid, of: status.st_uid)
            ? nil : "its group can write to it; chmod g-w takes that away"
    }

    /// Whether a file has a POSIX access control list, or may have one for all that can be found out.
    private static func hasAccessList(_ path: String) -> Bool {
        getxattr(path, "system.posix_acl_access", nil, 0) >= 0 || (errno != ENODATA && errno != ENOTSUP)
    }

    /// Whether a group is the private one of a user, as Debian and others give each user: of the same name, with nobody
    /// else in it.
    private static func isPrivate(_ group: gid_t, of user: uid_t) -> Bool {
        let owner = entry(passwd(), { getpwuid_r(user, $0, $1, $2, $3) }) { person in
            person.pw_gid == group ? String(cString: person.pw_name) : nil
        }
        guard let owner else { return false }
        let isPrivate = entry(Glibc.group(), { getgrgid_r(group, $0, $1, $2, $3) }) { entry -> Bool in
            guard String(cString: entry.gr_name) == owner else { return false }
            var place = entry.gr_mem
            while let member = place?.pointee {
                if String(cString: member) != owner { return false }
                place = place?.successor()
            }
            return true
        }
        return isPrivate ?? false
    }

    /// What is made of an entry of the system's databases of users and groups; nil where there is none.
    ///
    /// - Parameter look: Looks it up as `getpwuid_r` does, which, unlike `getpwuid`, other threads may do meanwhile.
    private static func entry<Entry, Result>(
        _ empty: Entry,
        _ look: (
            UnsafeMutablePointer<Entry>, UnsafeMutablePointer<CChar>, Int,
            UnsafeMutablePointer<UnsafeMutablePointer<Entry>?>
        ) -> Int32,
        _ read: (Entry) -> Result?
    ) -> Result? {
        var size = 4096
        // A group may have many members, but not more than fit into this.
        while size <= 16 << 20 {
            var (entry, found) = (empty, UnsafeMutablePointer<Entry>?.none)
            var buffer = [CChar](repeating: 0, count: size)
            let result = buffer.withUnsafeMutableBufferPointer { texts -> (code: Int32, value: Result?) in
                // The entry's texts stand in the buffer.
                let code = look(&entry, texts.baseAddress.unsafelyUnwrapped, texts.count, &found)
                return (code, code == 0 && found != nil ? read(entry) : nil)
            }
            if result.code != ERANGE && result.code != EINTR { return result.value }
            if result.code == ERANGE { size *= 4 }
        }
        return nil
    }
}
