internal import Doorstep
internal import Glibc

/// Where the suite is: the argument, the environment, the XDG data home, the home directory, in this order.
enum SuiteLocation {
    /// The longest path that SQLite opens, with room for the names of the files beside the suite.
    static let maximumLength = 470

    /// The absolute path of the suite.
    ///
    /// - Parameters:
    ///   - argument: The path that the caller names; a relative one is relative to the working directory.
    ///   - environment: The variables to look at, or nil for the process's own.
    static func resolve(
        _ argument: String?, environment: [String: String]?
    ) throws(OnboardingStorageError) -> String {
        func variable(_ name: String) -> String? {
            let value = environment.map { $0[name] } ?? getenv(name).map { String(cString: $0) }
            return value?.isEmpty == false ? value : nil
        }
        if let argument {
            if argument.isEmpty {
                throw OnboardingStorageError(.invalid, "the suite's path is empty; name a file")
            }
            return try absolute(argument)
        }
        if let named = variable("DOORSTEP_SUITE") { return try absolute(named) }
        if let data = DataHome.path(variable) { return try absolute(data + "/doorstep/suite.db") }
        throw OnboardingStorageError(
            .invalid,
            "there is no place for the suite: neither HOME nor a passwd entry names a home directory; set DOORSTEP_SUITE to a file"
        )
    }

    private static func absolute(_ path: String) throws(OnboardingStorageError) -> String {
        if path.utf8.contains(0) {
            throw OnboardingStorageError(.invalid, "the suite's path holds a NUL byte; name a file without one")
        }
        var full = path
        if path.utf8.first != UInt8(ascii: "/") {
            guard let directory = getcwd(nil, 0) else {
                throw OnboardingStorageError(systemError: errno, "find the working directory", path: path)
            }
            defer { free(directory) }
            full = String(cString: directory) + "/" + path
        }
        if full.utf8.last == UInt8(ascii: "/") {
            throw OnboardingStorageError(.invalid, "suite \"\(full)\" is a directory; name a file")
        }
        if full.utf8.count > maximumLength {
            throw OnboardingStorageError(
                .invalid,
                "the suite's path has \(full.utf8.count) bytes; at most \(maximumLength) are accepted, name a shorter one"
            )
        }
        return full
    }
}
