internal import DoorstepPluginKit
internal import Synchronization

/// The plugins that run for one pass: each is started once, by the first question to it.
final class PluginPass: PassResource {
    private let connections = Mutex<[InstalledPlugin: PluginConnection]>([:])

    /// Also where a pass is forgotten rather than ended, its plugins are.
    deinit {
        for connection in connections.withLock({ Array($0.values) }) { connection.end() }
    }

    /// The plugin's connection, which starts it where there is none yet.
    func connection(to plugin: InstalledPlugin, environment: [String: String]) -> PluginConnection {
        connections.withLock { connections in
            if let running = connections[plugin] { return running }
            let connection = PluginConnection(plugin, environment: environment)
            connections[plugin] = connection
            return connection
        }
    }

    func end() async {
        let all = connections.withLock { connections in
            defer { connections = [:] }
            return Array(connections.values)
        }
        // All are told first, so that their ends overlap.
        for connection in all { connection.end() }
        for connection in all { await connection.finish() }
    }
}
