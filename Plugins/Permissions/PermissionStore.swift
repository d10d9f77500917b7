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
    /// A sandbox hides it, or who could start it: what was decided can't be read.
    case silent
    /// The store isn't running, and the file that it keeps is damaged.
    case damaged(path: String)
}

extension ProbeContext {
    /// The app's entry in a table of the permission store, as a result that can be awaited beside other questions.
    ///
    /// An app outside a sandbox that has no entry of its own is looked up as `""`, "every unsandboxed app". A store that
    /// isn't running holds exactly what its files hold, so those are read instead of starting it.
    ///
    /// - Parameter isShared: Whether `""` counts for it: what is one app's own secret isn't every other's.
    func storeEntry(table: String, id: String, isShared: Bool = true) async -> Result<StoreEntry, BusError> {
        do throws(BusError) {
            switch try await presence(.session, PermissionStore.name) {
            case .running: break
            case .absent: return .success(.absent)
            case .activatable where !isSandboxed: return .success(keptEntry(table: table, id: id, isShared))
            case .activatable, .hidden: return .success(.silent)
            }
            let answer = try await buses.call(
                .session, destination: PermissionStore.name, path: PermissionStore.path,
                interface: PermissionStore.name, member: "Lookup", arguments: [.string(table), .string(id)],
                expecting: "a{sas}v", deadline: deadline)
            let permissions = answer.first?.dictionary ?? [:]
            return .success(entry(isShared) { permissions[$0]?.strings })
        } catch {
            return error.isNotFound ? .success(.missing) : .failure(error)
        }
    }

    /// Whether the store keeps anything that the app may have again in a table whose IDs are tokens.
    func storeKeeps(table: String) async throws(BusError) -> Bool {
        guard try await presence(.session, PermissionStore.name) == .running else { return false }
        let ids: [String]
        do throws(BusError) {
            ids =
                try await buses.call(
                    .session, destination: PermissionStore.name, path: PermissionStore.path,
                    interface: PermissionStore.name, member: "List", arguments: [.string(table)], expecting: "as",
                    deadline: deadline
                ).first?.strings ?? []
        } catch {
            guard error.isNotFound else { throw error }
            return false
        }
        let entries = await withTaskGroup { group in
            for id in ids { group.addTask { await self.storeEntry(table: table, id: id, isShared: false) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        for entry in entries {
            if case .found(let words) = try entry.get(), words.first == "yes" { return true }
        }
        return false
    }

    private func entry(_ isShared: Bool, of app: (String) -> [String]?) -> StoreEntry {
        let own = app(appID) ?? (isSandboxed || !isShared ? nil : app(""))
        // An empty list is how the store says "never asked".
        return own.flatMap { $0.isEmpty ? nil : .found($0) } ?? .missing
    }

    /// The app's entry as the store left it in its files.
    private func keptEntry(table: String, id: String, _ isShared: Bool) -> StoreEntry {
        guard let data = directory("XDG_DATA_HOME") ?? directory("HOME").map({ $0 + "/.local/share" }) else {
            return .missing
        }
        let path = "\(data)/flatpak/db/\(table)"
        guard let bytes = machine.bytes(path, atMost: 1 << 24) else {
            return machine.exists(path) ? .damaged(path: path) : .missing
        }
        do throws(GVDBTable.Damaged) {
            guard let value = try GVDBTable(bytes).table("main")?.value(id) else { return .missing }
            // What belongs to the ID, then who may: `(va{sas})`.
            guard let pairs = value.members?.last?.elements else { return .damaged(path: path) }
            var permissions: [String: [String]] = [:]
            for pair in pairs {
                guard let app = pair.members?.first?.text, let words = pair.members?.last?.texts else {
                    return .damaged(path: path)
                }
                permissions[app] = words
            }
            return entry(isShared) { permissions[$0] }
        } catch {
            return .damaged(path: path)
        }
    }
}

/// What a yes-or-no table of the store says.
enum StoredDecision: Equatable {
    case yes, no
    /// Somebody stored that the user is to be asked each time.
    case ask
    case undecided
    /// A word that means nothing here, or a damaged file, which is no reason to guess.
    case unreadable(Finding)

    init(_ entry: StoreEntry, in table: String) {
        switch entry {
        case .missing, .absent, .silent: self = .undecided
        case .damaged(let path): self = .unreadable(Self.damaged(path))
        case .found(let words):
            switch words.first {
            case "yes": self = .yes
            case "no": self = .no
            case "ask": self = .ask
            default: self = .unreadable(Self.unreadable(words.joined(separator: ", "), in: table))
            }
        }
    }

    /// What an entry means that has another word than those known.
    static func unreadable(_ words: String, in table: String) -> Finding {
        Finding(.unknown, "the permission store's table \"\(table)\" says \"\(words)\", which means nothing here")
    }

    /// What it means that the store's file can't be read.
    static func damaged(_ path: String) -> Finding {
        Finding(.unknown, "the permission store's file \(path) is damaged")
    }
}
