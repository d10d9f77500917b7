internal import CSpawn
internal import Glibc

/// A started plugin: its three streams, and the keeper that ends it and whomever it leaves behind.
struct PluginProcess: ~Copyable {
    /// What every plugin may use at most: a minute of processor time, 2 GiB of data, files of 64 MiB, 256 of them open.
    private static let limits = cspawn_limits(
        processor_seconds: 60, data_bytes: 2 << 30, file_bytes: 64 << 20, open_files: 256)

    private var child: cspawn_child
    private var hasInput = true

    /// Starts the very file behind a descriptor.
    ///
    /// - Throws: ``PluginRefusal`` where the system has no process or descriptor left.
    init(
        _ program: consuming Descriptor, path: String, environment: [String]
    ) throws(PluginRefusal) {
        var start: (UInt8, UInt8) = (0, 0)
        let isScript =
            withUnsafeMutableBytes(of: &start) { pread(program.number, $0.baseAddress, 2, 0) } == 2
            && start == (UInt8(ascii: "#"), UInt8(ascii: "!"))
        var limits = Self.limits
        var child = cspawn_child()
        let code = Self.withArguments([path]) { arguments in
            Self.withArguments(environment) { variables in
                cspawn_start(program.number, isScript ? 1 : 0, arguments, variables, &limits, &child)
            }
        }
        guard code == 0 else {
            throw PluginRefusal(path: path, reason: "it can't be started: \(String(cString: strerror(code)))")
        }
        self.child = child
    }

    var input: Int32 { hasInput ? child.input : -1 }
    var output: Int32 { child.output }
    var log: Int32 { child.log }
    var control: Int32 { child.control }

    /// Ends the plugin's input, which asks it to exit.
    mutating func closeInput() {
        guard hasInput else { return }
        hasInput = false
        close(child.input)
    }

    /// Tells the keeper to send SIGTERM.
    func terminate() { command(CSPAWN_TERMINATE) }

    /// Tells the keeper to end the plugin and everybody it started, now.
    func kill() { command(CSPAWN_KILL) }

    /// How the program ended, once the keeper has said so; nil while it lives.
    func end() -> cspawn_end? {
        var end = cspawn_end()
        let count = withUnsafeMutableBytes(of: &end) { recv(child.control, $0.baseAddress, $0.count, 0) }
        return count == MemoryLayout<cspawn_end>.size ? end : nil
    }

    private func command(_ command: Int32) {
        var byte = UInt8(command)
        // A keeper that is done doesn't listen any more, and needn't.
        _ = send(child.control, &byte, 1, Int32(MSG_NOSIGNAL))
    }

    deinit {
        if hasInput { close(child.input) }
        close(child.output)
        close(child.log)
        // The end of this stream ends everybody who is left; then the keeper goes, too.
        close(child.control)
        withUnsafePointer(to: child) { cspawn_reap($0) }
    }

    private static func withArguments<Result>(
        _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        var pointers: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) }
        pointers.append(nil)
        defer { for pointer in pointers { free(pointer) } }
        return pointers.withUnsafeBufferPointer { buffer in
            // An array with its closing nil is never empty.
            body(buffer.baseAddress.unsafelyUnwrapped)
        }
    }
}

extension cspawn_end {
    /// Why a program that ended so gave no answer.
    var reason: String {
        if error == ENOENT { return "it can't be run: the program that its first line names isn't there" }
        if error != 0 { return "it can't be run: \(String(cString: strerror(error)))" }
        if cspawn_exited(status) != 0 {
            return "it exited with status \(cspawn_code(status)) before it answered"
        }
        return "signal \(cspawn_signal(status)) ended it before it answered"
    }
}
