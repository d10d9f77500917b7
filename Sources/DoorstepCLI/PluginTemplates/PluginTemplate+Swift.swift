extension PluginTemplate {
    /// A plugin in Swift: a package whose program serves a `StepPlugin`.
    static func swift(_ kind: String) -> PluginTemplate {
        let package = #"""
            // swift-tools-version: 6.2
            import PackageDescription

            let package = Package(
                name: "KIND",
                dependencies: [
                    // Where the sources of doorstep are.
                    .package(path: "../doorstep")
                ],
                targets: [
                    .executableTarget(
                        name: "KIND", dependencies: [.product(name: "DoorstepPluginKit", package: "doorstep")]),
                    .testTarget(
                        name: "Tests", dependencies: [.product(name: "DoorstepPluginHost", package: "doorstep")], path: "Tests"),
                ],
                swiftLanguageModes: [.v6]
            )

            """#
        let program = #"""
            // The plugin KIND: is a file there?
            //
            // doorstep starts this program once for a pass and asks it over standard input and output; PluginServer does the
            // talking. The same type would work inside an app, in its plugin catalogue.
            import DoorstepPluginKit
            import Glibc

            struct FilePlugin: StepPlugin {
                let kind = "KIND"
                let summary = "A file is there"
                let hasCheck = true

                // What a manifest may give. Mistakes are left in the reader, which tells of all of them with their paths.
                func options(from reader: JSONReader) -> String {
                    reader.string("file") { $0.hasPrefix("/") ? nil : "this is relative; accepted: an absolute path" }
                }

                func page(_ file: String, in context: StepContext) -> StepPage {
                    var page = context.page(title: "A file is needed")
                    page.status = context.satisfaction?.evidence
                    // Going on must not record a file that isn't there, so the page's own action is another look.
                    if context.satisfaction?.isSatisfied != true { page.primary = .perform(action: "look", title: .tryAgain) }
                    return page
                }

                // Satisfied, not satisfied, or cannot tell; it must not ask the user anything, and must not guess.
                func satisfaction(_ file: String, in context: StepContext) async -> Satisfaction {
                    if access(file, F_OK) == 0 {
                        return Satisfaction(
                            isSatisfied: true, status: .granted(.always), basis: .ungated, evidence: "\(file) is there")
                    }
                    guard errno == ENOENT else { return .cannotTell("\(file): \(String(cString: strerror(errno)))") }
                    return Satisfaction(isSatisfied: false, status: .denied, evidence: "\(file) is not there")
                }
            }

            await PluginServer.serve(FilePlugin())

            """#
        let test = #"""
            import DoorstepPluginHost
            import Testing

            @Test("The plugin keeps to the protocol")
            func conforms() throws {
                // Build it first and copy the program beside its description: see the README.
                let plugin = try InstalledPlugin(kind: "KIND", in: "\(#filePath)".replacing("/Tests/ConformanceTests.swift", with: ""))
                #expect(PluginConformance(plugin).run().filter { !$0.isGood } == [])
            }

            """#
        let readme = #"""
            # KIND

                swift build -c release --static-swift-stdlib
                cp "$(swift build -c release --show-bin-path)/KIND" .
                doorstep plugin check .
                swift test

            To use it, copy `KIND` and `KIND.plugin.json` into a plugin directory, such as
            `~/.local/share/doorstep/plugins`.

            """#
        func file(_ path: String, _ text: String) -> File { File(path: path, text: text.replacing("KIND", with: kind)) }
        return PluginTemplate(
            files: [
                description(kind), file("Package.swift", package), file("Sources/\(kind)/main.swift", program),
                file("Tests/ConformanceTests.swift", test), file("README.md", readme),
            ],
            next: "Next: let \(kind)/Package.swift know where doorstep's sources are, then follow \(kind)/README.md.")
    }
}
