// What an external check costs, start and end included, against a parent in C that spawns the same program for the same
// exchange: both in turn, in one run, so that the machine's mood hits both. Run it with
//
//   swift run -c release plugin-bench
//
// It ends with 1 where the host takes more than twice the parent's time.
import DoorstepPluginHost
import DoorstepPluginKit
import DoorstepRegistry
import Glibc
import PluginBenchSupport

let rounds = 300

/// A description and a program in a directory of their own.
func install(_ kind: String, program: String, in directory: String) {
    let description = """
        {"format":1,"kind":"\(kind)","summary":"A plugin of a benchmark","program":"\(kind)","protocol":1,"timeout":"10s"}
        """
    for (name, text, mode) in [("\(kind).plugin.json", description, 0o644), (kind, program, 0o755)]
        as [(String, String, mode_t)]
    {
        let descriptor = open("\(directory)/\(name)", O_WRONLY | O_CREAT | O_TRUNC, mode)
        _ = write(descriptor, text, text.utf8.count)
        fchmod(descriptor, mode)
        close(descriptor)
    }
}

func contents(of path: String) -> [UInt8] {
    let descriptor = open(path, O_RDONLY)
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while case let count = read(descriptor, &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
    return bytes
}

/// One reconcile pass over one step of a plugin, as an app runs it.
func pass(_ plugin: ExternalPlugin, steps: Int = 1) async -> Bool {
    let scope = PassScope()
    let checks = (0..<steps).compactMap { number -> StepCheck? in
        let context = StepContext(
            app: "com.example.bench", appName: "Bench",
            step: OnboardingStepConfig(id: OnboardingStepID("step\(number)")),
            languages: LanguagePreferences(["en"]), deadline: .now, environment: ["HOME": "/"], scope: scope)
        return (try? BoundStep(plugin, options: [:], at: .root)).map { StepCheck(plugin: $0, context: context) }
    }
    let outcomes = await ReconcilePass.run(checks, timeout: .seconds(20))
    await scope.end()
    return outcomes.allSatisfy { $0.satisfaction.isSatisfied == true }
}

func median(_ durations: [Duration]) -> Double {
    durations.sorted()[durations.count / 2] / .microseconds(1)
}

var template = Array("/tmp/doorstep-bench-XXXXXX".utf8CString)
guard mkdtemp(&template) != nil else { exit(70) }
let directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
let shell = """
    #!/bin/sh
    while read -r line; do
        id=${line#'{"id":'}; id=${id%%[!0-9]*}
        case $line in
        *'"hello":'*) printf '{"id":%s,"hello":{"protocol":1,"kinds":["bench-sh"]}}\\n' "$id" ;;
        *) printf '{"id":%s,"satisfied":true,"evidence":"yes"}\\n' "$id" ;;
        esac
    done

    """
install("bench-sh", program: shell, in: directory)
guard let own = realpath("/proc/self/exe", nil) else { exit(70) }
let path = String(cString: own)
let built = contents(of: String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) + "/plugin-bench-plugin")
install("bench", program: "", in: directory)
let descriptor = open("\(directory)/bench", O_WRONLY)
_ = built.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
close(descriptor)

let lines = """
    {"id":0,"hello":{"protocol":1,"host":"doorstep 0.1.0"}}
    {"id":1,"check":{"kind":"bench","app":"com.example.bench","step":"step0","options":{},"locale":"en","deadline_ms":9999}}

    """
let plugins = ExternalPlugins(directories: [directory], environment: [:])
var isGood = true
print("PLUGIN    C PARENT  DOORSTEP  RATIO  50 CHECKS")
for kind in ["bench", "bench-sh"] {
    guard let plugin = try? plugins.plugin(kind) else { fatalError("the plugin of the benchmark can't be used") }
    var parent: [Duration] = []
    var host: [Duration] = []
    var fifty: [Duration] = []
    for round in 0..<(rounds + 20) {
        let start = ContinuousClock.now
        isGood = plugin_bench_exchange("\(directory)/\(kind)", lines, 2) == 0 && isGood
        let middle = ContinuousClock.now
        isGood = await pass(plugin) && isGood
        let end = ContinuousClock.now
        // The first rounds warm caches and threads.
        if round < 20 { continue }
        parent.append(middle - start)
        host.append(end - middle)
        if round % 10 == 0 {
            isGood = await pass(plugin, steps: 50) && isGood
            fifty.append(ContinuousClock.now - end)
        }
    }
    let ratio = median(host) / median(parent)
    if ratio > 2 { isGood = false }
    func padded(_ text: String) -> String { text + String(repeating: " ", count: max(0, 10 - text.count)) }
    let hundredths = (ratio * 100).rounded() / 100
    print(
        padded(kind) + padded("\(Int(median(parent))) µs") + padded("\(Int(median(host))) µs") + "\(hundredths)   "
            + "\(Int(median(fifty))) µs")
}
for name in ["bench", "bench-sh"] {
    unlink("\(directory)/\(name)")
    unlink("\(directory)/\(name).plugin.json")
}
rmdir(directory)
exit(isGood ? 0 : 1)
