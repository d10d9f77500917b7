internal import DoorstepBus
internal import DoorstepPluginKit

/// Whether a program is installed, and new enough.
struct CommandProbe: PermissionProbe {
    struct Options: Sendable {
        var program: String
        var minimumVersion: VersionNumber?
        var versionArguments: [String]
    }

    /// The arguments that a manifest may have a program run with: enough to ask for a version, and nothing else.
    private static let versionWords = ["--version", "-version", "-V", "-v", "version"]

    let kind = "command"
    let summary = "A program is installed, and new enough"
    let subject = CheckSubject.user
    let optionHelp = [
        PluginOption("program", "path or name", "the program: absolute, or found on PATH"),
        PluginOption("minimumVersion", "numbers and dots", "the oldest version that will do, such as \"2.30\""),
        PluginOption(
            "versionArguments", Self.versionWords.joined(separator: ", "),
            "what makes the program print its version; default --version"),
    ]
    let icon = "utilities-terminal-symbolic"
    let title = LocalizedText([
        LocalizedText.Entry(tag: "en", text: "A Program"),
        LocalizedText.Entry(tag: "de", text: "Ein Programm"),
        LocalizedText.Entry(tag: "ar", text: "برنامج"),
        LocalizedText.Entry(tag: "ja", text: "プログラム"),
    ])

    func options(from reader: JSONReader) -> Options {
        Options(
            program: reader.string("program") { $0.isEmpty ? "this is empty; it must name a program" : nil },
            minimumVersion: reader.optionalString("minimumVersion") {
                VersionNumber($0) == nil ? "this is not a version; accepted: numbers and dots, such as \"2.30\"" : nil
            }.flatMap(VersionNumber.init),
            versionArguments: reader.optionalStrings("versionArguments", count: 0...1) { word in
                Self.versionWords.contains(word)
                    ? nil
                    : "this is no way to ask for a version; accepted are \(Self.versionWords.joined(separator: ", "))"
            } ?? ["--version"])
    }

    func watches(_ options: Options, in context: ProbeContext) -> [Watch] {
        context.places(of: options.program).map(Watch.file)
    }

    func words(for status: AuthorizationStatus, _ options: Options) -> LocalizedText? {
        guard status == .unavailable else { return nil }
        let program = Bidi.isolated(options.program)
        return options.minimumVersion == nil
            ? .sentence(
                en: "The program \(program) isn’t installed.",
                de: "Das Programm \(program) ist nicht installiert.",
                ar: "البرنامج \(program) غير مثبت.",
                ja: "プログラム\(program)がインストールされていません。")
            : .sentence(
                en: "The program \(program) isn’t installed, or is too old.",
                de: "Das Programm \(program) ist nicht installiert oder zu alt.",
                ar: "البرنامج \(program) غير مثبت، أو إصداره قديم.",
                ja: "プログラム\(program)がインストールされていないか、古すぎます。")
    }

    func finding(_ options: Options, in context: ProbeContext) async throws(BusError) -> Finding {
        guard let path = context.program(options.program) else {
            return Finding(.unavailable, "\(options.program) isn't installed")
        }
        guard let minimum = options.minimumVersion else { return .granted(.ungated, "\(path) is installed") }
        let output: String
        do throws(VersionQueryError) {
            output = try VersionQuery.output(
                of: context.machine.path(path), arguments: options.versionArguments,
                environment: context.step.environment, directories: context.programDirectories,
                deadline: context.deadline)
        } catch {
            return Finding(.unknown, "\(path) \(error)")
        }
        guard let version = VersionNumber(firstIn: output) else {
            return Finding(.unknown, "\(path) prints no version")
        }
        return version >= minimum
            ? .granted(.ungated, "\(path) is version \(version)")
            : Finding(.unavailable, "\(path) is version \(version), older than \(minimum)")
    }
}
