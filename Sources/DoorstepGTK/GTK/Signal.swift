#if GTK
internal import CAdwaita

/// Connects closures to signals: one function a shape of handler, as C calls each by its own type.
///
/// A closure is kept for as long as the object it is connected to, so it holds its window weakly.
@MainActor
enum Signal {
    private final class Box<Handler> {
        let handler: Handler

        init(_ handler: Handler) { self.handler = handler }
    }

    private final class Connection {
        var id: gulong = 0
    }

    private typealias Plain = @MainActor () -> Void
    private typealias Index = @MainActor (Int) -> Void
    private typealias Text = @MainActor (String) -> Void
    private typealias Question = @MainActor () -> Bool
    private typealias Key = @MainActor (UInt32, GdkModifierType) -> Bool

    /// A signal without arguments, such as `clicked`.
    ///
    /// - Returns: What to disconnect, for an object that outlives what it tells.
    @discardableResult
    static func connect(
        _ object: some ObjectPointer, _ name: String, _ handler: @escaping @MainActor () -> Void
    ) -> gulong {
        let call: @convention(c) (gpointer?, gpointer?) -> Void = { _, data in
            Signal.call(data, as: Plain.self) { $0() }
        }
        return attach(object, name, unsafeBitCast(call, to: GCallback.self), Box<Plain>(handler))
    }

    /// A signal without arguments, but only the next time.
    static func once(_ object: some ObjectPointer, _ name: String, _ handler: @escaping @MainActor () -> Void) {
        let connection = Connection()
        let raw = object.raw
        connection.id = connect(object, name) {
            g_signal_handler_disconnect(raw, connection.id)
            handler()
        }
    }

    /// A property's change.
    ///
    /// - Returns: What to disconnect, for an object that outlives what it tells.
    @discardableResult
    static func notified(
        of name: String, _ object: some ObjectPointer, _ handler: @escaping @MainActor () -> Void
    ) -> gulong {
        let call: @convention(c) (gpointer?, gpointer?, gpointer?) -> Void = { _, _, data in
            Signal.call(data, as: Plain.self) { $0() }
        }
        return attach(object, "notify::" + name, unsafeBitCast(call, to: GCallback.self), Box<Plain>(handler))
    }

    /// A signal with an index, such as `page-changed`.
    static func connect(
        indexed object: some ObjectPointer, _ name: String, _ handler: @escaping @MainActor (Int) -> Void
    ) {
        let call: @convention(c) (gpointer?, guint, gpointer?) -> Void = { _, index, data in
            Signal.call(data, as: Index.self) { $0(Int(index)) }
        }
        attach(object, name, unsafeBitCast(call, to: GCallback.self), Box<Index>(handler))
    }

    /// A signal with a text, such as `response`.
    static func connect(
        text object: some ObjectPointer, _ name: String, _ handler: @escaping @MainActor (String) -> Void
    ) {
        let call: @convention(c) (gpointer?, UnsafePointer<CChar>?, gpointer?) -> Void = { _, text, data in
            let text = text.map { String(cString: $0) } ?? ""
            Signal.call(data, as: Text.self) { $0(text) }
        }
        attach(object, name, unsafeBitCast(call, to: GCallback.self), Box<Text>(handler))
    }

    /// A signal that asks whether it is dealt with, such as `close-request`.
    static func connect(
        asking object: some ObjectPointer, _ name: String, _ handler: @escaping @MainActor () -> Bool
    ) {
        let call: @convention(c) (gpointer?, gpointer?) -> gboolean = { _, data in
            Signal.call(data, as: Question.self) { $0() } ? 1 : 0
        }
        attach(object, name, unsafeBitCast(call, to: GCallback.self), Box<Question>(handler))
    }

    /// Keys on their way to a widget, before anything inside it has them; they go on where the handler says false.
    static func keys(of widget: Widget, _ handler: @escaping @MainActor (UInt32, GdkModifierType) -> Bool) {
        let controller = gtk_event_controller_key_new()!
        gtk_event_controller_set_propagation_phase(controller, GTK_PHASE_CAPTURE)
        let call: @convention(c) (gpointer?, guint, guint, GdkModifierType, gpointer?) -> gboolean = {
            _, key, _, modifiers, data in
            Signal.call(data, as: Key.self) { $0(key, modifiers) } ? 1 : 0
        }
        attach(controller, "key-pressed", unsafeBitCast(call, to: GCallback.self), Box<Key>(handler))
        gtk_widget_add_controller(widget, controller)
    }

    /// The keyboard leaves a widget.
    static func focusLeft(_ widget: Widget, _ handler: @escaping @MainActor () -> Void) {
        let controller = gtk_event_controller_focus_new()!
        connect(controller, "leave", handler)
        gtk_widget_add_controller(widget, controller)
    }

    @discardableResult
    private static func attach(
        _ object: some ObjectPointer, _ name: String, _ call: GCallback, _ box: AnyObject
    ) -> gulong {
        g_signal_connect_data(
            object.raw, name, call, Unmanaged.passRetained(box).toOpaque(),
            { data, _ in data.map { Unmanaged<AnyObject>.fromOpaque($0).release() } }, GConnectFlags(0))
    }

    /// Hands a C call on to its closure. GTK makes its calls on the main thread.
    private nonisolated static func call<Handler, Answer: Sendable>(
        _ data: gpointer?, as handler: Handler.Type, _ body: @MainActor (Handler) -> Answer
    ) -> Answer {
        nonisolated(unsafe) let data = data!
        return MainActor.assumeIsolated {
            body(Unmanaged<Box<Handler>>.fromOpaque(data).takeUnretainedValue().handler)
        }
    }
}
#endif
