internal import CommandLineKit

/// How long checks may take: a duration above zero, because in no time none could answer.
package struct Timeout: ArgumentValue {
    package let duration: Duration

    package init(_ duration: Duration) {
        self.duration = duration
    }

    package init?(argument: String) {
        guard let duration = Duration(argument: argument), duration > .zero else { return nil }
        self.duration = duration
    }

    package static var expectedArgument: String? { Duration.expectedArgument.map { "\($0), and more than none" } }

    package var argumentText: String { duration.argumentText }
}
