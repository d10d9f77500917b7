// Shows that ThreadSanitizer sees what a mutex guards, and what one doesn't: `races guarded` must be clean, `races planted`
// must not be.
import Glibc
import Synchronization

/// What two threads append to, under its lock or beside it.
final class Numbers: @unchecked Sendable {
    private let guarded = Mutex([Int]())
    private var planted: [Int] = []

    func append(guarded isGuarded: Bool) {
        for number in 0..<10_000 {
            if isGuarded {
                guarded.withLock { $0.append(number) }
            } else {
                guarded.withLock { $0 = [number] }
                planted.append(number)
            }
        }
    }
}

/// The race, on two threads.
enum Race {
    static let numbers = Numbers()
    static let isGuarded = CommandLine.arguments.last == "guarded"

    static func run() {
        var threads = [pthread_t](repeating: pthread_t(), count: 2)
        for place in threads.indices {
            pthread_create(
                &threads[place], nil,
                { _ in
                    Race.numbers.append(guarded: Race.isGuarded)
                    return nil
                }, nil)
        }
        for thread in threads { pthread_join(thread, nil) }
    }
}

@main enum Program {
    static func main() { Race.run() }
}
