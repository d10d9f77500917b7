internal import CSpawn
internal import DoorstepSpawn
internal import Glibc

/// Why a program's version couldn't be asked, as the second half of a sentence.
enum VersionQueryError: Error, Equatable, CustomStringConvertible {
    case notStarted(errno: Int32)
    case late

    var description: String {
        switch self {
        case .notStarted(let errno): "couldn't be started (errno \(errno))"
        case .late: "didn't print its version in time"
        }
    }
}

/// Runs a program for the version that it prints, and leaves nothing of it behind.
struct VersionQuery: ~Copyable {
    /// How much of what a program prints is read.
    private static let limit = 4096
    /// How long the word of how a program ended may follow the end of its output.
    private static let exitPatience = Duration.milliseconds(100)
    /// What a program may use at most. Neither its data nor its files are limited: before they print a word, the runtimes of
    /// some languages take as much as the machine's memory suggests, or stretch a file in memory to terabytes.
    private static let limits = cspawn_limits(
        processor_seconds: 60, data_bytes: 0, file_bytes: 0, open_files: 256)

    private var program: KeptProgram
    private var bytes: [UInt8] = []
    private var (isOutputOpen, isLogOpen) = (true, true)
    private let deadline: ContinuousClock.Instant

    /// What the program prints first, to either output: until its end, a deadline, or 4 KiB of it.
    ///
    /// The program gets no input, and of the environment what a plugin gets of it, with the directories where it was looked
    /// for itself. Whatever it started ends with it, and all of it with this process.
    static func output(
        of path: String, arguments: [String], environment: [String: String], directories: [String],
        deadline: ContinuousClock.Instant
    ) throws(VersionQueryError) -> String {
        let variables = ProgramEnvironment.scrubbed(environment, path: directories.joined(separator: ":"))
        var query: VersionQuery
        do throws(SpawnError) {
            let program = try KeptProgram(
                path: path, arguments: arguments, environment: variables, limits: limits)
            query = VersionQuery(program, until: deadline)
        } catch {
            throw .notStarted(errno: error.code)
        }
        try query.read()
        return String(decoding: query.bytes, as: UTF8.self)
    }

    private init(_ program: consuming KeptProgram, until deadline: ContinuousClock.Instant) {
        self.program = program
        self.deadline = deadline
        self.program.closeInput()
    }

    private mutating func read() throws(VersionQueryError) {
        while bytes.count < Self.limit, isOutputOpen || isLogOpen {
            var watched = [
                pollfd(fd: isOutputOpen ? program.output : -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: isLogOpen ? program.log : -1, events: Int16(POLLIN), revents: 0),
            ]
            let left = milliseconds(until: deadline)
            guard left > 0 else { throw .late }
            guard poll(&watched, nfds_t(watched.count), left) > 0 else { continue }
            if watched[0].revents != 0 { isOutputOpen = take(program.output) }
            if watched[1].revents != 0 { isLogOpen = take(program.log) }
            // A line with a version is enough; whoever keeps the outputs open is not waited for.
            if bytes.contains(UInt8(ascii: "\n")),
                VersionNumber(firstIn: String(decoding: bytes, as: UTF8.self)) != nil
            {
                return
            }
        }
        // What printed nothing may never have been the program.
        if bytes.isEmpty { try requireStart() }
    }

    /// Reads what there is; false at the end.
    private mutating func take(_ descriptor: Int32) -> Bool {
        var chunk = [UInt8](repeating: 0, count: Self.limit)
        let count = Glibc.read(descriptor, &chunk, max(0, Self.limit - bytes.count))
        if count > 0 { bytes += chunk[..<count] }
        return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR)) || bytes.count == Self.limit
    }

    private func requireStart() throws(VersionQueryError) {
        var watched = pollfd(fd: program.control, events: Int16(POLLIN), revents: 0)
        let patience = min(deadline, .now + Self.exitPatience)
        while poll(&watched, 1, milliseconds(until: patience)) < 0, errno == EINTR {}
        if let end = program.end(), end.error != 0 { throw .notStarted(errno: end.error) }
    }

    /// What is left until then, for `poll`; rounded up, so that it doesn't turn for a fraction.
    private func milliseconds(until end: ContinuousClock.Instant) -> Int32 {
        Int32(clamping: Int(max(0, ((end - .now) / .milliseconds(1)).rounded(.up))))
    }
}
