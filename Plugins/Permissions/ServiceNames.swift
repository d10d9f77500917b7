internal import DoorstepBus
internal import Synchronization

/// Who could answer for a bus name.
enum ServicePresence: Equatable {
    /// Somebody owns the name.
    case running
    /// Nobody does, and the bus could start somebody.
    case activatable
    /// Nobody does or could.
    case absent
    /// A sandbox's proxy shows nobody, which says nothing.
    case hidden
}

/// The names on the buses as they say them once a pass: which are owned, and for which they could start a service.
///
/// One list for all checks costs each bus less than a question for every name.
final class ServiceNames: Sendable {
    private enum List: Hashable, CaseIterable {
        case owned, activatable
    }

    private struct Key: Hashable {
        var bus: Bus
        var list: List
    }

    private let buses: BusClient
    private let isSandboxed: Bool
    private let known = Mutex<[Key: Set<String>]>([:])
    private let asked: [Key: SharedAnswer<Set<String>>]

    init(_ buses: BusClient, isSandboxed: Bool) {
        self.buses = buses
        self.isSandboxed = isSandboxed
        let keys = Bus.allCases.flatMap { bus in List.allCases.map { Key(bus: bus, list: $0) } }
        asked = Dictionary(uniqueKeysWithValues: keys.map { ($0, SharedAnswer()) })
    }

    /// Who could answer for `name`.
    ///
    /// - Throws: `BusError` where the bus doesn't say.
    func presence(
        of name: String, on bus: Bus, deadline: ContinuousClock.Instant
    ) async throws(BusError) -> ServicePresence {
        if try await contains(name, Key(bus: bus, list: .owned), deadline) { return .running }
        if try await contains(name, Key(bus: bus, list: .activatable), deadline) { return .activatable }
        return isSandboxed ? .hidden : .absent
    }

    private func contains(
        _ name: String, _ key: Key, _ deadline: ContinuousClock.Instant
    ) async throws(BusError) -> Bool {
        if let isThere = known.withLock({ $0[key]?.contains(name) }) { return isThere }
        guard let answer = await asked[key]?.answer(by: deadline, { await names(key, deadline) }) else { return false }
        return try answer.get().contains(name)
    }

    private func names(_ key: Key, _ deadline: ContinuousClock.Instant) async -> SharedAnswer<Set<String>>.Answer {
        do throws(BusError) {
            let names =
                switch key.list {
                case .owned: try await buses.names(key.bus, deadline: deadline)
                case .activatable: try await buses.activatableNames(key.bus, deadline: deadline)
                }
            known.withLock { $0[key] = names }
            return .success(names)
        } catch {
            return .failure(error)
        }
    }
}
