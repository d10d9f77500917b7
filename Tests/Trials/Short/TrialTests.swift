import Foundation
import Testing

/// The short form of the trials; `scripts/soak` runs the long one.
@Suite("Trials of the suite") struct TrialTests {
    @Test func `Whatever system call fails, an answer is right, or a typed error says that nothing was changed`() throws
    {
        let trial = try Trial.run("faults", "9")
        #expect(trial.lines.count == 21, "\(trial.lines)")
        #expect(try #require(trial.number(before: "moments")) > 1000)
    }

    @Test func `Killed before any of its system calls, a process loses nothing that it has acknowledged`() throws {
        let trial = try Trial.run("kills")
        #expect(trial.lines.count == 21, "\(trial.lines)")
        #expect(try #require(trial.number(before: "moments")) > 1000)
    }

    @Test func `Killed at random moments, writers lose nothing that they have acknowledged`() throws {
        let trial = try Trial.run("writers", "60")
        #expect(try #require(trial.number(before: "killed")) >= 60)
        #expect(try #require(trial.number(before: "acknowledged")) > 0)
    }

    @Test func `Eight processes at once lose no change, and meet no error`() throws {
        let trial = try Trial.run("load", "8", "200")
        #expect(try #require(trial.number(before: "changes")) > 300)
    }

    @Test func `The history keeps its order when the clock jumps`() throws {
        #expect(try Trial.run("clock").lines.count == 1)
    }
}
