internal import DoorstepBus
internal import DoorstepPluginKit

/// Where the portals' permission store answers.
enum PermissionStore {
    static let name = "org.freedesktop.impl.portal.PermissionStore"
    static let path = "/org/freedesktop/impl/portal/PermissionStore"
}

/// What the portals' permission store holds on one app.
enum StoreEntry: Equatable {
    /// The app's own strings, at least one. The store doesn't interpret them.
    case found([String])
    /// Nobody has decided: no table, no ID, or no such app in it.
    case missing
    /// There is no store, or no session that it could be in, so nobody can have decided in it.
    case absent
    /// The store isn't running, or a sandbox hides it: what was decided can't be read without starting it.
    case silent
}

extension ProbeContext {
    /// The app's entry in a table of the permission store, as a result that can be awaited beside other questions.
    ///
    /// An app outside a sandbox that has no entry of its own is looked up as `""`, "every unsandboxed app".
    func storeEntry(table: String, id: String) async -> Result<StoreEntry, BusError> {
        do throws(BusError) {
            switch try await presence(.session, PermissionStore.name) {
            case .running: break
            case .absent: return .success(.absent)
            case .activatable, .hidden: return .success(.silent)
            }
            let answer = try await buses.call(
                .session, destination: PermissionStore.name, path: PermissionStore.path,
                interface: PermissionStore.name, member: "Lookup", arguments: [.string(table), .string(id)],
                expecting: "a{sas}v", deadline: deadline)
            let permissions = answer.first?.dictionary ?? [:]
            let own = permissions[appID]?.strings ?? (isSandboxed ? nil : permissions[""]?.strings)
            // An empty list is how the store says "never asked".
            return .success(own.flatMap { $0.isEmpty ? nil : .found($0) } ?? .missing)
        } catch {
            return error.isNotFound ? .success(.missing) : .failure(error)
        }
    }
}

/// What a yes-or-no table of the store says.
enum StoredDecision: Equatable {
    case yes, no
    /// Somebody stored that the user is to be asked each time.
    case ask
    case undecided
    /// A word that means nothing here, which is no reason to guess.
    case unreadable(String)

    init(_ entry: StoreEntry) {
        guard case .found(let words) = entry else {
            self = .undecided
            return
        }
        switch words.first {
        case "yes": self = .yes
        case "no": self = .no
        case "ask": self = .ask
        default: self = .unreadable(words.joined(separator: ", "))
        }
    }

    /// What an unreadable entry means.
    static func unreadable(_ words: String, in table: String) -> Finding {
        Finding(.unknown, "the permission store's table \"\(table)\" says \"\(words)\", which means nothing here")
    }
}
