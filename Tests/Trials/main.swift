// Tries what can go wrong with a suite: system calls that fail, processes that are killed, load, and a clock that jumps.
//
//     suite-trials [--seed N] [--place DIRECTORY] [--fixtures DIRECTORY] kills | clock
//     suite-trials … faults [EVERY-NTH-CALL]
//     suite-trials … writers KILLS [SECONDS]
//     suite-trials … load PROCESSES OPERATIONS
//
// Prints a line for each kind of trial. Exits with 1 and a line that begins with "FAILED" at the first finding.

import Glibc

struct Usage: Error {}

func fixtures(in directory: String?) -> [String] {
    guard let directory, let stream = opendir(directory) else { return [] }
    defer { closedir(stream) }
    var paths: [String] = []
    while let entry = readdir(stream) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        if name.hasSuffix(".db") { paths.append("\(directory)/\(name)") }
    }
    return paths.sorted()
}

var arguments = Array(CommandLine.arguments.dropFirst())
var options: [String: String] = [:]
while let first = arguments.first, first.hasPrefix("--") {
    guard arguments.count > 1 else { throw Usage() }
    options[first] = arguments[1]
    arguments.removeFirst(2)
}
@MainActor func number(_ place: Int) throws -> Int {
    guard arguments.count > place, let number = Int(arguments[place]) else { throw Usage() }
    return number
}
let seed = options["--seed"].flatMap { UInt64($0) } ?? .random(in: 0...999_999)
let place = options["--place"] ?? getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
let old = fixtures(in: options["--fixtures"])
do {
    switch arguments.first {
    case "faults":
        let step = arguments.count > 1 ? max(1, try number(1)) : 1
        try FaultTrial.run(fixtures: old, every: step, seed: seed, in: place)
    case "kills": try KillTrial.run(fixtures: old, in: place)
    case "writers":
        let seconds = arguments.count > 2 ? try number(2) : nil
        try WriterTrial.run(
            kills: try number(1), until: seconds.map { .now + .seconds($0) }, seed: seed, fixtures: old, in: place)
    case "load": try LoadTrial.run(processes: try number(1), operations: try number(2), seed: seed, in: place)
    case "clock": try ClockTrial.run(in: place)
    default: throw Usage()
    }
} catch let finding as Finding {
    say("FAILED: \(finding.text)")
    exit(1)
}
