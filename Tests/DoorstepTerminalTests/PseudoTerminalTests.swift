import Doorstep
import DoorstepTerminal
import Foundation
import Testing

/// Signals and the controlling terminal belong to a process, so what needs them runs in one of its own.
@Suite("On a terminal")
struct PseudoTerminalTests {
    @Test("the answers show, and nothing of the terminal has changed afterwards")
    func echo() async throws {
        let terminal = try PseudoTerminal()
        let before = terminal.modes
        let aurora = try AuroraFlow()
        let typist = Typist(terminal) { terminal in
            terminal.type("\n", after: "Your choice [1]: ")
            terminal.type("Grace\n", after: "Answer: ")
            terminal.type("\u{4}", after: "Answer [30]: ")
        }
        #expect(try await terminal.show(aurora.pager()) == .left)
        #expect(terminal.wait(for: "one is not.\r\n"))
        typist.finish()
        #expect(terminal.shown.contains("Answer: \u{2402}Grace\r\n\r\nAge\r\n"))
        #expect(!terminal.shown.contains("\u{1B}"))
        #expect(terminal.modes == before)
    }

    @Test("Ctrl-C leaves, keeps what was answered and puts the handlers back")
    func interrupt() async {
        await #expect(processExitsWith: .success) {
            let terminal = try PseudoTerminal.controlling()
            signal(SIGINT) { _ in _exit(99) }
            let before = Handler(of: SIGINT)
            let aurora = try AuroraFlow()
            let typist = Typist(terminal) { terminal in
                terminal.type("\n", after: "Your choice [1]: ")
                terminal.type("Gr\u{3}", after: "Answer: ")
            }
            let outcome = try await terminal.show(aurora.pager())
            typist.finish()
            try #require(outcome == .left)
            try #require(Array(aurora.storage.records().keys) == [AuroraFlow.welcome])
            try #require(Handler(of: SIGINT) == before)
        }
    }

    @Test("Ctrl-C while an action runs cancels it and leaves", arguments: [true, false])
    func interruptAction(performs: Bool) async {
        await #expect(processExitsWith: .success) { [performs] in
            let terminal = try PseudoTerminal.controlling()
            let aurora = try AuroraFlow()
            try aurora.flow.record(true, for: AuroraFlow.welcome)
            try aurora.flow.record(true, for: AuroraFlow.profile)
            // Ends only when it is cancelled.
            func wait() async {
                terminal.type("\u{3}", after: "")
                let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
                await withTaskCancellationHandler {
                    for await _ in stream {}
                } onCancel: {
                    continuation.finish()
                }
            }
            let session = PresenterSession(
                perform: { (_, _) async throws(OnboardingStorageError) in
                    await wait()
                    return nil
                }, becameActive: { () async throws(OnboardingStorageError) in await wait() })
            let typist = Typist(terminal) { terminal in
                if performs {
                    terminal.type("\n", after: "Your choice [1]: ")
                } else {
                    terminal.resume(after: "Your choice [1]: ")
                }
            }
            let outcome = try await terminal.show(aurora.pager(), session: session)
            typist.finish()
            try #require(outcome == .left && Task.isCancelled)
            try #require(aurora.flow.value(for: AuroraFlow.notifications) == nil)
        }
    }

    @Test("Ctrl-C stays ignored where whoever started the process ignored it")
    func ignoredInterrupt() async {
        await #expect(processExitsWith: .success) {
            let terminal = try PseudoTerminal.controlling()
            signal(SIGINT, SIG_IGN)
            let aurora = try AuroraFlow()
            let typist = Typist(terminal) { terminal in
                terminal.type("\u{3}\n", after: "Your choice [1]: ")
                terminal.type(":quit\n", after: "Answer: ")
            }
            let outcome = try await terminal.show(aurora.pager())
            typist.finish()
            try #require(outcome == .left)
            try #require(aurora.flow.value(for: AuroraFlow.welcome) == true)
        }
    }

    @Test("coming back from a suspension looks again, and asks again where nothing changed")
    func resume() async {
        await #expect(processExitsWith: .success) {
            let terminal = try PseudoTerminal.controlling()
            let aurora = try AuroraFlow()
            try aurora.flow.record(true, for: AuroraFlow.welcome)
            try aurora.flow.record(true, for: AuroraFlow.profile)
            let pager = try aurora.pager()
            var returns = 0
            let session = PresenterSession(becameActive: { () throws(OnboardingStorageError) in
                returns += 1
                try pager.reconcile(satisfied: returns < 2 ? [:] : [AuroraFlow.notifications: "granted"])
            })
            let typist = Typist(terminal) { terminal in
                terminal.resume(after: "Your choice [1]: ")
                terminal.resume(after: "\r\nYour choice [1]: ")
                terminal.type(":quit\n", after: "Answer [Light]: ")
            }
            let outcome = try await terminal.show(pager, session: session)
            typist.finish()
            try #require(outcome == .left && returns == 2)
            try #require(aurora.flow.value(for: AuroraFlow.notifications) == true)
            try #require(terminal.shown.components(separatedBy: "1 of 3").count == 2)
        }
    }

    @Test("a line that has begun when the process is stopped isn't lost")
    func halfLine() async {
        await #expect(processExitsWith: .success) {
            let terminal = try PseudoTerminal.controlling()
            let aurora = try AuroraFlow()
            try aurora.flow.record(true, for: AuroraFlow.welcome)
            let typist = Typist(terminal) { terminal in
                // Ctrl-D in a line hands over what was typed without ending it.
                terminal.type("Gra\u{4}", after: "Answer: ")
                terminal.resume(after: "Gra")
                terminal.type("ce\n", after: "Answer: ")
                terminal.type("\n", after: "Answer [30]: ")
                terminal.type("\n", after: "Answer: ")
                terminal.type("\n", after: "Your choice [1]: ")
                terminal.type("q\n", after: "Your choice [1]: ")
            }
            let outcome = try await terminal.show(aurora.pager())
            typist.finish()
            try #require(outcome == .left)
            try #require(aurora.storage.inputs()[AuroraFlow.profile]?["name"] == .text("Grace"))
        }
    }

    @Test("a terminal that goes away leaves")
    func hangUp() async throws {
        let terminal = try PseudoTerminal()
        let aurora = try AuroraFlow()
        let typist = Typist(terminal) { terminal in
            if terminal.wait(for: "Your choice [1]: ") { terminal.hangUp() }
        }
        #expect(try await terminal.show(aurora.pager()) == .left)
        typist.finish()
        #expect(try aurora.storage.records().isEmpty)
    }
}

/// What a process does on a signal.
private struct Handler: Equatable {
    private let address: Int
    private let flags: Int32

    init(of signal: Int32) {
        var action = sigaction()
        sigaction(signal, nil, &action)
        address = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        flags = action.sa_flags
    }
}

/// Somebody at the keyboard, on a thread of their own because a showing keeps its thread while it waits.
private final class Typist: Sendable {
    private let isDone = DispatchSemaphore(value: 0)

    init(_ terminal: PseudoTerminal, _ work: @escaping @Sendable (PseudoTerminal) -> Void) {
        Thread.detachNewThread { [isDone] in
            work(terminal)
            isDone.signal()
        }
    }

    func finish() {
        isDone.wait()
    }
}

extension PseudoTerminal {
    fileprivate nonisolated(nonsending) func show(
        _ pager: OnboardingPager, session: PresenterSession = PresenterSession()
    ) async throws(OnboardingStorageError) -> PresenterOutcome {
        let presenter = PlainPresenter(input: user, output: user, columns: 80, languages: pager.languages)
        return try await presenter.run(pager, heading: "Aurora", session: session)
    }

    /// What a process gets on its return from a suspension.
    fileprivate func resume(after prompt: String) {
        guard type("", after: prompt) else { return }
        kill(getpid(), SIGCONT)
    }
}
