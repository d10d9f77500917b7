internal import CommandLineKit

/// How long checks may take: a duration above zero, because in no time none could answer.
struct Timeout: ArgumentValue {
    let duration: Duration

    init(_ duration: Duration) {
        self.duration = duration
    }

    init?(argument: String) {
        guard let duration = Duration(argument: argument), duration > .zero else { return nil }
        self.duration = duration
    }

    static var expectedArgument: String? { Duration.expectedArgument.map { "\($0), and more than none" } }

    var argumentText: String { duration.argumentText }
}
