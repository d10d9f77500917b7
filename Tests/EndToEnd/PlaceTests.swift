import Foundation
import Testing

@Suite("Where the suite is, and who may use it")
struct PlaceTests {
    private static let app = "com.example.aurora"
    private static let step = "com.example.aurora.tips"

    @Test("reading commands create nothing, and the first answer creates the suite for its owner alone")
    func nothingCreated() throws {
        let user = try TestUser(.aurora())
        try EveryCommand.prepare(user)
        let before = try everything(in: user.home)
        for command in EveryCommand.reading + EveryCommand.reconciling + EveryCommand.suiteless {
            if command.first == "register" { continue }
            try user.doorstep(command)
            #expect(try everything(in: user.home) == before, "\(command)")
        }
        // Nor does taking away what isn't there.
        for command in [["clear", Self.app, Self.step], ["reset", Self.app], ["sign-out", Self.app]] {
            #expect(try user.doorstep(command).status == 0)
            #expect(!user.hasSuite, "\(command)")
        }
        try user.succeed("record", Self.app, Self.step, "true")
        #expect(try mode(of: user.suite) == 0o600)
    }

    @Test("an empty or a relative XDG variable counts as unset", arguments: ["", "relative/data", "."])
    func xdg(value: String) throws {
        let user = try TestUser(.aurora())
        let variables: [String: String?] = ["XDG_DATA_HOME": value, "XDG_DATA_DIRS": value, "DOORSTEP_SUITE": ""]
        let result = try user.doorstep(["record", Self.app, Self.step, "true"], environment: variables)
        #expect(result.status == 0, "\(result.testDescription)")
        #expect(user.hasSuite)
        #expect(try FileManager.default.contentsOfDirectory(atPath: user.directory) == ["home"])
    }

    @Test("the suite is the option's, then DOORSTEP_SUITE's, then the XDG data home's")
    func precedence() throws {
        let user = try TestUser(.aurora())
        let record = ["record", Self.app, Self.step, "true"]
        let variables: [String: String?] = [
            "XDG_DATA_HOME": user.directory + "/xdg", "DOORSTEP_SUITE": "named.db",
            "DOORSTEP_REGISTRY_PATH": user.registry,
        ]
        func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: "\(user.directory)/\(path)") }
        try user.doorstep(record + ["--suite", "option.db"], environment: variables)
        #expect(exists("option.db") && !exists("named.db"))
        try user.doorstep(record, environment: variables)
        #expect(exists("named.db") && !exists("xdg"))
        try user.doorstep(record, environment: variables.merging(["DOORSTEP_SUITE": nil]) { $1 })
        #expect(exists("xdg/doorstep/suite.db"))
        #expect(!user.hasSuite)
    }

    @Test("a manifest that was found by a relative path is the same one from everywhere")
    func relativeRegistry() throws {
        let user = try TestUser(.aurora())
        let (app, step) = ("com.example.aurora", "com.example.aurora.tips")
        let relative = "home/.local/share/doorstep/registry"
        let result = try user.doorstep(
            ["record", app, step, "true"], environment: ["DOORSTEP_REGISTRY_PATH": relative])
        #expect(result.status == 0, "\(result.testDescription)")
        let audit = try user.doorstep("audit", "--app", app, "--json")
        #expect(!audit.output.contains("manifest-changed"), "\(audit.testDescription)")
    }

    @Test("a relative path from a directory that is gone is refused, not taken from elsewhere")
    func noWorkingDirectory() throws {
        let user = try TestUser(.aurora())
        let script = #"mkdir gone && cd gone && rmdir ../gone && exec "$0" "$@""#
        let result = try CommandRunner.run(
            ["/bin/sh", "-c", script, CommandRunner.doorstep, "status", "--suite", "suite.db"],
            environment: user.environment, directory: user.directory)
        #expect(result.status == 74, "\(result.testDescription)")
        #expect(result.errorLines.count == 1 && result.errors.contains("could not find the working directory"))
    }

    @Test("a path that is not UTF-8 is refused, not taken for another one")
    func notText() throws {
        let user = try TestUser(.aurora())
        let script = #"HOME=$PWD/$(printf 'h\377') && export HOME && mkdir "$HOME" && exec "$0" "$@""#
        for command in [
            ["record", Self.app, Self.step, "true"], ["needs", Self.app], ["register", "\(Self.app).json"],
        ] {
            let clean = try TestUser()
            try EveryCommand.prepare(clean)
            let registry = command[0] == "register" ? [:] : ["DOORSTEP_REGISTRY_PATH": user.registry]
            let result = try CommandRunner.run(
                ["/bin/sh", "-c", script, CommandRunner.doorstep] + command,
                environment: clean.variables(registry.mapValues { $0 }), directory: clean.directory)
            #expect(result.status == 74 && result.errors.contains("not UTF-8"), "\(result.testDescription)")
            // The home, the new one, and the three files that were prepared.
            #expect(try FileManager.default.contentsOfDirectory(atPath: clean.directory).count == 5)
        }
    }

    @Test("a suite that others may write is refused", arguments: [0o666, 0o620])
    func writableByOthers(mode: Int) throws {
        let user = try TestUser(.aurora())
        try user.succeed("record", Self.app, Self.step, "true")
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: user.suite)
        for command in EveryCommand.asking.filter({ $0[0] != "run" }) + EveryCommand.writing.prefix(5) {
            let result = try user.doorstep(command)
            let context = Comment(rawValue: "\(command): \(result.testDescription)")
            #expect(result.status == 77, context)
            #expect(result.errors.contains(mode == 0o666 ? "by everybody" : "by its group"), context)
            #expect(result.errors.contains("chmod go-w"), context)
        }
    }

    @Test("a manifest, a registry and a policy that everybody can write to are refused, and hide nothing else")
    func writableManifests() throws {
        let user = try TestUser(.aurora())
        try user.drop(.aurora(app: "com.example.basalt"))
        let manifest = user.registry + "/\(Self.app).json"
        chmod(manifest, 0o666)
        for command in [["needs", Self.app], ["record", Self.app, Self.step, "true"], ["show", Self.app]] {
            let result = try user.doorstep(command)
            #expect(
                result.status == 77 && result.errors.contains("everybody can write to it"), "\(result.testDescription)")
            #expect(result.errors.contains(manifest) && result.errorLines.count == 1)
        }
        #expect(try user.doorstep("needs", "com.example.basalt").status == 0)
        let apps = try user.doorstep("apps", "--names")
        #expect(apps.output == "com.example.basalt\n")
        #expect(try user.doorstep("status").errors.contains("chmod o-w"))
        #expect(try user.doorstep("audit").output.contains("invalid-manifest"))
        // Named by hand it is only a file.
        #expect(try user.doorstep("validate", manifest).status == 0)
        chmod(manifest, 0o644)
        chmod(user.registry, 0o777)
        #expect(try user.doorstep("needs", Self.app).status == 77)
        #expect(try user.doorstep("apps").errors.contains("\"\(user.registry)\" is refused: everybody"))
        if geteuid() == 0 {
            chmod(user.registry, 0o1777)
            #expect(try user.doorstep("needs", Self.app).status == 0)
            chmod(user.registry, 0o755)
            // A group that isn't the owner's own may hold anybody.
            chown(manifest, 0, 65534)
            chmod(manifest, 0o664)
            #expect(try user.doorstep("needs", Self.app).errors.contains("its group can write to it; chmod g-w"))
            chown(manifest, 0, 0)
        }
        // Where a list lets somebody else write, the mode alone doesn't say so.
        chmod(manifest, 0o644)
        for path in [manifest, user.registry] {
            for (rights, status) in [("rwx", Int32(77)), ("r-x", 0)] {
                let changed = try CommandRunner.run(
                    ["/usr/bin/setfacl", "-m", "user:65534:\(rights)", path], environment: [:], directory: "/")
                try #require(changed.status == 0, "setfacl is of the package acl")
                let result = try user.doorstep("needs", Self.app)
                #expect(result.status == status, "\(path) \(rights): \(result.testDescription)")
                #expect(result.errors.contains("its access control list") == (status != 0))
            }
        }
        chmod(manifest, 0o644)
        chmod(user.registry, 0o755)
        let rule = #"{ "format": 1, "rules": [ { "app": "*", "step": "*", "lock": true } ] }"#
        chmod(try user.write(rule, to: "policy.d/1.json"), 0o666)
        let result = try user.doorstep(
            ["value", Self.app, Self.step], environment: ["DOORSTEP_POLICY_PATH": user.directory + "/policy.d"])
        #expect(result.output == "unrecorded\n" && result.errors.contains("1.json"), "\(result.testDescription)")
        chmod(user.directory + "/policy.d/1.json", 0o644)
        chmod(user.directory + "/policy.d", 0o777)
        let open = try user.doorstep(
            ["value", Self.app, Self.step], environment: ["DOORSTEP_POLICY_PATH": user.directory + "/policy.d"])
        #expect(
            open.output == "unrecorded\n" && open.errors.contains("policy.d\" is refused"), "\(open.testDescription)")
    }

    @Test("a directory that others may write is refused")
    func directoryWritableByOthers() throws {
        let user = try TestUser(.aurora())
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o777], ofItemAtPath: user.home + "/.local/share/doorstep")
        let result = try user.doorstep("record", Self.app, Self.step, "true")
        #expect(result.status == 77 && result.errors.contains("its directory"), "\(result.testDescription)")
        #expect(!user.hasSuite)
    }

    @Test("a link to nowhere and a directory in the suite's place are told as what they are")
    func oddFiles() throws {
        let user = try TestUser(.aurora())
        try FileManager.default.createSymbolicLink(atPath: user.suite, withDestinationPath: "/nonexistent/suite.db")
        let link = try user.doorstep("needs", Self.app)
        #expect(link.status == 74 && link.errors.contains("link to a file that isn't there"), "\(link.testDescription)")
        #expect(try user.doorstep("record", Self.app, Self.step, "true").status == 74)
        let directory = try user.doorstep("needs", Self.app, "--suite", user.home)
        #expect(directory.status == 74 && directory.errors.contains("is a directory"), "\(directory.testDescription)")
        for path in ["", user.home + "/", user.home + "/" + String(repeating: "s", count: 500)] {
            let odd = try user.doorstep("needs", Self.app, "--suite", path)
            #expect(odd.status == 74 && odd.errorLines.count == 1, "\(odd.testDescription)")
        }
    }

    @Test("a suite on a file system that is mounted read-only answers", .enabled(if: Unshare.isAllowed))
    func readOnlyMount() throws {
        let user = try TestUser(.aurora())
        let script = """
            mkdir disk && mount -t tmpfs -o size=1m,mode=700 tmpfs disk || exit 99
            export DOORSTEP_SUITE=disk/suite.db
            "$0" record \(Self.app) \(Self.step) true && mount -o remount,ro disk || exit 98
            "$0" value \(Self.app) \(Self.step)
            "$0" needs \(Self.app); echo $?
            "$0" record \(Self.app) \(Self.step) false; echo $?
            umount disk
            """
        let result = try CommandRunner.run(
            ["/usr/bin/unshare", "--mount", "/bin/sh", "-c", script, CommandRunner.doorstep],
            environment: user.environment, directory: user.directory)
        #expect(result.lines == ["recorded \(Self.step): true", "true", "0", "77"], "\(result.testDescription)")
    }

    private func everything(in directory: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: directory).sorted()
    }

    private func mode(of path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func `where no app is registered, the directories are told, and one that a variable names in vain`() throws {
        let user = try TestUser()
        let usual = try user.succeed("apps")
        #expect(
            usual.output.contains("\(user.registry), \(user.directory)/system/doorstep/registry")
                && usual.errors.isEmpty)
        let typo = user.directory + "/typo"
        #expect(try user.doorstep(["audit"], environment: ["DOORSTEP_REGISTRY_PATH": typo]).errors.contains(typo))
        for command in ["apps", "status"] {
            let result = try user.doorstep([command], environment: ["DOORSTEP_REGISTRY_PATH": typo])
            #expect(
                result.status == 0 && result.output.contains("looked for in \(typo), "), "\(result.testDescription)")
            #expect(result.errors == "warning: DOORSTEP_REGISTRY_PATH names \"\(typo)\", which isn't there\n")
        }
    }
}
