#if GTK
internal import CAdwaita
internal import Dispatch
internal import Glibc

/// Lets GLib's main loop do the work of Swift's main actor.
///
/// A program that runs GLib's loop on its main thread never comes back to the loop that would do that work. The main
/// queue tells by a descriptor that there is some, and GLib waits for descriptors.
@MainActor
public enum MainQueue {
    private static var isAttached = false

    /// Has GLib's main loop do the main actor's work from now on. An app calls it once, before its loop runs.
    public static func attach() {
        if isAttached { return }
        isAttached = true
        let descriptor = _dispatch_get_main_queue_handle_4CF()
        let drain: GUnixFDSourceFunc = { descriptor, _, _ in
            var count: UInt64 = 0
            // The count only says that there is work.
            _ = read(descriptor, &count, 8)
            _dispatch_main_queue_callback_4CF(nil)
            return 1
        }
        g_unix_fd_add(descriptor, G_IO_IN, drain, nil)
    }

    /// Runs GLib's main loop for ever; some work in it ends the process.
    public static func run() -> Never {
        attach()
        while true { g_main_context_iteration(nil, 1) }
    }
}
#endif
