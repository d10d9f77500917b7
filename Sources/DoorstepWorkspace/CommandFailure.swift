package import CommandLineKit
package import Doorstep
internal import DoorstepJSON
package import DoorstepRegistry

/// Why a command ended without doing its work: what to say, and with which status to end.
package struct CommandFailure: Error {
    /// What to say: sentences of what, where and what to do, one a line.
    package let message: String
    /// The status to end with.
    package let status: ExitStatus

    package init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    package init(_ error: OnboardingStorageError) {
        let status: ExitStatus =
            switch error.code {
            case .damaged, .newer, .foreign, .full, .io: .storage
            case .busy: .busy
            case .notPermitted: .notPermitted
            case .invalid: .invalid
            }
        self.init(status, error.message)
    }

    package init(_ error: RegistryError) {
        switch error {
        case .storage(let error): self.init(error)
        case .unknownApp: self.init(.absent, error.description)
        case .unreadable(_, _, let cause):
            let status: ExitStatus =
                switch cause {
                case .absent: .absent
                case .notPermitted: .notPermitted
                case .unsuitable: .invalid
                case .failed: .storage
                }
            self.init(status, error.description)
        case .invalid: self.init(.invalid, error.description)
        case .alreadyRegistered, .notOurs, .untrusted: self.init(.notPermitted, error.description)
        case .unwritable(_, _, let isPermission):
            self.init(isPermission ? .notPermitted : .storage, error.description)
        }
    }

    /// The failure behind any error that a command threw.
    package init(any error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as OnboardingStorageError: self.init(error)
        case let error as RegistryError: self.init(error)
        default: self.init(.fault, "this is a fault in doorstep itself, please report it: \(error)")
        }
    }

    /// What is printed: `error: ` and the sentence, for each line.
    package var text: String {
        message.split(separator: "\n").map { "error: \($0)" }.joined(separator: "\n")
    }
}
