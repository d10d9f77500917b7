internal import Foundation

/// A service that misbehaves as it is told, also while it runs.
package struct FaultyService: Sendable {
    /// How it answers what it doesn't answer well.
    package enum Fault: String, Sendable, CaseIterable {
        /// With something of another type.
        case wrongType
        /// With the right type, and something else inside.
        case wrongContents
        case error
        /// Not at all.
        case silence
        /// By dying, so that the bus says that nobody will answer.
        case death
    }

    private let file: String

    /// Starts a service, hands it to `body` once it owns its name, and ends it whatever happens.
    ///
    /// - Parameters:
    ///   - healthy: What it answers well, as Python: by member (and property, after a space), a tuple of a signature and
    ///     its values, or the name of an error.
    ///   - contents: The answer with something else inside, such a tuple as well.
    ///   - other: Another name to own, for questions that begin at one service and end at another.
    package static func run(
        _ name: String, on bus: PrivateBus, healthy: [String: String] = [:], contents: String = "None",
        alsoOwning other: String? = nil, _ body: (FaultyService) async throws -> Void
    ) async throws {
        let file = bus.directory + "/fault"
        let answers = healthy.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", ")
        let script = """
            import os
            from dbus.lowlevel import ErrorMessage, MethodReturnMessage
            healthy, contents, file = {\(answers)}, \(contents), "\(file)"
            def answer(message, answer):
                if isinstance(answer, str): return ErrorMessage(message, answer, "so it was told")
                reply = MethodReturnMessage(message)
                reply.append(*answer[1:], signature=answer[0])
                return reply
            def misbehave(connection, message):
                if message.get_type() != 1: return 1
                member = str(message.get_member())
                if member == "Get": member += " " + message.get_args_list()[1]
                fault = open(file).read()
                if member in healthy: reply = answer(message, healthy[member])
                elif fault == "wrongType": reply = answer(message, ("(ss)", ("not", "this")))
                elif fault == "wrongContents": reply = answer(message, contents)
                elif fault == "error": reply = answer(message, "org.example.Broken")
                elif fault == "death": os._exit(0)
                else: return 0
                connection.send_message(reply)
                return 0
            dbus.SessionBus().add_message_filter(misbehave)
            others = [dbus.service.BusName(name, dbus.SessionBus()) for name in [\(other.map { "\"\($0)\"" } ?? "")]]
            """
        try await MockService.run(name, on: bus, script: script) { _ in
            try await body(FaultyService(file: file))
        }
    }

    /// Has it misbehave so from now on.
    package func misbehave(_ fault: Fault) throws {
        try fault.rawValue.write(toFile: file, atomically: true, encoding: .utf8)
    }
}
