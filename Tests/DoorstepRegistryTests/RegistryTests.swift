import Synchronization
import DoorstepPluginKit
import DoorstepJSON
import Doorstep
import DoorstepRegistry
import Foundation
import Testing

@Suite struct `The family in its directories` {
    @Test func `the example family is registered as it stands`() throws {
        let contents = Registry(directories: [Fixtures.registry], catalogue: .family).contents()
        #expect(contents.apps.map(\.id) == ["com.example.aurora", "com.example.lantern", "com.example.trailmates"])
        #expect(contents.problems.map(\.error) == [])
    }

    @Test func `the earlier directory wins`() throws {
        let household = try Household()
        let own = try household.put("com.example.a", #""name": "Mine""#)
        try household.put("com.example.a", #""name": "Theirs""#, in: household.shared)
        try household.put("com.example.b", in: household.shared)
        let apps = household.registry.contents().apps
        #expect(apps.map(\.id) == ["com.example.a", "com.example.b"])
        #expect(apps[0].manifest.name == "Mine")
        #expect(try household.registry.locate("com.example.a").path == own)
        #expect(try household.registry.app("com.example.a").manifest.name == "Mine")
    }

    @Test func `one broken manifest never hides the others`() throws {
        let household = try Household()
        try household.put("com.example.a")
        try household.put(text: "{", as: "com.example.broken.json", in: household.own)
        try household.put(text: "[]", as: "not an app.json", in: household.own)
        try FileManager.default.createDirectory(
            atPath: household.own + "/com.example.folder.json", withIntermediateDirectories: true)
        #expect(symlink("nowhere", household.own + "/com.example.link.json") == 0)
        #expect(mkfifo(household.own + "/com.example.pipe.json", 0o600) == 0)
        try household.put("com.example.z", in: household.shared)
        let contents = household.registry.contents()
        #expect(contents.apps.map(\.id) == ["com.example.a", "com.example.z"])
        #expect(
            contents.problems.map(\.app) == [
                "com.example.broken", "com.example.folder", "com.example.link", "com.example.pipe", "not an app",
            ])
        #expect(contents.problems.allSatisfy { $0.error.description.contains(household.own) })
        #expect(try household.registry.app("com.example.a").id == "com.example.a")
        #expect(throws: RegistryError.self) { try household.registry.app("com.example.broken") }
    }

    @Test func `a broken manifest in an earlier directory isn't replaced by a later one of its app`() throws {
        let household = try Household()
        try household.put(text: "{", as: "com.example.a.json", in: household.own)
        try household.put("com.example.a", in: household.shared)
        let contents = household.registry.contents()
        #expect(contents.apps.isEmpty)
        #expect(contents.problems.map(\.app) == ["com.example.a"])
    }

    @Test func `what isn't a manifest by its name is passed over`() throws {
        let household = try Household()
        for name in ["README.md", "flow.schema.json", ".com.example.hidden.json", "com.example.a.json.12-1.tmp"] {
            try household.put(text: "?", as: name, in: household.own)
        }
        let contents = household.registry.contents()
        #expect(contents.apps.isEmpty && contents.problems.isEmpty)
        #expect(household.registry.appIDs() == [])
    }

    @Test func `the schema beside the manifests is told to be left out`() throws {
        let error = try #require(throws: RegistryError.self) {
            try Registry.validate(Fixtures.family + [Fixtures.schema], catalogue: .builtIn, among: [])
        }
        #expect(
            error.description
                == "\(Fixtures.schema): this is the JSON Schema of manifests, not a manifest; leave it out")
    }

    @Test func `a directory that isn't there holds nothing, and a file in its place is a problem`() throws {
        let household = try Household()
        #expect(household.registry.contents().problems.isEmpty)
        try household.put(text: "", as: "own", in: household.directory.path)
        let problem = try #require(household.registry.contents().problems.first)
        #expect(problem.app == nil)
        #expect(problem.error == .unreadable(path: household.own, reason: "Not a directory", cause: .absent))
    }

    @Test func `an unreadable directory is reported and hides no other`() throws {
        let household = try Household()
        try household.put("com.example.a")
        try household.put("com.example.b", in: household.shared)
        try Nobody.setMode(0o755, of: household.directory.path)
        try Nobody.setMode(0o700, of: household.own)
        if !Nobody.isNeeded { try Nobody.setMode(0, of: household.own) }
        try Nobody.run {
            let contents = household.registry.contents()
            #expect(contents.apps.map(\.id) == ["com.example.b"])
            #expect(
                contents.problems.map(\.error) == [
                    .unreadable(path: household.own, reason: "Permission denied", cause: .notPermitted)
                ])
            #expect(try household.registry.app("com.example.b").id == "com.example.b")
            let error = try #require(throws: RegistryError.self) { try household.registry.locate("com.example.a") }
            guard case .unreadable(_, "Permission denied", .notPermitted) = error else { throw error }
        }
        try Nobody.setMode(0o700, of: household.own)
    }

    @Test func `an unreadable manifest is a problem of its own`() throws {
        let household = try Household()
        let path = try household.put("com.example.a")
        try household.put("com.example.b")
        try Nobody.setMode(0o755, of: household.directory.path)
        try Nobody.setMode(0, of: path)
        try Nobody.run {
            let contents = household.registry.contents()
            #expect(contents.apps.map(\.id) == ["com.example.b"])
            #expect(
                contents.problems.map(\.error) == [
                    .unreadable(path: path, reason: "Permission denied", cause: .notPermitted)
                ])
        }
    }

    @Test(arguments: [("com.example.a", "com.example.a.pro"), ("com.example.a.pro", "com.example.a")])
    func `overlapping prefixes are refused whichever is longer, and both apps are named`(
        first: String, second: String
    ) throws {
        let household = try Household()
        try household.put(first)
        try household.put(second, in: household.shared)
        let contents = household.registry.contents()
        #expect(contents.apps.map(\.id) == [first])
        let problem = try #require(contents.problems.first)
        #expect(problem.app == second)
        for name in ["\"\(first)\"", "\"\(second)\"", "\"\(first).\"", "\"\(second).\"", household.own] {
            #expect(problem.error.description.contains(name))
        }
        #expect(throws: problem.error) { try household.registry.app(second) }
        #expect(try household.registry.app(first).id == first)
    }

    @Test func `an app under its own ID goes before a claim of the whole family, wherever that stands`() throws {
        let household = try Household()
        try household.put("com.example.a", #""prefix": "com.example.""#)
        try household.put("com.example.b")
        try household.put("com.example.c", in: household.shared)
        let contents = household.registry.contents()
        #expect(contents.apps.map(\.id) == ["com.example.b", "com.example.c"])
        let problem = try #require(contents.problems.first)
        #expect(contents.problems.count == 1 && problem.app == "com.example.a")
        for name in ["\"com.example.a\"", "\"com.example.b\""] { #expect(problem.error.description.contains(name)) }
        #expect(try household.registry.app("com.example.c").id == "com.example.c")
        #expect(throws: problem.error) { try household.registry.app("com.example.a") }
        #expect(throws: problem.error) {
            try household.registry.gate(for: "com.example.a", in: try household.suite())
        }
        #expect(try household.registry.gate(for: "com.example.b", in: try household.suite()).steps.isEmpty)
    }

    @Test func `one app costs the reading of no other, unless their prefixes could overlap`() throws {
        struct Witness: StepPlugin {
            let read: Count
            let kind = "witness"
            let summary = "Counts how often its options are read"
            func options(from reader: JSONReader) { read.add() }
            func page(_ options: Void, in context: StepContext) -> StepPage { context.page(title: "") }
        }
        let count = Count()
        let household = try Household(PluginCatalogue([Witness(read: count)]))
        for app in ["com.example.a", "com.example.ab", "com.example.b"] {
            try household.put(app, steps: ["one"], plugin: "witness")
        }
        _ = try household.registry.app("com.example.a")
        #expect(count.value == 1)
        try household.put("com.example.c", #""prefix": "com.example.c2.""#)
        _ = try household.registry.app("com.example.c")
        #expect(count.value == 1)
        try household.put("com.example.a.pro")
        _ = try household.registry.app("com.example.a")
        #expect(count.value > 2)
    }

    @Test func `an equal prefix is an overlap, and a common beginning is none`() throws {
        let household = try Household()
        try household.put("com.example.a")
        try household.put("com.example.ab")
        try household.put("com.example.c", #""prefix": "com.example.a.""#)
        let contents = household.registry.contents()
        #expect(contents.apps.map(\.id) == ["com.example.a", "com.example.ab"])
        #expect(contents.problems.map(\.app) == ["com.example.c"])
    }

    @Test func `an unknown app is told with the nearest registered one`() throws {
        let household = try Household()
        try household.put("com.example.aurora")
        #expect(throws: RegistryError.unknownApp("com.example.arora", nearest: "com.example.aurora")) {
            try household.registry.locate("com.example.arora")
        }
        for app in ["", "..", "../own/com.example.aurora", "com.example.\(String(repeating: "a", count: 240))"] {
            #expect(throws: RegistryError.unknownApp(app, nearest: nil)) { try household.registry.locate(app) }
        }
    }

    @Test func `a manifest that is too large is refused unread`() throws {
        let household = try Household()
        let path = try household.put("com.example.a")
        #expect(truncate(path, off_t(ManifestFile.maximumSize) + 1) == 0)
        let error = try #require(throws: RegistryError.self) { try household.registry.app("com.example.a") }
        #expect(
            error
                == .unreadable(
                    path: path, reason: "it has 4194305 bytes; at most 4194304 are accepted", cause: .unsuitable))
    }

    @Test func `the mistakes of a file are told in the order of the file`() throws {
        let household = try Household()
        let path = try household.put(
            text: """
                { "steps": [ { "plugin": "infos", "id": "" }, { "id": "b", "plugin": "profile" } ],
                  "theme": { "accent": "red", "primary": 1 }, "app": "com.example.a", "format": 2 }
                """, as: "com.example.a.json", in: household.own)
        let error = try #require(throws: RegistryError.self) { try Registry.read(path, catalogue: .family) }
        guard case .invalid(let faults) = error else { throw error }
        #expect(
            faults.map(\.place) == [
                "steps[0].plugin", "steps[0].id", "steps[1].options.inputs", "theme.accent", "theme.primary", "format",
            ])
    }
}

/// A count that several threads may raise.
private final class Count: Sendable {
    private let count = Mutex(0)
    var value: Int { count.withLock { $0 } }
    func add() { count.withLock { $0 += 1 } }
}
