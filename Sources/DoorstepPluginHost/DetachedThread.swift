internal import CSpawn
internal import Glibc

/// A thread that nobody waits for.
package enum DetachedThread {
    /// Starts a body on a thread of its own, or answers false where the system has none to give.
    package typealias Start = @Sendable (_ body: @escaping @Sendable () -> Void) -> Bool

    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs the body on a new thread, or answers false where the system has none to give; then nothing runs.
    @Sendable package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(&attributes, 1024 * 1024)
        let box = Unmanaged.passRetained(Body(body))
        var thread = pthread_t()
        let result = pthread_create(
            &thread, &attributes,
            { argument in
                if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, box.toOpaque())
        if result != 0 { box.release() }
        return result == 0
    }
}
