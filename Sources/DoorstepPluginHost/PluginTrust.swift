internal import CSpawn
internal import DoorstepPluginKit
internal import DoorstepSpawn
internal import Glibc

/// Which files a process may run: those that nobody but root and its own user can have put there.
struct PluginTrust {
    /// The user who would run them; root runs root's files only.
    var user: uid_t = geteuid()

    /// The most links on the way to a directory.
    private static let maximumLinks = 40

    /// Opens a directory by its absolute path, after a look at every directory and link on the way.
    ///
    /// The walk goes by descriptors, without following a link that wasn't looked at: nothing can be swapped behind it.
    func openDirectory(_ path: String) throws(PluginRefusal) -> Descriptor {
        guard path.isAbsolutePath else {
            throw PluginRefusal(
                path: path,
                reason: "it is relative; plugin directories, such as those in DOORSTEP_PLUGIN_PATH, are absolute paths")
        }
        var walked = ""
        var current = try root()
        var above: [String] = []
        var parts = Array(path.pathParts.reversed())
        var links = 0
        while let part = parts.popLast() {
            if part == "." { continue }
            if part == ".." {
                // Back to a directory that was looked at before, by the same walk.
                parts += above.dropLast().reversed()
                above = []
                walked = ""
                current = try root()
                continue
            }
            let found = try component(part, of: current.number, path: walked + "/" + part)
            if let target = found.target {
                links += 1
                if links > Self.maximumLinks { throw PluginRefusal(path: path, reason: "too many links lead to it") }
                parts += target.pathParts.reversed()
                if target.isAbsolutePath {
                    above = []
                    walked = ""
                    current = try root()
                }
                continue
            }
            above.append(part)
            walked += "/" + part
            current = found.opened
        }
        // Others may create files in a sticky directory, only not replace ours; here files are looked for by name.
        if let status = current.status(), status.st_mode & (S_IWOTH) != 0 {
            throw PluginRefusal(path: path, reason: "everybody can write to it; chmod o-w takes that away")
        }
        return current
    }

    /// Opens a regular file of a directory by its name, without following a link, and looks at it.
    func openFile(_ name: String, in directory: borrowing Descriptor, path: String) throws(PluginRefusal) -> Descriptor
    {
        let number = cspawn_open_file(directory.number, name)
        guard number >= 0 else {
            let code = errno
            if code == ELOOP {
                throw PluginRefusal(path: path, reason: "it is a symbolic link; put the file itself into the directory")
            }
            throw PluginRefusal(
                path: path, reason: "it can't be read: \(String(cString: strerror(code)))", isAbsent: code == ENOENT)
        }
        let file = Descriptor(number)
        guard let status = file.status(), status.st_mode & S_IFMT == S_IFREG else {
            throw PluginRefusal(path: path, reason: "it is no regular file")
        }
        if let reason = fault(status, of: file) { throw PluginRefusal(path: path, reason: reason) }
        return file
    }

    /// What speaks against running a file that was opened, beyond who could write to it; nil where nothing does.
    func faultInProgram(_ file: borrowing Descriptor) -> String? {
        guard let status = file.status() else { return "it can't be looked at" }
        if status.st_mode & (S_ISUID | S_ISGID) != 0 {
            return "it is set-user-ID or set-group-ID; plugins run with their user's rights alone"
        }
        if cspawn_has_capabilities(file.number) != 0 {
            return "it has file capabilities; plugins run with their user's rights alone (setcap -r takes them away)"
        }
        if status.st_mode & (S_IXUSR | S_IXGRP | S_IXOTH) == 0 {
            return "it is not executable; chmod +x makes it so"
        }
        return nil
    }

    /// One step of a walk: a directory, or a link with its target.
    private struct Component: ~Copyable {
        let opened: Descriptor
        var target: String?
    }

    private func root() throws(PluginRefusal) -> Descriptor {
        let found = try component("/", of: AT_FDCWD, path: "/")
        return found.opened
    }

    private func component(_ name: String, of directory: Int32, path: String) throws(PluginRefusal) -> Component {
        let number = cspawn_open_component(directory, name)
        guard number >= 0 else {
            let code = errno
            throw PluginRefusal(
                path: path, reason: "it can't be looked at: \(String(cString: strerror(code)))",
                isAbsent: code == ENOENT || code == ENOTDIR)
        }
        let opened = Descriptor(number)
        guard let status = opened.status() else { throw PluginRefusal(path: path, reason: "it can't be looked at") }
        switch status.st_mode & S_IFMT {
        case S_IFLNK:
            // A link has no mode; whoever owns it says where it leads.
            if let reason = faultInOwner(status) { throw PluginRefusal(path: path, reason: reason) }
            var buffer = [CChar](repeating: 0, count: 4097)
            let length = cspawn_read_link(opened.number, &buffer, 4096)
            guard length > 0 else { throw PluginRefusal(path: path, reason: "its target can't be read") }
            let target = String(decoding: buffer[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
            return Component(opened: opened, target: target)
        case S_IFDIR:
            if let reason = fault(status, of: opened) { throw PluginRefusal(path: path, reason: reason) }
            return Component(opened: opened)
        default:
            throw PluginRefusal(path: path, reason: "it is no directory", isAbsent: true)
        }
    }

    private func fault(_ status: stat, of file: borrowing Descriptor) -> String? {
        let number = file.number
        return faultInOwner(status) ?? WriteAccess.fault(status, of: "/proc/self/fd/\(number)")
    }

    private func faultInOwner(_ status: stat) -> String? {
        if status.st_uid == 0 || (status.st_uid == user && user != 0) { return nil }
        return user == 0
            ? "it belongs to user \(status.st_uid); root runs root's plugins only"
            : "it belongs to user \(status.st_uid); only root's files and your own are run"
    }
}
