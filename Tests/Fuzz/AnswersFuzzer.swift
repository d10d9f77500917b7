import Dispatch
import Doorstep
import DoorstepJSON
import DoorstepRegistry
import DoorstepSQLite

/// Answers files: what is accepted is written whole, what isn't changes nothing.
enum AnswersFuzzer {
    static func run(_ bytes: [UInt8]) {
        guard let value = try? JSONValue(parsing: bytes) else { return }
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            await answer(value)
            done.signal()
        }
        done.wait()
    }

    private static func answer(_ value: JSONValue) async {
        do {
            let suite = try OnboardingSuite.open(at: FuzzPlace.suite)
            let file = try AnswersFile(value)
            let showing = try await PreparedShowing(
                FuzzPlace.app, in: suite, reconciler: Reconciler(environment: [:], timeout: .seconds(5)))
            do throws(AnswersError) {
                try await file.answer(showing)
            } catch {
                let records = try suite.storage(for: FuzzPlace.app.registration).records()
                precondition(records.isEmpty, "answers that were refused were written")
                return
            }
            let flow = try FuzzPlace.app.flow(in: suite)
            precondition(!flow.needsOnboarding, "an accepted file leaves pages")
            try suite.close()
            FuzzPlace.removeSuite()
        } catch is AnswersError {
            return
        } catch {
            fatalError("\(error)")
        }
    }
}
