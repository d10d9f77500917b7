// A Doorstep plugin in Swift: does the machine run on mains power, or has its battery enough charge to go on?
import DoorstepPluginKit
import Glibc

struct PowerOptions: Sendable {
    var charge: Int
    var directory: String
}

struct PowerPlugin: StepPlugin {
    let kind = "power"
    let summary = "There is enough power to go on"
    let hasCheck = true

    func options(from reader: JSONReader) -> PowerOptions {
        PowerOptions(
            charge: reader.integer("charge", in: 1...100, default: 30),
            directory: reader.string("directory", default: "/sys/class/power_supply") {
                $0.hasPrefix("/") ? nil : "this is relative; accepted: an absolute path"
            })
    }

    func page(_ options: PowerOptions, in context: StepContext) -> StepPage {
        var page = context.page(
            title: LocalizedText([
                LocalizedText.Entry(tag: "en", text: "Plug in the charger"),
                LocalizedText.Entry(tag: "de", text: "Netzteil anschließen"),
            ]), icon: "battery-caution")
        page.status = context.satisfaction?.evidence
        // Going on must not record power that isn't there, so the page's own action is another look.
        if context.satisfaction?.isSatisfied != true { page.primary = .perform(action: "look", title: .tryAgain) }
        return page
    }

    func satisfaction(_ options: PowerOptions, in context: StepContext) async -> Satisfaction {
        guard let names = names(in: options.directory) else {
            return .cannotTell("\(options.directory) can't be read")
        }
        var charges: [Int] = []
        for name in names {
            let supply = "\(options.directory)/\(name)"
            switch text(of: supply + "/type") {
            case "Mains" where text(of: supply + "/online") == "1": return granted("\(name) gives mains power")
            case "Battery":
                if let charge = text(of: supply + "/capacity").flatMap({ Int($0) }) { charges.append(charge) }
            default: break
            }
        }
        guard let charge = charges.max() else { return granted("this machine has no battery") }
        if charge >= options.charge { return granted("the battery is at \(charge) %") }
        return Satisfaction(
            isSatisfied: false, status: .denied,
            evidence: "the battery is at \(charge) %, and \(options.charge) % are needed")
    }

    private func granted(_ evidence: String) -> Satisfaction {
        Satisfaction(isSatisfied: true, status: .granted(.always), basis: .ungated, evidence: evidence)
    }

    private func names(in directory: String) -> [String]? {
        // A kernel without power supplies has no such directory.
        guard let stream = opendir(directory) else { return errno == ENOENT ? [] : nil }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    /// A file's first line.
    private func text(of path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return String(decoding: bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}

await PluginServer.serve(PowerPlugin())
