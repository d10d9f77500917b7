import DoorstepTerminal
import Foundation
import Testing

@Suite("The doctor's words")
struct DoctorWordTests {
    private static let app = "com.example.aurora"

    private func user() throws -> TestUser {
        let user = try TestUser(.aurora())
        try user.succeed("record", Self.app, "\(Self.app).tips", "true")
        return user
    }

    @Test("a check's result is a word in the table, and what is wrong and what to do stand below it")
    func words() throws {
        let user = try user()
        chmod(user.suite, 0o644)
        try TestDatabase(user.suite).run("CREATE TABLE stranger (x)")
        let result = try user.doorstep("doctor")
        #expect(result.status == 1)
        let table = result.lines.prefix(10).map { $0.split(separator: " ").prefix(2).map(String.init) }
        #expect(
            table == [
                ["CHECK", "RESULT"], ["file", "ok"], ["header", "ok"], ["integrity", "ok"], ["foreign-keys", "ok"],
                ["schema", "changed"], ["numbering", "ok"], ["permissions", "unsafe"], ["file-system", "ok"],
                ["leftovers", "ok"],
            ])
        #expect(result.lines.prefix(10).allSatisfy { CellWidth.of($0) < 80 })
        #expect(
            result.output.contains(
                "\nschema: stranger is not ours; somebody changed the tables; restore a backup, or --repair into a new file\n"
            ))
        #expect(result.output.contains("\npermissions: others can read it: its mode is 644; chmod 600 \(user.suite)\n"))
    }

    @Test("what can't be looked at isn't missing")
    func hidden() throws {
        let user = try user()
        try FileManager.default.createSymbolicLink(atPath: user.directory + "/loop", withDestinationPath: "loop")
        let result = try user.doorstep("doctor", "--suite", "loop/suite.db")
        #expect(result.status == 1 && result.lines[1].split(separator: " ") == ["file", "unreadable"])
        #expect(!result.output.contains("nothing has been recorded"), "\(result.testDescription)")
    }

    @Test("what can't be read has one word too, and its reason once")
    func unreadable() throws {
        let user = try user()
        try Data("no suite at all, but a text".utf8).write(to: URL(filePath: user.suite))
        let result = try user.doorstep("doctor")
        #expect(result.status == 1)
        #expect(result.lines.contains { $0.hasPrefix("header") && $0.hasSuffix("unreadable") })
        #expect(result.lines.filter { $0.hasPrefix("header: ") }.count == 1)
    }

    @Test("a suite that isn't there yet is no fault, unless somebody named it")
    func unborn() throws {
        let user = try TestUser(.aurora())
        let byItself = try user.doorstep("doctor")
        #expect(byItself.status == 0)
        #expect(byItself.output == "CHECK  RESULT   NOTE\nfile   missing  nothing has been recorded yet\n")
        #expect(!user.hasSuite)
        let named = try user.doorstep("doctor", "--suite", user.directory + "/other.db")
        #expect(named.status == 1)
        #expect(
            named.output.contains("file   missing\n") && named.output.contains("file: \""), "\(named.testDescription)")
        #expect(try user.doorstep(["doctor"], environment: ["DOORSTEP_SUITE": "other.db"]).status == 1)
    }

    @Test("--into without --repair is a mistake in usage")
    func intoAlone() throws {
        let user = try user()
        let result = try user.doorstep("doctor", "--into", "x.db")
        #expect(result.status == 64)
        #expect(result.errors.hasPrefix("error: --into goes with --repair"))
        #expect(!FileManager.default.fileExists(atPath: user.directory + "/x.db"))
    }

    @Test("a repair says how its file is put into use, and that works")
    func putIntoUse() throws {
        let user = try user()
        let result = try user.doorstep("doctor", "--repair")
        let recovered = user.suite + ".recovered"
        #expect(
            result.output.contains(
                "to put it into use, close the apps, move \(user.suite) elsewhere together with its -wal and -shm, if they are "
                    + "there, and rename \(recovered) to \(user.suite)\n"), "\(result.testDescription)")
        for ending in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: user.suite + ending) {
            try FileManager.default.moveItem(
                atPath: user.suite + ending, toPath: user.directory + "/old.db" + ending)
        }
        try FileManager.default.moveItem(atPath: recovered, toPath: user.suite)
        #expect(try user.succeed("value", Self.app, "\(Self.app).tips").output == "true\n")
        #expect(try user.doorstep("doctor").status == 0)
    }

    @Test("an audit of a directory says once what to name")
    func directory() throws {
        let user = try user()
        let result = try user.doorstep("audit", "--suite", ".")
        #expect(result.status == 1)
        #expect(result.output.contains("is a directory; name a file"), "\(result.testDescription)")
        #expect(!result.output.contains("name a suite"))
    }
}
