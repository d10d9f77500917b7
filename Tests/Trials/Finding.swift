import Glibc

/// What a trial found that must not be: the reason why the program fails.
struct Finding: Error {
    let text: String

    init(_ text: String) {
        self.text = text
    }
}

/// Prints one line at once.
func say(_ line: String) {
    var bytes = Array((line + "\n").utf8)
    _ = write(1, &bytes, bytes.count)
}

/// How many milliseconds something takes.
func milliseconds(of body: () throws -> Void) rethrows -> Double {
    let clock = ContinuousClock()
    return try clock.measure(body) / .milliseconds(1)
}
