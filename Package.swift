// swift-tools-version: 6.2

import PackageDescription

/// A target of ours: a module under `Sources/`, or a plugin with its own `path`.
func module(
    _ name: String, _ dependencies: [Target.Dependency] = [], path: String? = nil, exclude: [String] = []
) -> Target {
    .target(name: name, dependencies: dependencies, path: path, exclude: exclude)
}

/// The tests of one module, under `Tests/<module>Tests`.
func tests(of name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .testTarget(name: name + "Tests", dependencies: [.byName(name: name)] + dependencies, exclude: exclude)
}

let package = Package(
    name: "doorstep",
    products: [
        .library(name: "Doorstep", targets: ["Doorstep"]),
        .library(name: "DoorstepSQLite", targets: ["DoorstepSQLite"]),
        .library(name: "DoorstepPluginKit", targets: ["DoorstepPluginKit"]),
        .library(name: "DoorstepBus", targets: ["DoorstepBus"]),
        .library(name: "DoorstepAudit", targets: ["DoorstepAudit"]),
        .library(name: "DoorstepPluginHost", targets: ["DoorstepPluginHost"]),
        .library(name: "DoorstepRegistry", targets: ["DoorstepRegistry"]),
        .library(name: "DoorstepGTK", targets: ["DoorstepGTK"]),
        .executable(name: "doorstep", targets: ["DoorstepCLI"]),
        .executable(name: "doorstep-gtk", targets: ["doorstep-gtk"]),
    ],
    traits: [
        .trait(name: "GTK", description: "The native window, which needs GTK 4 and libadwaita to build and to run.")
    ],
    targets: [
        // System libraries and C shims
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .target(name: "CSDBus"),
        .target(name: "CTerminal"),
        .systemLibrary(name: "CXattr"),
        .target(name: "CSpawn"),
        .systemLibrary(
            name: "CAdwaita", pkgConfig: "libadwaita-1", providers: [.apt(["libgtk-4-dev", "libadwaita-1-dev"])]),

        // The core and the suite
        module("Doorstep"),
        module("Words"),
        module("DoorstepJSON", ["Words"]),
        module("DoorstepSQLite", ["Doorstep", "CSQLite"]),

        // Step plugins and what they import. The core is named also where the kit brings it along: SwiftPM compiles a target anew
        // only when one that it names has changed.
        module("DoorstepPluginKit", ["Doorstep", "DoorstepJSON", "Words"]),
        module("DoorstepBus", ["CSDBus"]),
        module("WelcomePlugins", ["Doorstep", "DoorstepPluginKit"], path: "Plugins/Welcome"),
        module("ProfilePlugin", ["Doorstep", "DoorstepPluginKit"], path: "Plugins/Profile"),
        module(
            "PermissionPlugins", ["Doorstep", "DoorstepPluginKit", "DoorstepBus", "DoorstepSpawn", "CSpawn", "CXattr"],
            path: "Plugins/Permissions", exclude: ["README.md"]),

        .executableTarget(
            name: "power", dependencies: ["DoorstepPluginKit"], path: "Plugins/Examples/swift-power",
            exclude: ["power.plugin.json"]),

        // The registry, the presenters and the commands
        module("DoorstepSpawn", ["CSpawn"]),
        module(
            "DoorstepPluginHost",
            ["Doorstep", "DoorstepPluginKit", "DoorstepJSON", "DoorstepSpawn", "CSpawn", "CXattr"]),
        module(
            "DoorstepRegistry",
            ["Doorstep", "DoorstepSQLite", "DoorstepPluginKit", "DoorstepPluginHost", "DoorstepJSON"]),
        module(
            "DoorstepAudit", ["Doorstep", "DoorstepRegistry", "DoorstepSQLite", "DoorstepPluginKit", "DoorstepJSON"]),
        module("DoorstepPresenting", ["Doorstep"]),
        module("DoorstepTerminal", ["Doorstep", "DoorstepPresenting", "CTerminal"]),
        module(
            "DoorstepGTK",
            ["Doorstep", "DoorstepPresenting", .target(name: "CAdwaita", condition: .when(traits: ["GTK"]))]),
        module("CommandLineKit", ["Words"]),
        module(
            "DoorstepWorkspace",
            [
                "CommandLineKit", "Doorstep", "DoorstepPluginHost", "DoorstepRegistry", "DoorstepTerminal",
                "WelcomePlugins",
                "ProfilePlugin", "PermissionPlugins",
            ]),
        .executableTarget(
            name: "DoorstepCLI", dependencies: ["Doorstep", "DoorstepWorkspace", "DoorstepAudit", "DoorstepBus"]),
        .executableTarget(name: "doorstep-gtk", dependencies: ["Doorstep", "DoorstepWorkspace", "DoorstepGTK"]),
        .executableTarget(
            name: "aurora-gtk", dependencies: ["DoorstepSQLite", "DoorstepGTK"], path: "Examples/aurora-gtk"),

        // Tests
        module("DoorstepTestSupport", ["Doorstep"]),
        tests(of: "Doorstep", ["DoorstepTestSupport"]),
        tests(of: "DoorstepJSON", ["DoorstepTestSupport"]),
        tests(of: "DoorstepSQLite", ["DoorstepTestSupport", "CSQLite", "suite-writer"], exclude: ["Fixtures"]),
        .executableTarget(
            name: "suite-writer", dependencies: ["DoorstepSQLite", "CSQLite"], path: "Tests/SuiteWriter"),
        .target(name: "CFaults", path: "Tests/Faults"),
        .executableTarget(
            name: "suite-trials",
            dependencies: ["CFaults", "CSQLite", "Doorstep", "DoorstepSQLite", "DoorstepTestSupport"],
            path: "Tests/Trials", exclude: ["Short"]),
        module("BusTestSupport", ["DoorstepBus"], path: "Tests/BusTestSupport"),
        .executableTarget(
            name: "probe-bench", dependencies: ["PermissionPlugins", "DoorstepRegistry", "BusTestSupport"],
            path: "Tests/ProbeBench"),
        tests(of: "DoorstepBus", ["CSDBus", "BusTestSupport"]),
        tests(
            of: "PermissionPlugins",
            [
                "DoorstepPluginKit", "DoorstepBus", "DoorstepRegistry", "DoorstepTestSupport", "BusTestSupport",
                "DoorstepCLI",
            ]),
        .target(name: "RawSuite", dependencies: ["CSQLite"], path: "Tests/RawSuite"),
        .executableTarget(
            name: "bench",
            dependencies: ["Doorstep", "DoorstepPluginKit", "DoorstepRegistry", "DoorstepSQLite", "RawSuite"],
            path: "Tests/Bench"),
        .target(name: "PluginBenchSupport", path: "Tests/PluginBenchSupport"),
        .executableTarget(name: "plugin-bench-plugin", path: "Tests/PluginBenchPlugin"),
        .executableTarget(
            name: "plugin-bench",
            dependencies: ["DoorstepPluginHost", "DoorstepRegistry", "PluginBenchSupport", "plugin-bench-plugin"],
            path: "Tests/PluginBench"),
        tests(
            of: "DoorstepPluginHost",
            ["DoorstepPluginKit", "DoorstepRegistry", "DoorstepTestSupport", "power", "DoorstepCLI", "CXattr"],
            exclude: ["Fixtures"]),
        tests(
            of: "DoorstepRegistry",
            [
                "DoorstepTestSupport", "DoorstepSQLite", "DoorstepPluginHost", "DoorstepPluginKit", "DoorstepJSON",
                "WelcomePlugins", "ProfilePlugin", "PermissionPlugins",
            ]),
        tests(
            of: "DoorstepAudit",
            [
                "Doorstep", "DoorstepCLI", "DoorstepJSON", "DoorstepRegistry", "DoorstepSQLite", "CSQLite",
                "WelcomePlugins", "ProfilePlugin",
            ]),
        tests(
            of: "DoorstepTerminal",
            ["Doorstep", "DoorstepTestSupport", "DoorstepRegistry", "WelcomePlugins", "ProfilePlugin"],
            exclude: ["Golden"]),
        tests(
            of: "DoorstepGTK",
            [
                "DoorstepTestSupport", "DoorstepRegistry", "DoorstepWorkspace", "doorstep-gtk", "DoorstepCLI",
                "aurora-gtk",
                .target(name: "CAdwaita", condition: .when(traits: ["GTK"])),
            ], exclude: ["Desktop"]),
        tests(of: "CommandLineKit", exclude: ["Golden"]),
        .testTarget(
            name: "PluginTests",
            dependencies: ["WelcomePlugins", "ProfilePlugin", "PermissionPlugins", "DoorstepRegistry"]),
        .testTarget(name: "TrialTests", dependencies: ["suite-trials"], path: "Tests/Trials/Short"),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "BusTestSupport", "DoorstepBus", "DoorstepCLI", "DoorstepJSON", "DoorstepTerminal",
                "DoorstepTestSupport", "CSQLite", "power",
            ],
            path: "Tests/EndToEnd", exclude: ["Browser"]),
    ],
    swiftLanguageModes: [.v6]
)

// scripts/test-gtk builds everything anew with its trait: what no test of the window needs is left out there.
if Context.environment["DOORSTEP_TESTS"] == "GTK" {
    package.targets.removeAll { $0.type == .test && $0.name != "DoorstepGTKTests" }
}

for target in package.targets where target.type != .system && target.type != .plugin {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .treatAllWarnings(as: .error),
    ]
    target.cSettings = [.enableWarning("all"), .enableWarning("extra"), .treatAllWarnings(as: .error)]
}
