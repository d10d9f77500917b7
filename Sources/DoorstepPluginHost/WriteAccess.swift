package import Glibc

/// Groups that only one user is in.
package enum PrivateGroup {
    /// Whether a group is the private one of a user, as Debian and others give each user: of the same name, with nobody
    /// else in it.
    package static func isPrivate(_ group: gid_t, of user: uid_t) -> Bool {
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
