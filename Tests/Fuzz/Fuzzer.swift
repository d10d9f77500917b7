// What libFuzzer calls with each input. Built and run by scripts/fuzz, which says in DOORSTEP_FUZZ what is fuzzed; the
// inputs to start from are in the directory of that name.
//
// Anything may be refused, but nothing may crash, hang or contradict itself.
import Glibc

private let targets: [String: @Sendable ([UInt8]) -> Void] = [
    "answers": AnswersFuzzer.run, "imports": ImportFuzzer.run, "json": JSONFuzzer.run, "keys": KeyFuzzer.run,
    "manifests": ManifestFuzzer.run, "messages": MessageFuzzer.run, "plists": PropertyListFuzzer.run,
    "policies": PolicyFuzzer.run, "suites": SuiteFuzzer.run,
]

private let target: @Sendable ([UInt8]) -> Void = {
    let name = getenv("DOORSTEP_FUZZ").map { String(cString: $0) } ?? ""
    guard let target = targets[name] else { fatalError("DOORSTEP_FUZZ must be one of \(targets.keys.sorted())") }
    return target
}()

/// Takes one input; the name is libFuzzer's.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
