// A process of its own for the tests of the suite: it does one thing to a suite and prints what came of it.
//
//     suite-writer [--uid ID] [--file-limit BYTES] [--vfs NAME] [--wait] COMMAND SUITE ARGUMENTS…
//
// Each line it prints is one result; a failure is `error CODE SENTENCE`, with exit status 1.

import CSQLite
import Doorstep
import DoorstepSQLite
import Glibc

struct Usage: Error {}

func say(_ line: String) {
    var bytes = Array((line + "\n").utf8)
    _ = write(1, &bytes, bytes.count)
}

/// Waits until the test lets every process go at the same moment: the end of standard input.
func waitForStart() {
    var byte: UInt8 = 0
    while read(0, &byte, 1) > 0 {}
}

/// Prints every statement that any connection of this process runs from now on.
func traceStatements() {
    let install: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, UnsafeRawPointer?) -> Int32 = {
        database, _, _ in
        sqlite3_trace_v2(
            database, UInt32(SQLITE_TRACE_STMT),
            { _, _, statement, _ in
                if let sql = sqlite3_sql(OpaquePointer(statement)) {
                    say("statement \(String(cString: sql).split(separator: "\n").joined(separator: " "))")
                }
                return 0
            }, nil)
    }
    sqlite3_auto_extension(unsafeBitCast(install, to: (@convention(c) () -> Void).self))
}

/// Makes a file system the default on which no memory can be shared between processes, so that no log works.
func refuseSharedMemory() {
    guard let unix = sqlite3_vfs_find("unix") else { return }
    let shim = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    shim.initialize(to: unix.pointee)
    shim.pointee.zName = UnsafePointer(strdup("no-shm"))
    shim.pointee.xOpen = { _, name, file, flags, outFlags in
        guard let unix = sqlite3_vfs_find("unix"), let open = unix.pointee.xOpen else { return SQLITE_CANTOPEN }
        let result = open(unix, name, file, flags, outFlags)
        guard result == SQLITE_OK, let methods = file?.pointee.pMethods else { return result }
        let changed = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        changed.initialize(to: methods.pointee)
        changed.pointee.xShmMap = { _, _, _, _, _ in SQLITE_IOERR | (21 << 8) }
        file?.pointee.pMethods = UnsafePointer(changed)
        return SQLITE_OK
    }
    sqlite3_vfs_register(shim, 1)
}

func record(_ suite: OnboardingSuite, _ arguments: [String], condition: OnboardingChange.Condition) throws {
    guard arguments.count >= 2 else { throw Usage() }
    let step = OnboardingStepID(arguments[1])
    let value = arguments.count < 3 || arguments[2] == "true"
    let committed = try suite.storage(prefix: arguments[0]).commit([
        OnboardingChange(
            step: step, action: .record(value, revision: 1), condition: condition, origin: .user,
            evidence: "\(getpid())")
    ])
    let isOurs = committed[step]?.evidence == "\(getpid())"
    say("\(isOurs ? "won" : "lost") \(committed[step]?.value ?? false)")
}

func run(_ command: String, _ suite: OnboardingSuite, _ arguments: [String]) throws {
    switch command {
    case "record": try record(suite, arguments, condition: .always)
    case "record-if-unanswered": try record(suite, arguments, condition: .unanswered)
    case "record-and-die":
        try record(suite, arguments, condition: .always)
        kill(getpid(), SIGKILL)
    case "read":
        guard let prefix = arguments.first else { throw Usage() }
        let records = try suite.storage(prefix: prefix).records()
        for (step, record) in records.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            say("\(step) \(record.value)")
        }
    case "gate":
        guard let app = arguments.first else { throw Usage() }
        traceStatements()
        let snapshot = try suite.flowSnapshot(app: app)
        say("gate \(snapshot?.registration.steps.count ?? -1) \(snapshot?.records.count ?? -1)")
    default: throw Usage()
    }
}

var arguments = Array(CommandLine.arguments.dropFirst())
var access = OnboardingSuite.Access.readWrite
var waits = false
options: while let first = arguments.first, first.hasPrefix("--") {
    switch first {
    case "--wait":
        waits = true
        arguments.removeFirst()
    case "--read-only":
        access = .readOnly
        arguments.removeFirst()
    case "--uid", "--file-limit", "--vfs":
        guard arguments.count > 1 else { throw Usage() }
        let value = arguments[1]
        if first == "--vfs" {
            refuseSharedMemory()
            sqlite3_vfs_register(sqlite3_vfs_find(value), 1)
        } else if first == "--uid" {
            guard let id = UInt32(value), setgroups(0, nil) == 0, setgid(id) == 0, setuid(id) == 0 else {
                throw Usage()
            }
        } else {
            guard let bytes = UInt(value) else { throw Usage() }
            var limit = rlimit(rlim_cur: bytes, rlim_max: bytes)
            signal(SIGXFSZ, SIG_IGN)
            guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { throw Usage() }
        }
        arguments.removeFirst(2)
    default: throw Usage()
    }
}
guard arguments.count >= 2 else { throw Usage() }
if waits { waitForStart() }
do {
    let suite = try OnboardingSuite.open(at: arguments[1], access: access)
    try run(arguments[0], suite, Array(arguments.dropFirst(2)))
} catch let error as OnboardingStorageError {
    say("error \(error.code.rawValue) \(error.message)")
    exit(1)
}
