package import Glibc

/// Who may change a file or a directory beside its owner.
package enum WriteAccess {
    /// Who else could put something else there, in words with what to do; nil where nobody could.
    package static func fault(_ status: stat) -> String? {
        // In a sticky directory of root's, such as /tmp, nobody can replace what another has put there.
        if status.st_mode & S_IFMT == S_IFDIR, status.st_mode & S_ISVTX != 0, status.st_uid == 0 { return nil }
        if status.st_mode & S_IWOTH != 0 { return "everybody can write to it; chmod o-w takes that away" }
        if status.st_mode & S_IWGRP != 0, !isPrivate(status.st_gid, of: status.st_uid) {
            return "its group can write to it; chmod g-w takes that away"
        }
        return nil
    }

    /// Whether a group is the private one of a user, as Debian and others give each user: of the same name, with nobody
    /// else in it.
    private static func isPrivate(_ group: gid_t, of user: uid_t) -> Bool {
        guard let person = getpwuid(user), person.pointee.pw_gid == group else { return false }
        let name = String(cString: person.pointee.pw_name)
        guard let entry = getgrgid(group), String(cString: entry.pointee.gr_name) == name else { return false }
        guard let members = entry.pointee.gr_mem else { return true }
        var place = members
        while let member = place.pointee {
            if String(cString: member) != name { return false }
            place += 1
        }
        return true
    }
}
