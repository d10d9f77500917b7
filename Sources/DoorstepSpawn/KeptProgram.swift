package import CSpawn
internal import Glibc

/// A program that was started and isn't trusted with anything: its three streams, and the keeper that ends it and whomever it
/// leaves behind, also when this process dies.
package struct KeptProgram: ~Copyable {
    private var child: cspawn_child
    private var hasInput = true

    /// Starts the very file behind a descriptor.
    ///
    /// - Parameters:
    ///   - program: The file.
    ///   - arguments: What the program gets as arguments, from the name that it is called by.
    ///   - environment: `NAME=value` texts.
    ///   - limits: What it may use at most.
    /// - Throws: ``SpawnError`` where the system has no process or descriptor left. That the file can't be run is its
    ///   ``end()``.
    package init(
        _ program: consuming Descriptor, arguments: [String], environment: [String], limits: cspawn_limits
    ) throws(SpawnError) {
        var start: (UInt8, UInt8) = (0, 0)
        let isScript =
            withUnsafeMutableBytes(of: &start) { pread(program.number, $0.baseAddress, 2, 0) } == 2
            && start == (UInt8(ascii: "#"), UInt8(ascii: "!"))
        child = try Self.start(
            program.number, isScript: isScript, arguments: arguments, environment: environment, limits: limits)
    }

    /// Starts the program of an absolute path, which a script finds as its own name.
    ///
    /// - Throws: As ``init(_:arguments:environment:limits:)``.
    package init(
        path: String, arguments: [String], environment: [String], limits: cspawn_limits
    ) throws(SpawnError) {
        child = try Self.start(
            CSPAWN_BY_PATH, isScript: false, arguments: [path] + arguments, environment: environment, limits: limits)
    }

    private static func start(
        _ program: Int32, isScript: Bool, arguments: [String], environment: [String], limits: cspawn_limits
    ) throws(SpawnError) -> cspawn_child {
        var limits = limits
        var child = cspawn_child()
        let code = withArguments(arguments) { arguments in
            withArguments(environment) { variables in
                cspawn_start(program, isScript ? 1 : 0, arguments, variables, &limits, &child)
            }
        }
        guard code == 0 else { throw SpawnError(code: code) }
        return child
    }

    /// Writes to its standard input; -1 after that was closed.
    package var input: Int32 { hasInput ? child.input : -1 }
    /// Reads its standard output.
    package var output: Int32 { child.output }
    /// Reads its standard error.
    package var log: Int32 { child.log }
    /// Can be read once the keeper has something to say: how the program ended.
    package var control: Int32 { child.control }

    /// Ends the program's input, which asks a plugin to exit.
    package mutating func closeInput() {
        guard hasInput else { return }
        hasInput = false
        close(child.input)
    }

    /// Tells the keeper to send SIGTERM.
    package func terminate() { command(CSPAWN_TERMINATE) }

    /// Tells the keeper to end the program and everybody it started, now.
    package func kill() { command(CSPAWN_KILL) }

    /// How the program ended, once the keeper has said so; nil while it lives.
    package func end() -> cspawn_end? {
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
