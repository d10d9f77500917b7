import DoorstepPluginHost
import DoorstepPluginKit
import DoorstepTestSupport
import DoorstepRegistry
import Foundation
import Testing

/// A plugin directory of a test's own.
final class PluginHouse {
    let directory: String
    private let parent: String

    init(_ name: String = "plugins") throws {
        parent = FileManager.default.temporaryDirectory.path + "/doorstep-plugins-\(UUID().uuidString)"
        directory = parent + "/" + name
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        try #require(chmod(parent, 0o755) == 0)
    }

    deinit { try? FileManager.default.removeItem(atPath: parent) }

    /// Every name in the directory.
    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []).sorted() }

    /// Writes a file.
    @discardableResult
    func write(_ text: String, to name: String, mode: mode_t = 0o644) throws -> String {
        let path = directory + "/" + name
        let isProgram = mode & 0o111 != 0
        let written = isProgram ? directory + "/.\(name.split(separator: "/").last ?? "").text" : path
        try Data(text.utf8).write(to: URL(fileURLWithPath: written))
        if isProgram {
            try #require(TestProgram.install(written, at: path, mode: mode))
            try FileManager.default.removeItem(atPath: written)
        }
        try #require(chmod(path, mode) == 0)
        return path
    }

    /// Installs a plugin: its description, and a program of this text.
    func install(
        _ kind: String, program text: String, timeout: String = "10m", more: String = "", programName: String? = nil
    ) throws {
        let name = programName ?? kind
        try write(
            """
            { "format": 1, "kind": "\(kind)", "summary": "A plugin of a test", "program": "\(name)", "protocol": 1,
              "timeout": "\(timeout)"\(more.isEmpty ? "" : ", " + more) }
            """, to: kind + ".plugin.json")
        if !name.utf8.contains(UInt8(ascii: "/")) && name != ".." { try write(text, to: name, mode: 0o755) }
    }

    /// Installs the plugin that misbehaves.
    func installMisbehaving(timeout: String = "10m", more: String = "") throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/misbehaving")
        try install("misbehaving", program: try String(contentsOf: file, encoding: .utf8), timeout: timeout, more: more)
    }

    func plugins(_ environment: [String: String] = ["HOME": "/"]) -> ExternalPlugins {
        ExternalPlugins(directories: [directory], environment: environment)
    }

    /// A plugin in a few lines of shell that answers every check with this answer's members.
    static func shell(kind: String, answer: String, features: String = "") -> String {
        shell(
            """
            *'"hello":'*) printf '{"id":%s,"hello":{"protocol":1,"kinds":["\(kind)"],"features":["\(features)"]}}\\n' "$id" ;;
            '{"cancel"'*) ;;
            *) printf '{"id":%s,\(answer)}\\n' "$id" ;;
            """)
    }

    /// A plugin in shell: the branches of a `case` over each line that it gets, whose request is `$id`.
    ///
    /// - Parameters:
    ///   - first: What it does with each line before.
    ///   - last: What it does at the end of its input.
    static func shell(_ branches: String, first: String = "", last: String = "") -> String {
        """
        #!/bin/sh
        while read -r line; do
            \(first)
            id=${line#'{"id":'}; id=${id%%[!0-9]*}
            case $line in
            \(branches)
            esac
        done
        \(last)
        """
    }
}

/// One pass over the checks of external plugins, as a reconcile runs it.
struct TestPass {
    var environment: [String: String] = ["HOME": "/"]
    private let scope = PassScope()

    func context(_ step: String = UUID().uuidString) -> StepContext {
        StepContext(
            app: "com.example.test", appName: "Test", step: OnboardingStepConfig(id: OnboardingStepID(step)),
            languages: LanguagePreferences(["de"]), deadline: .now + .seconds(600), environment: environment,
            scope: scope)
    }

    /// Asks all side by side, then ends the pass.
    func run(_ plugin: some StepPlugin, _ options: [JSONObject]) async throws -> [Satisfaction] {
        try await run(options.map { (plugin, $0) })
    }

    func run(_ questions: [(plugin: any StepPlugin, options: JSONObject)]) async throws -> [Satisfaction] {
        let checks = try questions.map { plugin, options in
            StepCheck(plugin: try BoundStep(plugin, options: options, at: .root), context: context())
        }
        let outcomes = await ReconcilePass.run(checks, timeout: .seconds(600))
        await scope.end()
        return outcomes.map(\.satisfaction)
    }

    func end() async { await scope.end() }
}

/// What is left of plugins, by asking the kernel.
enum Leftovers {
    /// The processes whose arguments hold a marker.
    static func processes(marked marker: String) -> [String] {
        entries("/proc").filter { Int($0) != nil }.filter { process in
            let arguments = (try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(process)/cmdline"))) ?? Data()
            return String(decoding: arguments, as: UTF8.self).split(separator: "\0").contains { $0 == marker }
        }
    }

    /// The keepers and plugins among this process's children, zombies included.
    static func children() -> [String] {
        entries("/proc/self/task").flatMap { task in
            let path = "/proc/self/task/\(task)/children"
            return ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: " ").map(String.init)
        }
    }

    /// This process's open descriptors.
    static func descriptors() -> Set<OpenDescriptor> {
        Set(entries("/proc/self/fd").compactMap { Int32($0).flatMap(OpenDescriptor.init) })
    }

    /// How many threads of plugins there are.
    static func threads() -> Int {
        entries("/proc/self/task").filter { task in
            (try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)) == "doorstep-plugin\n"
        }.count
    }

    /// Whether the threads of plugins are gone: each tells of its end a moment before.
    static func threadsEnd() async -> Bool {
        let deadline = ContinuousClock.now + .seconds(10)
        while threads() > 0, .now < deadline { await Task.yield() }
        return threads() == 0
    }

    private static func entries(_ path: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    }
}

/// A descriptor that is open, and the file behind it.
///
/// Told apart by the file itself, not by its name: a test's process inherits descriptors of tests that run beside it, and
/// those remove their files whenever they end.
struct OpenDescriptor: Hashable, CustomStringConvertible {
    private let number: Int32
    private let device: dev_t
    private let file: ino_t

    /// Nil where it has been closed.
    init?(_ number: Int32) {
        var status = stat()
        guard fstat(number, &status) == 0 else { return nil }
        self.number = number
        device = status.st_dev
        file = status.st_ino
    }

    var description: String {
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
        return "\(number) → \(target ?? "closed by now")"
    }
}
