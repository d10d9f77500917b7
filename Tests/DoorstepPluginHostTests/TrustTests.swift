import CXattr
import DoorstepPluginHost
import DoorstepPluginKit
import Foundation
import Testing

@Suite("What is run, and what is refused")
struct TrustTests {
    private static let answer = #""satisfied":true,"evidence":"ran""#

    private func house(_ name: String = "plugins") throws -> PluginHouse {
        let house = try PluginHouse(name)
        try house.install("trusted", program: PluginHouse.shell(kind: "trusted", answer: Self.answer))
        return house
    }

    private func refusal(_ house: PluginHouse) throws -> PluginRefusal {
        try #require(throws: PluginRefusal.self) { try house.plugins().plugin("trusted") }
    }

    @Test("A plugin of one's own in a directory of one's own is run")
    func trusted() async throws {
        let house = try house()
        #expect(try await TestPass().run(house.plugins().plugin("trusted"), [[:]])[0].evidence == "ran")
    }

    @Test(
        "What everybody could have written is refused: the program, its description, their directory, one above",
        arguments: ["trusted", "trusted.plugin.json", ".", ".."])
    func writable(_ name: String) throws {
        let house = try house()
        let path = house.directory + "/" + name
        #expect(chmod(path, 0o777) == 0)
        let refusal = try refusal(house)
        #expect(refusal.reason.contains("everybody can write to it"), "\(refusal)")
        #expect(chmod(path, 0o755) == 0)
        #expect(throws: Never.self) { try house.plugins().plugin("trusted") }
    }

    @Test("What a group of several could have written is refused", arguments: ["trusted", "trusted.plugin.json", "."])
    func groupWritable(_ name: String) throws {
        let house = try house()
        let path = house.directory + "/" + name
        try #require(chown(path, getuid(), 12) == 0 || getuid() != 0)
        if getuid() != 0 { return }
        #expect(chmod(path, 0o775) == 0)
        #expect(try refusal(house).reason.contains("its group can write to it"))
    }

    @Test("What only one's own private group could have written is run")
    func privateGroup() throws {
        let house = try house()
        // Debian gives each user, also root, a group of the same name with nobody else in it.
        let person = try #require(getpwuid(getuid()))
        for name in ["trusted", "trusted.plugin.json", "."] {
            try #require(chown(house.directory + "/" + name, getuid(), person.pointee.pw_gid) == 0)
            #expect(chmod(house.directory + "/" + name, name.hasSuffix("json") ? 0o664 : 0o775) == 0)
        }
        #expect(throws: Never.self) { try house.plugins().plugin("trusted") }
    }

    @Test(
        "What an access control list lets somebody else write is refused",
        arguments: ["trusted", "trusted.plugin.json", ".", ".."])
    func accessList(_ name: String) throws {
        let house = try house()
        let path = house.directory + "/" + name
        try Self.setfacl("user:65534:rwx", path)
        let refusal = try refusal(house)
        #expect(refusal.reason.contains("its access control list may let others write to it"), "\(refusal)")
        try Self.setfacl("user:65534:r-x", path)
        #expect(throws: Never.self) { try house.plugins().plugin("trusted") }
    }

    @Test("A slash is one whatever stands behind it: the directories beside it are looked at, and links are walked")
    func combinedSlash() throws {
        let house = try house("\u{301}plugins")
        let parent = house.directory + "/.."
        #expect(throws: Never.self) { try house.plugins().plugin("trusted") }
        #expect(chmod(parent, 0o777) == 0)
        #expect(try refusal(house).reason.contains("everybody can write to it"))
        #expect(chmod(parent, 0o755) == 0)
        // The link in the middle leads to a directory that is everybody's.
        try FileManager.default.createDirectory(atPath: parent + "/open/\u{301}real", withIntermediateDirectories: true)
        for name in ["trusted", "trusted.plugin.json"] {
            try FileManager.default.copyItem(
                atPath: house.directory + "/" + name, toPath: parent + "/open/\u{301}real/" + name)
        }
        try FileManager.default.createSymbolicLink(atPath: parent + "/link", withDestinationPath: "open/\u{301}real")
        let linked = ExternalPlugins(directories: [parent + "/link"], environment: [:])
        #expect(throws: Never.self) { try linked.plugin("trusted") }
        #expect(chmod(parent + "/open", 0o777) == 0)
        let refusal = try #require(throws: PluginRefusal.self) { try linked.plugin("trusted") }
        #expect(refusal.reason.contains("everybody can write to it"), "\(refusal)")
    }

    /// Changes an access control list as a person does.
    private static func setfacl(_ entry: String, _ path: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/setfacl")
        process.arguments = ["-m", entry, path]
        process.environment = [:]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "setfacl is of the package acl")
    }

    @Test("A sticky directory of everybody's may stand above the plugins, but not hold them")
    func sticky() throws {
        let house = try house()
        #expect(chmod(house.directory + "/..", 0o1777) == 0)
        #expect(throws: Never.self) { try house.plugins().plugin("trusted") }
        #expect(chmod(house.directory, 0o1777) == 0)
        #expect(try refusal(house).reason.contains("everybody can write to it"))
    }

    @Test("What belongs to somebody else is refused", arguments: ["trusted", "trusted.plugin.json", ".", ".."])
    func foreign(_ name: String) throws {
        let house = try house()
        try #require(getuid() == 0, "this test changes owners, which takes root")
        #expect(chown(house.directory + "/" + name, 65534, 65534) == 0)
        let refusal = try refusal(house)
        #expect(refusal.reason.contains("belongs to user 65534"), "\(refusal)")
        #expect(refusal.reason.contains("root runs root's plugins only"), "\(refusal)")
        #expect(chown(house.directory + "/" + name, 0, 0) == 0)
    }

    @Test("A symbolic link in place of a file is refused", arguments: ["trusted", "trusted.plugin.json"])
    func link(_ name: String) throws {
        let house = try house()
        try FileManager.default.moveItem(atPath: house.directory + "/" + name, toPath: house.directory + "/moved")
        try FileManager.default.createSymbolicLink(
            atPath: house.directory + "/" + name, withDestinationPath: house.directory + "/moved")
        #expect(try refusal(house).reason.contains("symbolic link"))
    }

    @Test("A linked directory is walked to its target, and refused where that is anybody's")
    func linkedDirectory() throws {
        let house = try house("real")
        let link = house.directory + "/../link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "real")
        let linked = ExternalPlugins(directories: [link], environment: [:])
        #expect(throws: Never.self) { try linked.plugin("trusted") }
        #expect(chmod(house.directory, 0o777) == 0)
        #expect(throws: PluginRefusal.self) { try linked.plugin("trusted") }
    }

    @Test("A link through the directory above is walked back, and one that leads to itself has an end")
    func linksUp() throws {
        let house = try house("real")
        let link = house.directory + "/../link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "./real/../real")
        #expect(throws: Never.self) {
            try ExternalPlugins(directories: [link], environment: [:]).plugin("trusted")
        }
        let loop = house.directory + "/../loop"
        try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: "loop")
        let refusal = try #require(throws: PluginRefusal.self) { try InstalledPlugin(kind: "trusted", in: loop) }
        #expect(refusal.reason.contains("too many links lead to it"), "\(refusal)")
    }

    @Test("What is no directory of plugins is refused: a relative one, a file")
    func noDirectory() throws {
        let house = try house()
        let relative = try #require(throws: PluginRefusal.self) { try InstalledPlugin(kind: "trusted", in: "plugins") }
        #expect(relative.reason.contains("it is relative"), "\(relative)")
        let file = try #require(throws: PluginRefusal.self) {
            try InstalledPlugin(kind: "trusted", in: house.directory + "/trusted")
        }
        #expect(file.isAbsent && file.reason.contains("it is no directory"), "\(file)")
    }

    @Test("A description or program that is no file to read is refused, and nobody waits for it")
    func noFile() throws {
        for name in ["trusted", "trusted.plugin.json"] {
            let house = try house()
            #expect(unlink(house.directory + "/" + name) == 0)
            #expect(mkfifo(house.directory + "/" + name, 0o755) == 0)
            #expect(try refusal(house).reason.contains("it is no regular file"))
        }
    }

    @Test("A description that is no JSON, or too long, is refused")
    func unreadable() throws {
        let house = try house()
        try house.write("{ \"format\": ", to: "trusted.plugin.json")
        #expect(try refusal(house).reason.contains("it is not JSON: "))
        try house.write(String(repeating: " ", count: 256 * 1024 + 1), to: "trusted.plugin.json")
        #expect(try refusal(house).reason.contains("it is longer than 262144 bytes"))
    }

    @Test(
        "A program outside the directory is refused, however its slash is written",
        arguments: ["../sh", "/bin/sh", "..", "a/b", "", "../\u{301}out", "/\u{301}out"])
    func outside(_ program: String) throws {
        let house = try PluginHouse()
        try house.install("trusted", program: "", programName: program.isEmpty ? "/" : program)
        #expect(try refusal(house).reason.contains("is not a file's name"))
    }

    @Test("A program that would get more rights than its user is refused")
    func moreRights() throws {
        let house = try house()
        let path = house.directory + "/trusted"
        for mode in [0o4755, 0o2755] as [mode_t] {
            #expect(chmod(path, mode) == 0)
            #expect(try refusal(house).reason.contains("set-user-ID"))
        }
        #expect(chmod(path, 0o644) == 0)
        #expect(try refusal(house).reason.contains("not executable"))
        #expect(chmod(path, 0o755) == 0)
        try #require(getuid() == 0, "this test gives a file capabilities, which takes root")
        // cap_net_raw, permitted and effective, in the format of linux/capability.h, version 2.
        let capability: [UInt8] = [1, 0, 0, 2, 0, 0x20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        try #require(setxattr(path, "security.capability", capability, capability.count, 0) == 0)
        #expect(try refusal(house).reason.contains("capabilities"))
    }

    @Test("A program that was swapped after it was looked at is not run, however good the other is")
    func swapped() async throws {
        let house = try house()
        let plugin = try house.plugins().plugin("trusted")
        let other = PluginHouse.shell(kind: "trusted", answer: #""satisfied":true,"evidence":"swapped""#)
        try house.write(other, to: "other", mode: 0o755)
        #expect(rename(house.directory + "/other", house.directory + "/trusted") == 0)
        let answer = try await TestPass().run(plugin, [[:]])[0]
        #expect(answer.isSatisfied == nil)
        #expect(answer.evidence.contains("it changed after it was looked at"), "\(answer.evidence)")
    }

    @Test("The earlier of two directories with one kind wins, and the later is named")
    func shadowed() throws {
        let first = try house()
        let second = try house()
        let plugins = ExternalPlugins(directories: [first.directory, second.directory], environment: [:])
        #expect(try plugins.plugin("trusted").installed.directory == first.directory)
        let (found, problems) = plugins.all(besides: [])
        #expect(found.map(\.installed.directory) == [first.directory])
        #expect(problems.map(\.kind) == ["trusted"])
        #expect(problems.first?.reason.contains("comes earlier and has the same kind") == true)
    }

    @Test("A built-in kind can't be replaced, which is said")
    func builtIn() throws {
        let house = try house()
        let (found, problems) = house.plugins().all(besides: ["trusted"])
        #expect(found.isEmpty)
        #expect(problems.first?.reason.contains("is built in and can't be replaced") == true)
    }

    @Test("A missing kind is told with the place to put it")
    func missing() throws {
        let house = try PluginHouse()
        let refusal = try refusal(house)
        #expect(refusal.isAbsent)
        #expect(refusal.reason.contains("put trusted.plugin.json and its program into \(house.directory)"))
    }

    @Test(
        "No description gets a plugin the variables that change what programs load",
        arguments: ["LD_PRELOAD", "BASH_ENV"])
    func dangerousVariables(_ name: String) throws {
        let house = try PluginHouse()
        try house.install("trusted", program: "#!/bin/sh", more: "\"environment\": [\"\(name)\"]")
        #expect(try refusal(house).reason.contains("changes what a program loads or runs"))
    }
}
