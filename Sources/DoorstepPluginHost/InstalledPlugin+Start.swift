internal import CSpawn
internal import DoorstepSpawn
internal import Glibc

extension InstalledPlugin {
    /// What every plugin may use at most: a minute of processor time, 2 GiB of data, files of 64 MiB, 256 of them open.
    private static let limits = cspawn_limits(
        processor_seconds: 60, data_bytes: 2 << 30, file_bytes: 64 << 20, open_files: 256)

    /// What its program sees of its host's environment.
    func variables(of environment: [String: String]) -> [String] {
        ProgramEnvironment.scrubbed(environment, naming: description.environment)
    }

    /// Starts the program, if it is still the one that was looked at.
    ///
    /// - Throws: ``PluginRefusal``.
    func start(_ variables: [String]) throws(PluginRefusal) -> KeptProgram {
        let opened = try openProgram()
        do throws(SpawnError) {
            return try KeptProgram(opened, arguments: [program], environment: variables, limits: Self.limits)
        } catch {
            throw PluginRefusal(path: program, reason: "it can't be started: \(error)")
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
