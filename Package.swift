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
        .executable(name: "doorstep", targets: ["DoorstepCLI"]),
    ],
    targets: [
        // System libraries and C shims
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .target(name: "CSDBus"),
        .target(name: "CTerminal"),
        .systemLibrary(name: "CXattr"),
        .target(name: "CSpawn"),

        // The core and the suite
        module("Doorstep"),
        module("DoorstepJSON"),
        module("DoorstepSQLite", ["Doorstep", "CSQLite"]),

        // Step plugins and what they import
        module("DoorstepPluginKit", ["Doorstep", "DoorstepJSON"]),
        module("DoorstepBus", ["CSDBus"]),
        module("WelcomePlugins", ["DoorstepPluginKit"], path: "Plugins/Welcome"),
        module("ProfilePlugin", ["DoorstepPluginKit"], path: "Plugins/Profile"),
        module(
            "PermissionPlugins", ["DoorstepPluginKit", "DoorstepBus", "CXattr"], path: "Plugins/Permissions",
            exclude: ["README.md"]),

        .executableTarget(
            name: "power", dependencies: ["DoorstepPluginKit"], path: "Plugins/Examples/swift-power",
            exclude: ["power.plugin.json"]),

        // The registry, a presenter and the command
        module("DoorstepPluginHost", ["DoorstepPluginKit", "DoorstepJSON", "CSpawn"]),
        module("DoorstepRegistry", ["DoorstepSQLite", "DoorstepPluginKit", "DoorstepPluginHost", "DoorstepJSON"]),
        module("DoorstepAudit", ["DoorstepRegistry", "DoorstepSQLite", "DoorstepPluginKit", "DoorstepJSON"]),
        module("DoorstepTerminal", ["Doorstep", "CTerminal"]),
        module("CommandLineKit"),
        .executableTarget(
            name: "DoorstepCLI",
            dependencies: [
                "CommandLineKit", "DoorstepAudit", "DoorstepPluginHost", "DoorstepRegistry", "DoorstepTerminal",
                "WelcomePlugins", "ProfilePlugin", "PermissionPlugins",
            ]),

        // Tests
        module("DoorstepTestSupport", ["Doorstep"]),
        tests(of: "Doorstep", ["DoorstepTestSupport"]),
        tests(of: "DoorstepJSON"),
        tests(of: "DoorstepSQLite", ["DoorstepTestSupport", "CSQLite", "suite-writer"], exclude: ["Fixtures"]),
        .executableTarget(
            name: "suite-writer", dependencies: ["DoorstepSQLite", "CSQLite"], path: "Tests/SuiteWriter"),
        .target(name: "CFaults", path: "Tests/Faults"),
        .executableTarget(
            name: "suite-trials", dependencies: ["CFaults", "CSQLite", "Doorstep", "DoorstepSQLite"],
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
        .executableTarget(name: "raw-gate", dependencies: ["RawSuite"], path: "Tests/RawGate"),
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
                "DoorstepTestSupport", "DoorstepSQLite", "DoorstepPluginKit", "DoorstepJSON", "WelcomePlugins",
                "ProfilePlugin", "PermissionPlugins",
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
        tests(of: "CommandLineKit", exclude: ["Golden"]),
        .testTarget(
            name: "PluginTests",
            dependencies: ["WelcomePlugins", "ProfilePlugin", "PermissionPlugins", "DoorstepRegistry"]),
        .testTarget(name: "TrialTests", dependencies: ["suite-trials"], path: "Tests/Trials/Short"),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "DoorstepCLI", "DoorstepJSON", "DoorstepTerminal", "DoorstepTestSupport", "CSQLite", "power",
            ],
            path: "Tests/EndToEnd", exclude: ["Browser"]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system && target.type != .plugin {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .treatAllWarnings(as: .error),
    ]
    target.cSettings = [.enableWarning("all"), .enableWarning("extra"), .treatAllWarnings(as: .error)]
}
