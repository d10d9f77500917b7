internal import Doorstep
public import DoorstepJSON
internal import DoorstepPluginKit
internal import DoorstepSQLite

extension Manifest {
    /// The manifest format that this version reads.
    public static let format = 1
    /// The most steps that a flow may have.
    public static let maximumSteps = 10_000

    /// Reads a manifest; the kinds of its steps and their options are the catalogue's business.
    ///
    /// - Parameters:
    ///   - value: The file's content.
    ///   - fileName: The file's name without its directory, which must be `<app>.json`; nil where there is no file.
    /// - Throws: `JSONFaults`, every mistake at once.
    public init(_ value: JSONValue, fileName: String?) throws(JSONFaults) {
        let (manifest, faults) = Self.reading(value, fileName: fileName)
        if !faults.isEmpty { throw JSONFaults(faults) }
        self = manifest
    }

    /// Reads what can be read, so that the mistakes of its steps' options can be told together with the others.
    static func reading(_ value: JSONValue, fileName: String?) -> (manifest: Manifest, faults: [JSONFault]) {
        let reader = JSONReader(value)
        let manifest = read(reader, fileName: fileName)
        return (manifest, reader.finish())
    }

    private static func read(_ reader: JSONReader, fileName: String?) -> Manifest {
        _ = reader.optionalString("$schema")
        _ = readFormat(reader)
        let app = reader.string("app") { app in
            if let fault = AppID.fault(in: app) { return fault }
            guard let fileName, fileName != app + ".json" else { return nil }
            return "the app is \"\(app)\" but the file is \(quoted(fileName)); it must be named \"\(app).json\""
        }
        let manifest = Manifest(
            app: app,
            name: reader.optionalText("name") ?? LocalizedText(app),
            prefix: reader.string("prefix", default: Self.ownPrefix(of: app), check: FlowRegistration.fault(ofPrefix:)),
            commit: reader.choice("commit", of: OnboardingCommitMode.self, default: .eachStep),
            theme: reader.optionalObject("theme").map(readTheme) ?? ManifestTheme(),
            welcome: reader.optionalObject("welcome").map(readWelcome),
            steps: reader.optionalArray("steps", count: 0...maximumSteps, of: readStep) ?? [])
        reportDuplicates(in: manifest, reader)
        return manifest
    }

    private static func readFormat(_ reader: JSONReader) -> Int {
        let found = reader.integer("format")
        if reader.object["format"]?.integer != nil, found != format {
            let advice = found > format ? "it is made for a newer doorstep" : "there is no such format"
            reader.fault("the format \(found) is unknown: \(advice); accepted is \(format)", at: "format")
        }
        return found
    }

    private static func readWelcome(_ reader: JSONReader) -> ManifestStep {
        ManifestStep(
            config: OnboardingStepConfig(id: readID(reader), isSkippable: false), plugin: "welcome",
            texts: readTexts(reader), options: [:], path: reader.path)
    }

    private static func readStep(_ reader: JSONReader) -> ManifestStep {
        ManifestStep(
            config: OnboardingStepConfig(
                id: readID(reader),
                isRequired: reader.bool("required", default: false),
                isSkippable: reader.bool("skippable", default: true),
                revision: reader.integer("revision", in: 1...1_000_000_000, default: 1)),
            plugin: reader.string("plugin") { $0.isEmpty ? "this kind is empty; it must name a plugin" : nil },
            texts: readTexts(reader),
            options: readOptions(reader),
            path: reader.path)
    }

    private static func readID(_ reader: JSONReader) -> OnboardingStepID {
        OnboardingStepID(reader.string("id") { OnboardingStepID($0).fault })
    }

    private static func readOptions(_ reader: JSONReader) -> JSONObject {
        guard let value = reader.optionalValue("options") else { return [:] }
        if let options = value.object { return options }
        reader.fault("this is \(value.typeName); it must be an object", at: "options")
        return [:]
    }

    private static func readTexts(_ reader: JSONReader) -> StepTexts {
        StepTexts(
            title: reader.optionalText("title"),
            headline: reader.optionalText("headline"),
            body: reader.optionalTexts("body"),
            icon: reader.optionalString("icon", check: faultInIcon),
            action: reader.optionalText("action"))
    }

    private static func readTheme(_ reader: JSONReader) -> ManifestTheme {
        ManifestTheme(
            primary: reader.optionalString("primary", check: faultInColour),
            accent: reader.optionalString("accent", check: faultInColour),
            card: reader.optionalString("card", check: faultInColour),
            background: reader.optionalString("background", check: faultInColour),
            font: reader.optionalString("font", check: faultInFont),
            icon: reader.optionalString("icon", check: faultInIcon))
    }

    private static func reportDuplicates(in manifest: Manifest, _ reader: JSONReader) {
        var first: [OnboardingStepID: JSONPath] = [:]
        for step in manifest.allSteps where !step.config.id.rawValue.isEmpty {
            if let earlier = first[step.config.id] {
                let message =
                    "the ID \(quoted(step.config.id.rawValue)) already stands at \(earlier.key("id")); each needs its own"
                reader.add([JSONFault(path: step.path.key("id"), message: message)])
            } else {
                first[step.config.id] = step.path
            }
        }
    }

    private static func faultInColour(_ text: String) -> String? {
        let digits = text.unicodeScalars.dropFirst()
        let isColour =
            text.unicodeScalars.first == "#" && digits.count == 6 && digits.allSatisfy(\.properties.isASCIIHexDigit)
        return isColour ? nil : "\(quoted(text)) is not a colour; accepted is #RRGGBB, such as \"#2B1B5A\""
    }

    private static func faultInFont(_ name: String) -> String? {
        let isName =
            (1...100).contains(name.utf8.count) && name.first != " "
            && name.unicodeScalars.allSatisfy { scalar in
                switch scalar {
                case "a"..."z", "A"..."Z", "0"..."9", " ", "-": true
                default: false
                }
            }
        return isName
            ? nil
            : "\(quoted(name)) is not a font's family; accepted are 1 to 100 letters, digits, spaces and -, "
                + "such as \"Source Serif 4\""
    }

    private static func faultInIcon(_ name: String) -> String? {
        let isName =
            (1...128).contains(name.utf8.count)
            && name.unicodeScalars.allSatisfy { scalar in
                switch scalar {
                case "a"..."z", "A"..."Z", "0"..."9", "_", "-", ".": true
                default: false
                }
            }
        return isName
            ? nil
            : "\(quoted(name)) is not an icon's name; accepted are 1 to 128 letters, digits, _, - and ., "
                + "such as \"weather-clear\""
    }
}
