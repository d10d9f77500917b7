import DoorstepJSON
import DoorstepTestSupport
import Foundation
import Testing

@Suite("Plugins in any language")
struct ExternalPluginTests {
    private static let examples = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Plugins/Examples").path

    private func plugins(of user: TestUser) -> String { user.home + "/.local/share/doorstep/plugins" }

    /// Installs an example; the one in Swift is the program that was built with these tests.
    private func install(_ folder: String, _ kind: String, for user: TestUser) throws {
        let directory = plugins(of: user)
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let built = URL(filePath: CommandRunner.doorstep).deletingLastPathComponent().appending(path: kind).path
        let program = folder.hasPrefix("swift") ? built : "\(Self.examples)/\(folder)/\(kind)"
        for (from, mode) in [(program, 0o755), ("\(Self.examples)/\(folder)/\(kind).plugin.json", 0o644)]
            as [(String, mode_t)]
        {
            let target = "\(directory)/\(URL(filePath: from).lastPathComponent)"
            try #require(TestProgram.install(from, at: target, mode: mode))
        }
    }

    private func family(_ step: JSONObject) -> TestManifest {
        var step = step
        step["id"] = "com.example.outer.step"
        return TestManifest("com.example.outer", steps: [step])
    }

    @Test(
        "every example keeps to the protocol",
        arguments: [("sh-disk-space", "disk-space"), ("python-vpn", "vpn-up"), ("swift-power", "power")])
    func examplesConform(_ folder: String, _ kind: String) throws {
        let user = try TestUser()
        try install(folder, kind, for: user)
        let result = try user.doorstep("plugin", "check", "\(plugins(of: user))/\(kind).plugin.json")
        #expect(result.status == 0, "\(result.testDescription)")
        #expect(result.lines.last == "it keeps to the protocol")
    }

    @Test("disk space in shell is recorded where there is room, and shown where there is none")
    func diskSpace() throws {
        let user = try TestUser()
        try install("sh-disk-space", "disk-space", for: user)
        try user.write(
            family(["plugin": "disk-space", "options": ["megabytes": 1]]).text, to: "com.example.outer.json")
        try user.succeed("register", "com.example.outer.json")
        try user.succeed("reconcile", "com.example.outer")
        #expect(try user.doorstep("value", "com.example.outer", "com.example.outer.step").output == "true\n")
        let probe = try user.json("probe", "disk-space", "--option", "megabytes=900000000")
        #expect(probe["satisfied"] as? Bool == false)
    }

    @Test("a VPN in Python is asked by its interface, its proxy and the reader's language")
    func vpn() throws {
        let user = try TestUser()
        try install("python-vpn", "vpn-up", for: user)
        #expect(try user.json("probe", "vpn-up", "--option", "interface=lo")["satisfied"] as? Bool == true)
        #expect(try user.json("probe", "vpn-up", "--option", "interface=nope0")["satisfied"] as? Bool == false)
        let proxied = try user.doorstep(
            ["probe", "vpn-up", "--json", "--option", "interface=nope0", "--option", "proxy=true"],
            environment: ["https_proxy": "http://ada:secret@127.0.0.1:1"])
        #expect(proxied.output.contains("the proxy 127.0.0.1 doesn't answer"), "\(proxied.testDescription)")
        #expect(!proxied.output.contains("secret"))
    }

    @Test("power in Swift is told from the kernel's own files")
    func power() throws {
        let user = try TestUser()
        try install("swift-power", "power", for: user)
        let supplies = user.directory + "/supplies"
        try user.write("Battery\n", to: supplies + "/BAT0/type")
        try user.write("20\n", to: supplies + "/BAT0/capacity")
        let low = try user.json("probe", "power", "--option", "directory=\(supplies)")
        #expect(low["satisfied"] as? Bool == false)
        #expect(low["evidence"] as? String == "the battery is at 20 %, and 30 % are needed")
        #expect(
            try user.json("probe", "power", "--option", "directory=\(supplies)", "--option", "charge=20")["satisfied"]
                as? Bool == true)
    }

    @Test("options are refused when a manifest is registered: by the schema, and by the plugin itself")
    func refusedOptions() throws {
        let user = try TestUser()
        try install("sh-disk-space", "disk-space", for: user)
        for (options, place) in [
            (["megabytes": "much"], "steps[0].options.megabytes: this is a string"),
            ([:], "steps[0].options.megabytes: this key is missing"),
            (["megabytes": 1, "folder": "/"], "steps[0].options.folder: this key is unknown"),
            (["megabytes": 1, "directory": "tmp"], "steps[0].options.directory: this is relative"),
        ] as [(JSONObject, String)] {
            let manifest = family(["plugin": "disk-space", "options": .object(options)])
            try user.write(manifest.text, to: "com.example.outer.json")
            let result = try user.doorstep("register", "com.example.outer.json")
            #expect(result.status == 65)
            #expect(result.errors.contains(place), "\(result.testDescription)")
        }
    }

    @Test("a probe refuses what its plugin refuses in a manifest, before it checks")
    func refusedProbe() throws {
        let user = try TestUser()
        try install("sh-disk-space", "disk-space", for: user)
        for (option, fault) in [
            ("directory=tmp", "option directory: this is relative; accepted: an absolute path"),
            ("folder=/", "option folder: this key is unknown"),
        ] {
            let result = try user.doorstep("probe", "disk-space", "--option", "megabytes=1", "--option", option)
            #expect(result.status == 65)
            #expect(result.errors.contains(fault), "\(result.testDescription)")
        }
    }

    /// Installs a plugin in shell that takes any options.
    private func install(_ kind: String, program: String, for user: TestUser) throws {
        let directory = plugins(of: user)
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try user.write(
            """
            { "format": 1, "kind": "\(kind)", "summary": "A test", "program": "\(kind)", "protocol": 1, "timeout": "10m" }
            """, to: "\(directory)/\(kind).plugin.json")
        let text = try user.write("#!/bin/sh\n\(program)\n", to: kind + ".text")
        try #require(TestProgram.install(text, at: "\(directory)/\(kind)"))
    }

    @Test("a probe of a plugin that is late or dead can't tell, with the reason, in the time that it has")
    func unansweredProbe() throws {
        let user = try TestUser()
        try install("late", program: "exec sleep 1000", for: user)
        try install("dead", program: "echo oh >&2; exit 3", for: user)
        for (kind, timeout, reason) in [
            ("late", "300ms", "no answer within "), ("late", "1ms", " can't tell: "),
            ("dead", "20s", "it exited with status 3 before it answered; its log ends: oh"),
        ] {
            for options in [[], ["--option", "floor=3"]] {
                let command = ["probe", kind, "--timeout", timeout, "--json"] + options
                let result = try user.doorstep(command)
                #expect(result.status == 0, "\(result.testDescription)")
                let answer = try TestUser.object(result.output)
                #expect(answer["satisfied"] is NSNull && answer["status"] as? String == "unknown")
                let evidence = answer["evidence"] as? String ?? ""
                #expect(evidence.contains(reason) || timeout == "1ms", "\(command): \(evidence)")
                #expect(!evidence.contains(" 5 s") && !evidence.contains("100 ms"), "\(command): \(evidence)")
            }
        }
    }

    @Test("a relative directory of plugins is refused with the variable that names it")
    func relativeDirectory() throws {
        let user = try TestUser()
        try install("late", program: "exec sleep 1000", for: user)
        let result = try user.doorstep(
            ["probe", "late"], environment: ["DOORSTEP_PLUGIN_PATH": "home/.local/share/doorstep/plugins"])
        #expect(
            result.errors.contains("such as those in DOORSTEP_PLUGIN_PATH, are absolute paths"),
            "\(result.testDescription)")
    }

    @Test("what is typed as an option is JSON, or a text where the kind wants one")
    func typedOptions() throws {
        let user = try TestUser()
        try install("sh-disk-space", "disk-space", for: user)
        let version = try user.write("#!/bin/sh\necho 2.30.1\n", to: "tool.text")
        try #require(TestProgram.install(version, at: user.directory + "/tool"))
        for (minimum, isSatisfied) in [("2.30", true), ("2.31", false), ("\"2.4\"", true), ("3", false)] {
            let answer = try user.json(
                "probe", "command", "--option", "program=\(user.directory)/tool", "--option",
                "minimumVersion=\(minimum)")
            #expect(answer["satisfied"] as? Bool == isSatisfied, "\(minimum): \(answer)")
        }
        for (options, fault) in [
            (["megabytes=1", "directory=12"], "option directory: this is relative; accepted: an absolute path"),
            (["megabytes=much"], "option megabytes: this is a string; it must be an integer"),
            (["megabytes=1.5"], "option megabytes: this is a number; it must be an integer"),
        ] {
            let result = try user.doorstep(["probe", "disk-space"] + options.flatMap { ["--option", $0] })
            #expect(result.status == 65 && result.errors.contains(fault), "\(result.testDescription)")
        }
    }

    @Test("a kind that is missing here can't be told, with the way to install it, and its page can be passed")
    func missingKind() throws {
        let user = try TestUser(
            family(["plugin": "disk-space", "required": true, "skippable": false, "options": ["megabytes": 1]]))
        let checks = try user.json("reconcile", "com.example.outer")["checks"] as? [[String: Any]]
        let check = try #require(checks?.first)
        #expect(check["satisfied"] is NSNull)
        #expect(check["status"] as? String == "unknown")
        let evidence = check["evidence"] as? String ?? ""
        #expect(evidence.contains("no plugin of the kind \"disk-space\" is installed"))
        #expect(evidence.contains("put disk-space.plugin.json and its program into \(plugins(of: user))"))
        #expect(try user.doorstep("apps", "--names").output == "com.example.outer\n")
        #expect(try user.doorstep("needs", "com.example.outer").status == 0)
        // Nobody is trapped: the answers file that says nothing of the page moves past it.
        try user.succeed("run", "com.example.outer", "--answers", user.write("{}", to: "answers.json"))
        #expect(try user.doorstep("needs", "com.example.outer").status == 1)
    }

    @Test("a kind that is missing is a mistake of a manifest that is validated")
    func missingKindIsInvalid() throws {
        let user = try TestUser()
        try user.write(family(["plugin": "disk-space"]).text, to: "com.example.outer.json")
        for command in ["validate", "register"] {
            let result = try user.doorstep(command, "com.example.outer.json")
            #expect(result.status == 65)
            #expect(result.errors.contains("no plugin of the kind \"disk-space\" is installed"))
        }
    }

    @Test("a plugin that is refused is named, with the reason, by whatever meets it")
    func refusedPlugin() throws {
        let user = try TestUser(family(["plugin": "disk-space", "options": ["megabytes": 1]]))
        try install("sh-disk-space", "disk-space", for: user)
        #expect(chmod(plugins(of: user) + "/disk-space", 0o777) == 0)
        let reason = "everybody can write to it"
        #expect(try user.doorstep("plugins").errors.contains(reason))
        #expect(try user.doorstep("plugins", "disk-space").status == 66)
        #expect(try user.doorstep("plugins", "disk-space").errors.contains(reason))
        #expect(try user.doorstep("probe", "disk-space").errors.contains(reason))
        #expect(try user.doorstep("reconcile", "com.example.outer").output.contains(reason))
        let problems = try user.json("plugins")["problems"] as? [[String: Any]]
        #expect(problems?.first?["kind"] as? String == "disk-space")
    }

    @Test(
        "what a group with another member could have written is refused, also where it is named for its owner",
        .enabled(if: getuid() == 0 && Unshare.isAllowed, "another list of groups is mounted, which takes root"))
    func sharedGroup() throws {
        let user = try TestUser()
        try install("sh-disk-space", "disk-space", for: user)
        for name in ["disk-space", "disk-space.plugin.json"] {
            try #require(chown(plugins(of: user) + "/" + name, 0, 0) == 0)
            #expect(chmod(plugins(of: user) + "/" + name, 0o775) == 0)
        }
        let many = (1...2000).map { "member\($0)" }.joined(separator: ",")
        for (members, isRefused) in [("", false), ("root", false), ("root,daemon", true), ("root,\(many)", true)] {
            let groups = try user.write("root:x:0:\(members)\n", to: "groups")
            let result = try CommandRunner.run(
                [
                    "/usr/bin/unshare", "--mount", "/bin/sh", "-c",
                    "mount --bind '\(groups)' /etc/group && exec '\(CommandRunner.doorstep)' plugins",
                ], environment: user.variables(["PATH": "/usr/bin:/bin:/usr/sbin:/sbin"]), directory: user.directory)
            #expect(result.status == 0)
            #expect(
                result.errors.contains("its group can write to it") == isRefused
                    && result.output.contains("disk-space") != isRefused, "\(result.testDescription)")
        }
    }

    @Test("the launch gate never looks at plugin directories")
    func gateLooksAway() throws {
        let user = try TestUser(family(["plugin": "disk-space", "options": ["megabytes": 1]]))
        try install("sh-disk-space", "disk-space", for: user)
        let watch = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        try #require(watch >= 0)
        defer { close(watch) }
        let everything = UInt32(IN_OPEN | IN_ACCESS | IN_CLOSE_NOWRITE)
        for path in ["", "/disk-space", "/disk-space.plugin.json"] {
            try #require(inotify_add_watch(watch, plugins(of: user) + path, everything) >= 0)
        }
        var events = [UInt8](repeating: 0, count: 4096)
        #expect(try user.doorstep("needs", "com.example.outer").status == 0)
        #expect(read(watch, &events, events.count) < 0)
        // The watch sees what does look.
        try user.succeed("reconcile", "com.example.outer")
        #expect(read(watch, &events, events.count) > 0)
    }

    @Test("a new plugin works, and passes its own test", arguments: ["sh", "python"])
    func newPlugin(_ language: String) throws {
        let user = try TestUser()
        try user.succeed("plugin", "new", "my-check", "--language", language)
        let path = URL(filePath: CommandRunner.doorstep).deletingLastPathComponent().path + ":/usr/bin:/bin"
        let test = try CommandRunner.run(
            [user.directory + "/my-check/test.sh"], environment: user.variables(["PATH": path]),
            directory: user.directory)
        #expect(test.status == 0, "\(test.testDescription)")
        #expect(test.lines.last == "all good")
        #expect(try user.doorstep("plugin", "new", "my-check").status == 77)
        #expect(try user.doorstep("plugin", "new", "My Check").status == 64)
    }

    @Test("a new plugin in Python answers a question that goes wrong with the reason")
    func newPythonPlugin() throws {
        let user = try TestUser()
        try user.succeed("plugin", "new", "my-check", "--language", "python")
        let program = user.directory + "/my-check/my-check"
        let good = try String(contentsOfFile: program, encoding: .utf8)
        let text = good.replacingOccurrences(of: "os.stat(path)", with: "os.stat(paths)")
        try #require(text != good)
        try Data(text.utf8).write(to: URL(filePath: program + ".text"))
        try #require(TestProgram.install(program + ".text", at: program))
        let result = try user.doorstep("plugin", "check", "my-check")
        #expect(result.status == 65)
        #expect(
            result.output.contains("it answered a check with an error: NameError: name 'paths' is not defined"),
            "\(result.testDescription)")
    }

    @Test("a plugin whose program isn't built yet is told to build it")
    func unbuiltPlugin() throws {
        let user = try TestUser()
        try user.succeed("plugin", "new", "my-check", "--language", "swift")
        let result = try user.doorstep("plugin", "check", "my-check")
        #expect(result.status == 65)
        #expect(
            result.errors.contains(
                "/my-check/my-check\" is refused: the program that its description names isn't there; build it"),
            "\(result.testDescription)")
    }

    @Test("a new plugin in Swift compiles against the kit")
    func newSwiftPlugin() throws {
        let user = try TestUser()
        try user.succeed("plugin", "new", "my-check", "--language", "swift")
        let modules = URL(filePath: CommandRunner.doorstep).deletingLastPathComponent().appending(path: "Modules").path
        let compiled = try CommandRunner.run(
            [
                "/usr/bin/env", "swiftc", "-swift-version", "6", "-typecheck", "-I", modules,
                "my-check/Sources/my-check/main.swift",
            ],
            environment: user.variables(["PATH": ProcessInfo.processInfo.environment["PATH"]]),
            directory: user.directory)
        #expect(compiled.status == 0, "\(compiled.testDescription)")
    }

    @Test("a kind that is built in is refused before a plugin is written, and when one is checked")
    func builtInKind() throws {
        let user = try TestUser()
        func expectRefusal(_ result: CommandResult) {
            #expect(
                result.status == 65 && result.output.isEmpty
                    && result.errors.contains("the kind \"info\" is built in and can't be replaced"),
                "\(result.testDescription)")
        }
        expectRefusal(try user.doorstep("plugin", "new", "info"))
        #expect(!FileManager.default.fileExists(atPath: user.directory + "/info"))
        try user.succeed("plugin", "new", "my-check")
        let folder = user.directory + "/my-check/"
        try FileManager.default.moveItem(
            atPath: folder + "my-check.plugin.json", toPath: folder + "info.plugin.json")
        let description = try String(contentsOfFile: folder + "info.plugin.json", encoding: .utf8)
        try user.write(
            description.replacingOccurrences(of: "\"kind\": \"my-check\"", with: "\"kind\": \"info\""),
            to: folder + "info.plugin.json")
        expectRefusal(try user.doorstep("plugin", "check", "my-check/info.plugin.json"))
    }

    @Test("a plugin that breaks the protocol fails its check, with a reason for each point")
    func failedCheck() throws {
        let user = try TestUser()
        try user.succeed("plugin", "new", "my-check")
        let program = user.directory + "/my-check/my-check"
        let good = try String(contentsOfFile: program, encoding: .utf8)
        for (from, to, reason) in [
            (
                #""kinds":["my-check"]"#, #""kinds":["other"]"#,
                "it serves other, not \"my-check\" as its description says"
            ),
            (#""evidence":"%s is there""#, #""more":"%s""#, "\"evidence\" must be one line of text"),
            ("check() {", "check() {\nsleep 5", "no answer within 1000 ms"),
            (
                "while IFS= read -r line; do", "sleep 1000 &\nwhile IFS= read -r line; do",
                "processes that it had started"
            ),
            ("echo \"not understood: $line\" >&2", "exit 3", "goes on after a line that is no JSON"),
            ("\ndone", "\ndone\nexit 3", "it exited with status 3 at the end of its input"),
        ] {
            let text = good.replacingOccurrences(of: from, with: to)
            try #require(text != good, "\(from)")
            try Data(text.utf8).write(to: URL(filePath: program + ".text"))
            try #require(TestProgram.install(program + ".text", at: program))
            let result = try user.doorstep("plugin", "check", "my-check")
            #expect(result.status == 65)
            #expect(result.output.contains(reason), "\(result.testDescription)")
        }
    }
}
