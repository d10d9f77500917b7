import CFaults
import Glibc

/// A process that does one thing, and the lines that it has written.
struct Child {
    let id: Int32
    private let end: Int32

    /// Starts a process that runs the body; its lines go to `tell`.
    init(_ body: (_ tell: (String) -> Void) throws -> Void) throws(Finding) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Finding("no pipe can be made") }
        id = fault_fork()
        if id == 0 {
            close(ends[0])
            func tell(_ line: String) {
                // A line is shorter than what a pipe takes whole: what a killed process has told is never half a line.
                var bytes = Array((line + "\n").utf8)
                _ = write(ends[1], &bytes, bytes.count)
            }
            do {
                try body(tell)
            } catch {
                tell("failed \((error as? Finding)?.text ?? "\(error)")")
            }
            fault_exit(0)
        }
        close(ends[1])
        end = ends[0]
    }

    func kill() {
        Glibc.kill(id, SIGKILL)
    }

    /// Waits for the end; the lines, and the signal that ended it or 0.
    func finish() throws(Finding) -> (lines: [[String]], signal: Int32) {
        var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 65536))
        while true {
            let count = read(end, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { break }
            bytes += buffer[..<count]
        }
        close(end)
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        if let failed = lines.first(where: { $0.hasPrefix("failed ") }) { throw Finding(String(failed)) }
        return (lines.map { $0.split(separator: " ").map(String.init) }, status & 0x7f)
    }
}
