#if GTK
import CAdwaita
import Synchronization

/// What GLib and GTK warned of since the process began; no test may leave any.
enum Complaints {
    private static let messages = Mutex<[String]>([])

    /// What was said so far.
    static var all: [String] { messages.withLock { $0 } }

    /// Listens from now on; once is enough.
    static let listening: Void = {
        let writer: GLogWriterFunc = { level, fields, count, _ in
            let bad = [G_LOG_LEVEL_ERROR, G_LOG_LEVEL_CRITICAL, G_LOG_LEVEL_WARNING]
            guard bad.contains(where: { level.rawValue & $0.rawValue != 0 }) else { return G_LOG_WRITER_HANDLED }
            let text = g_log_writer_format_fields(level, fields, count, 0)
            let message = text.map { String(cString: $0) } ?? ""
            g_free(text)
            messages.withLock { $0.append(message) }
            return G_LOG_WRITER_HANDLED
        }
        g_log_set_writer_func(writer, nil, nil)
    }()
}
#endif
