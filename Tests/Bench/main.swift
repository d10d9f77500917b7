// Measures Doorstep against plain C, gsettings, sqlite3 and Python in one run, and prints a table; with --json FILE also JSON.
//
//     bench DOORSTEP RAW-PROGRAM [--json FILE] [--quick]

import Doorstep
import DoorstepPluginKit
import DoorstepRegistry
import DoorstepSQLite
import Foundation
import RawSuite

var arguments = Array(CommandLine.arguments.dropFirst())
func option(_ name: String, in arguments: inout [String]) -> String? {
    guard let place = arguments.firstIndex(of: name), place + 1 < arguments.count else { return nil }
    let value = arguments[place + 1]
    arguments.removeSubrange(place...place + 1)
    return value
}
let output = option("--json", in: &arguments)
let isQuick = arguments.contains("--quick")
arguments.removeAll { $0 == "--quick" }
guard arguments.count == 2 else { throw BenchFailure("bench DOORSTEP RAW-PROGRAM [--json FILE] [--quick]") }
let bench = Bench(doorstep: arguments[0], rawProgram: arguments[1], scale: isQuick ? 10 : 1)
let rows = try await bench.rows()
print("| what | side | median | 10 – 90 % | against it |\n| --- | --- | --- | --- | --- |")
for row in rows { for line in row.lines { print(line) } }
print("\n" + Machine.line)
if let output {
    let data = try JSONSerialization.data(
        withJSONObject: ["machine": Machine.line, "rows": rows.map(\.json)], options: [.prettyPrinted, .sortedKeys])
    try data.write(to: URL(filePath: output))
}

/// What was measured on.
enum Machine {
    static var line: String {
        func first(_ key: String, _ file: String) -> String {
            let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
            let line = text.split(separator: "\n").first { $0.hasPrefix(key) } ?? ""
            return line.split(separator: key.contains("=") ? "=" : ":").last?
                .trimmingCharacters(in: CharacterSet(charactersIn: " \"\t")) ?? "unknown"
        }
        var loads = [0.0]
        getloadavg(&loads, 1)
        return "\(first("model name", "/proc/cpuinfo")), \(ProcessInfo.processInfo.processorCount) processors, "
            + "\(first("PRETTY_NAME=", "/etc/os-release")), load \((loads[0] * 100).rounded() / 100)"
    }
}
