import DoorstepJSON
import Foundation
import Testing

@Suite("The report")
struct ReportTests {
    private static let app = "com.example.aurora"
    private static let chromium = "/usr/bin/chromium"
    private static let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Browser/look.py").path

    /// Texts that would act if they were anything but texts.
    private static let hostile = [
        "<script>document.title='owned'</script>", "\"><img src=x onerror=alert(1)>", "</td></table><h1>owned</h1>",
        "<!--", "&lt;b&gt;", "javascript:alert(1)", "\u{202E}desrever",
    ]

    private func user() throws -> TestUser {
        var manifest = TestManifest.aurora()
        for (index, text) in Self.hostile.enumerated() {
            manifest.steps.append(TestManifest.info("com.example.aurora.\(index)\(text)", title: .string(text)))
        }
        let user = try TestUser(manifest)
        let answers = try user.write(
            #"{ "com.example.aurora.profile.name": { "name": "Quirinelda <b>" } }"#, to: "answers.json")
        try user.succeed("run", Self.app, "--answers", answers)
        let database = try TestDatabase(user.suite)
        try database.run(
            """
            INSERT INTO records VALUES ('com.example.<img src=y>.', '<script>1</script>', 1, 1, 'user', 1, '<b>');
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
            INSERT INTO history (at, prefix, app, step, old, new, revision, origin, uid, program)
            SELECT 1700000000000 + i * 7000000, 'com.example.aurora.', 'com.example.aurora', 'com.example.aurora.tips', NULL,
            i % 2, 1, CASE i % 3 WHEN 0 THEN 'user' WHEN 1 THEN 'reconcile' ELSE 'leaving' END, 0, '<i>' FROM n
            """)
        return user
    }

    @Test("it opens in a real browser without an error, readable for everybody, and what others wrote stays text")
    func browser() throws {
        for (program, package) in [(Self.chromium, "chromium"), ("/usr/bin/python3", "python3")] {
            try #require(FileManager.default.isExecutableFile(atPath: program), "install the package \(package)")
        }
        let user = try user()
        try user.succeed("report", "--output", "report.html")
        let html = try String(contentsOfFile: user.directory + "/report.html", encoding: .utf8)
        #expect(!html.contains("Quirinelda"))
        let looked = try CommandRunner.run(
            ["/usr/bin/python3", Self.script, Self.chromium, "report.html", user.directory + "/shot"],
            environment: user.environment, directory: user.directory)
        try #require(looked.status == 0, "\(looked.testDescription)")
        let seen = try TestUser.object(looked.output)
        #expect((seen["errors"] as? [Any])?.isEmpty == true, "\(looked.output)")
        #expect((seen["requests"] as? [String])?.count == 1)
        #expect(seen["active"] as? Int == 0 && seen["title"] as? String == "Onboarding report")
        // Accessibility: a language, landmarks, headings in order, named charts and tables, labels that lead somewhere.
        #expect(seen["lang"] as? String == "en")
        let headings = try #require(seen["headings"] as? [Int])
        #expect(headings.first == 1 && headings.filter { $0 == 1 }.count == 1)
        #expect(zip(headings, headings.dropFirst()).allSatisfy { $1 <= $0 + 1 })
        let roles = try #require(seen["roles"] as? [String: Int])
        #expect(roles["main"] == 1 && roles["banner"] == 1)
        #expect(roles["image"] == seen["charts"] as? Int && roles["table"] == seen["tables"] as? Int)
        #expect((seen["unnamed"] as? [String: Int])?.values.allSatisfy { $0 == 0 } == true)
        #expect(seen["faultyTables"] as? Int == 0)
        #expect((seen["danglingLabels"] as? [Any])?.isEmpty == true && (seen["doubleIDs"] as? [Any])?.isEmpty == true)
        // Contrast as WCAG AA asks, in light and dark; nothing is wider than a narrow window; it prints.
        for scheme in ["light", "dark"] {
            let contrast = try #require(seen[scheme] as? [String: Any])
            #expect(try #require(contrast["worst"] as? Double) >= 4.5, "\(scheme): \(contrast)")
        }
        #expect(try #require(seen["narrowWidth"] as? Int) <= 320)
        #expect(seen["pdf"] as? String == "%PDF-")
        let text = try #require(seen["text"] as? String)
        for part in Self.hostile.dropLast() { #expect(text.contains(part)) }
        #expect(!text.contains("\u{202E}"))
    }

    @Test func `moments that are as far apart as numbers go are counted, and no page stood longer than forever`() throws
    {
        let user = try TestUser(.aurora())
        try user.succeed("record", Self.app, "\(Self.app).tips", "true")
        let columns = "'\(Self.app).', '\(Self.app)', '\(Self.app).tips'"
        try TestDatabase(user.suite).run(
            """
            INSERT INTO history (at, prefix, app, step, old, new, revision, origin, uid, program)
            VALUES (\(Int64.min), \(columns), NULL, 1, 1, 'user', 0, ''), (\(Int64.max), \(columns), 1, 0, 1, 'user', 0, '');
            INSERT INTO page_events (at, prefix, app, step, event, showing)
            VALUES (\(Int64.min), \(columns), 'shown', 'a'), (\(Int64.max), \(columns), 'finished', 'a');
            """)
        let html = try user.succeed("report", "--utc").output
        #expect(html.hasSuffix("</html>\n") && html.contains("e+15 s"))
        // The first and the last span each hold the far answer, and the one of today stands between them.
        let spans = html.split(separator: "Answers by origin</bdi>").last?.split(separator: "</table>").first ?? ""
        #expect(spans.split(separator: "<tr>").count == 5, "\(spans)")
        // Before 1970 a day begins at midnight too.
        try TestDatabase(user.suite).run("DROP TRIGGER history_is_never_changed; UPDATE history SET at = -90000000")
        #expect(try user.succeed("report", "--utc").output.contains("1969-12-30"))
    }

    @Test func `what is written replaces a file, goes through a link, and leaves a pipe and a directory what they are`()
        throws
    {
        let user = try TestUser(.aurora())
        let files = FileManager.default
        try user.write("old", to: "real.html")
        try files.createSymbolicLink(atPath: user.directory + "/link.html", withDestinationPath: "real.html")
        try user.succeed("report", "--output", "link.html")
        #expect(try files.destinationOfSymbolicLink(atPath: user.directory + "/link.html") == "real.html")
        #expect(try String(contentsOfFile: user.directory + "/real.html", encoding: .utf8).hasSuffix("</html>\n"))
        // A pipe's reader gets it.
        try #require(mkfifo(user.directory + "/pipe", 0o600) == 0)
        let reader = try CommandRunner.Running(
            ["/usr/bin/cat", "pipe"], environment: user.environment, directory: user.directory, output: nil)
        try user.succeed("report", "--output", "pipe")
        #expect(try reader.finish().output.hasSuffix("</html>\n"))
        #expect(
            try files.attributesOfItem(atPath: user.directory + "/pipe")[.type] as? FileAttributeType != .typeRegular)
        // The names of a process's own outputs are links too, which may lead to no path.
        let piped = try CommandRunner.run(
            ["/bin/sh", "-c", "\"$0\" report --output /dev/stdout | cat", CommandRunner.doorstep],
            environment: user.environment, directory: user.directory)
        #expect(piped.output.contains("</html>\n"), "\(piped.testDescription)")
        try files.createSymbolicLink(atPath: user.directory + "/dangling.html", withDestinationPath: "nowhere/at.html")
        #expect(
            try user.doorstep("report", "--output", "dangling.html").errors.contains("is a link that leads nowhere"))
        try files.createDirectory(atPath: user.directory + "/folder", withIntermediateDirectories: false)
        let result = try user.doorstep("report", "--output", "folder")
        #expect(result.status == 74 && result.errors.contains("Is a directory"), "\(result.testDescription)")
        #expect(try files.contentsOfDirectory(atPath: user.directory).allSatisfy { !$0.hasSuffix(".tmp") })
    }

    @Test(.enabled(if: geteuid() == 0)) func `a device stays one, and a link that another user made isn't followed`()
        throws
    {
        let user = try TestUser(.aurora())
        let device = user.directory + "/null"
        // The numbers of the null device.
        try #require(mknod(device, S_IFCHR | 0o666, 1 << 8 | 3) == 0)
        _ = try user.doorstep("report", "--output", "null")
        var facts = stat()
        #expect(lstat(device, &facts) == 0 && facts.st_mode & S_IFMT == S_IFCHR)
        try user.write("secret", to: "root.txt")
        try FileManager.default.createSymbolicLink(atPath: user.directory + "/link", withDestinationPath: "root.txt")
        try #require(lchown(user.directory + "/link", 30_000, 30_000) == 0)
        #expect(try user.doorstep("report", "--output", "link").status == 77)
        #expect(try String(contentsOfFile: user.directory + "/root.txt", encoding: .utf8) == "secret")
    }

    @Test("a suite that isn't there or can't be read")
    func absent() throws {
        let user = try TestUser(.aurora())
        #expect(try user.succeed("report").output.contains("unrecorded"))
        #expect(!user.hasSuite)
        try user.write("no database", to: user.suite)
        #expect(try user.doorstep("report").status == 74)
    }
}
