import Doorstep
import Foundation
import Testing

@testable import DoorstepRegistry

@Suite struct `Registering and unregistering` {
    /// A household with manifests that are not registered yet, under `inbox`.
    func household(_ apps: String...) throws -> (Household, files: [String]) {
        let household = try Household()
        return (household, try apps.map { try household.put($0, in: household.directory.path + "/inbox") })
    }

    func bytes(_ path: String) -> Data? { FileManager.default.contents(atPath: path) }

    @Test func `copies of the manifests stand in the user's own directory, byte for byte`() throws {
        let (household, files) = try household("com.example.a", "com.example.b")
        let results = try household.registry.register(files, replaces: false)
        let targets = ["a", "b"].map { "\(household.own)/com.example.\($0).json" }
        #expect(
            results == [
                .registered(app: "com.example.a", path: targets[0]),
                .registered(app: "com.example.b", path: targets[1]),
            ])
        #expect(targets.map(bytes) == files.map(bytes))
        #expect(Fixtures.names(in: household.own) == ["com.example.a.json", "com.example.b.json"])
        #expect(household.registry.contents().apps.map(\.id) == ["com.example.a", "com.example.b"])
    }

    @Test func `the very same manifest again changes nothing, and another one needs to be allowed`() throws {
        let (household, files) = try household("com.example.a")
        let target = "\(household.own)/com.example.a.json"
        _ = try household.registry.register(files, replaces: false)
        let identity = try household.registry.locate("com.example.a").identity
        #expect(
            try household.registry.register(files, replaces: false) == [.unchanged(app: "com.example.a", path: target)])
        #expect(try household.registry.locate("com.example.a").identity == identity)

        let changed = try household.put("com.example.a", #""name": "New""#, in: household.directory.path + "/inbox")
        #expect(throws: RegistryError.alreadyRegistered("com.example.a", path: target)) {
            try household.registry.register([changed], replaces: false)
        }
        #expect(try household.registry.locate("com.example.a").identity == identity)
        #expect(
            try household.registry.register([changed], replaces: true) == [
                .replaced(app: "com.example.a", path: target)
            ])
        #expect(try household.registry.app("com.example.a").manifest.name == "New")
    }

    @Test func `a file that is registered where it stands is unchanged`() throws {
        let household = try Household()
        let path = try household.put("com.example.a")
        #expect(
            try household.registry.register([path], replaces: false) == [.unchanged(app: "com.example.a", path: path)])
    }

    @Test func `of several manifests all are registered or none`() throws {
        let (household, files) = try household("com.example.a", "com.example.b")
        let broken = try household.put("com.example.c", #""colour": 1"#, in: household.directory.path + "/inbox")
        let missing = household.directory.path + "/inbox/com.example.d.json"
        let error = try #require(throws: RegistryError.self) {
            try household.registry.register(files + [broken, missing], replaces: false)
        }
        guard case .invalid(let faults) = error else { throw error }
        #expect(faults.map(\.file) == [broken, missing])
        #expect(Fixtures.names(in: household.own) == [])
    }

    @Test func `a replacement that isn't allowed keeps the other manifests out too`() throws {
        let (household, files) = try household("com.example.a", "com.example.b")
        try household.put("com.example.b", #""name": "Standing""#)
        #expect(throws: RegistryError.self) { try household.registry.register(files, replaces: false) }
        #expect(Fixtures.names(in: household.own) == ["com.example.b.json"])
    }

    @Test func `when a later file can't be put in place, the earlier ones are put back`() throws {
        let household = try Household()
        let kept = try household.put("com.example.kept")
        let fresh = household.own + "/com.example.fresh.json"
        let blocked = household.own + "/com.example.blocked.json"
        try FileManager.default.createDirectory(atPath: blocked + "/x", withIntermediateDirectories: true)
        let before = try #require(bytes(kept))
        let error = #expect(throws: RegistryError.self) {
            try AtomicFile.write([
                AtomicFile.Write(path: kept, bytes: [1], before: [UInt8](before)),
                AtomicFile.Write(path: fresh, bytes: [2], before: nil),
                AtomicFile.Write(path: blocked, bytes: [3], before: nil),
            ])
        }
        #expect(error?.description.contains(blocked) == true)
        #expect(bytes(kept) == before)
        #expect(Fixtures.names(in: household.own) == ["com.example.blocked.json", "com.example.kept.json"])
    }

    @Test func `one app given twice is refused, with both files`() throws {
        let household = try Household()
        let one = try household.put("com.example.a", in: household.directory.path + "/one")
        let two = try household.put("com.example.a", #""name": "Two""#, in: household.directory.path + "/two")
        let error = try #require(throws: RegistryError.self) {
            try household.registry.register([one, two], replaces: true)
        }
        #expect(error.description.contains(one) && error.description.contains(two))
        #expect(Fixtures.names(in: household.own) == [])
    }

    @Test func `a prefix may overlap neither a registered app's nor that of a manifest beside it`() throws {
        let (household, files) = try household("com.example.a.pro", "com.example.a", "com.example.b.pro")
        try household.put("com.example.b", in: household.shared)
        let error = try #require(throws: RegistryError.self) {
            try household.registry.register(files, replaces: false)
        }
        guard case .invalid(let faults) = error else { throw error }
        #expect(faults.map(\.file) == [files[1], files[2]])
        #expect(faults[0].message.contains("com.example.a.pro") && faults[1].message.contains("\"com.example.b\""))
        #expect(Fixtures.names(in: household.own) == [])
    }

    @Test func `a claim of the whole family keeps no app out of the registry`() throws {
        let (household, files) = try household("com.example.b")
        try household.put("com.example.a", #""prefix": "com.example.""#)
        #expect(try household.registry.register(files, replaces: false).count == 1)
        let claim = try household.put("org.example.c", #""prefix": "com.""#, in: household.directory.path + "/inbox")
        #expect(throws: RegistryError.self) { try household.registry.register([claim], replaces: false) }
    }

    @Test func `of several that claim one prefix at the same time, one gets it`() async throws {
        let household = try Household()
        let files = try (0..<16).map {
            try household.put(
                "com.example.app\($0)", #""prefix": "org.example.""#, in: household.directory.path + "/inbox")
        }
        let registered = await withTaskGroup(of: Bool.self) { group in
            for file in files {
                group.addTask { (try? household.registry.register([file], replaces: false)) != nil }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(registered == 1)
        #expect(Fixtures.names(in: household.own).count == 1)
    }

    @Test func `a new file never replaces one that came up meanwhile`() throws {
        let household = try Household()
        let path = try household.put("com.example.a")
        let before = bytes(path)
        #expect(throws: RegistryError.unwritable(path: path, reason: "File exists", isPermission: false)) {
            try AtomicFile.write([AtomicFile.Write(path: path, bytes: [1], before: nil)])
        }
        #expect(bytes(path) == before && Fixtures.names(in: household.own) == ["com.example.a.json"])
    }

    @Test func `a prefix that is given up in the same call is free`() throws {
        let household = try Household()
        try household.put("com.example.a")
        let inbox = household.directory.path + "/inbox"
        let files = [
            try household.put("com.example.a", #""prefix": "aurora.""#, in: inbox),
            try household.put("com.example.b", #""prefix": "com.example.a.""#, in: inbox),
        ]
        #expect(try household.registry.register(files, replaces: true).count == 2)
        #expect(household.registry.contents().problems.map(\.error) == [])
    }

    @Test func `a read-only directory is told as not allowed, and nothing changes`() throws {
        let (household, files) = try household("com.example.a", "com.example.b")
        let registered = try household.put("com.example.z")
        for path in [household.directory.path, household.own] { try Nobody.setMode(0o755, of: path) }
        if !Nobody.isNeeded { try Nobody.setMode(0o555, of: household.own) }
        defer { try? Nobody.setMode(0o755, of: household.own) }
        try Nobody.run {
            let error = try #require(throws: RegistryError.self) {
                try household.registry.register(files, replaces: false)
            }
            guard case .unwritable(household.own + "/com.example.a.json", "Permission denied", true) = error else {
                throw error
            }
            #expect(error.description.hasSuffix("can't be written: Permission denied; nothing was changed"))
            #expect(throws: RegistryError.unwritable(path: registered, reason: "Permission denied", isPermission: true))
            {
                try household.registry.unregister("com.example.z")
            }
        }
        #expect(Fixtures.names(in: household.own) == ["com.example.z.json"])
    }

    @Test func `a directory that is made for the user is theirs alone`() throws {
        let (household, files) = try household("com.example.a")
        let home = household.directory.path + "/data/doorstep/registry"
        _ = try Registry(directories: [home], catalogue: .family).register(files, replaces: false)
        for path in [home, household.directory.path + "/data"] {
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o700)
        }
    }

    @Test func `without any directory to write to, registering says so`() throws {
        let (household, files) = try household("com.example.a")
        let nowhere = Registry(directories: [], catalogue: household.catalogue)
        let error = try #require(throws: RegistryError.self) { try nowhere.register(files, replaces: false) }
        #expect(error.description.contains("neither HOME nor XDG_DATA_HOME"))
    }

    @Test func `unregistering removes the user's own manifest, and the one below shows again`() throws {
        let household = try Household()
        let own = try household.put("com.example.a", #""name": "Mine""#)
        try household.put("com.example.a", #""name": "Theirs""#, in: household.shared)
        #expect(try household.registry.unregister("com.example.a") == own)
        #expect(try household.registry.app("com.example.a").manifest.name == "Theirs")
    }

    @Test func `a manifest that a package brought isn't the user's to unregister`() throws {
        let household = try Household()
        let path = try household.put("com.example.a", in: household.shared)
        #expect(throws: RegistryError.notOurs("com.example.a", path: path)) {
            try household.registry.unregister("com.example.a")
        }
        #expect(bytes(path) != nil)
        #expect(throws: RegistryError.unknownApp("com.example.b", nearest: "com.example.a")) {
            try household.registry.unregister("com.example.b")
        }
    }

    @Test func `a broken manifest of the user's own can be unregistered`() throws {
        let household = try Household()
        let path = try household.put(text: "{", as: "com.example.a.json", in: household.own)
        #expect(try household.registry.unregister("com.example.a") == path)
        #expect(bytes(path) == nil)
    }
}
