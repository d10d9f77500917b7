#if GTK
import CAdwaita

@testable import DoorstepGTK

/// What a desktop's user has set, changed for a test.
@MainActor
enum DesktopSetting {
    /// Gives a setting that is a number or a switch another value.
    ///
    /// - Returns: What it was before.
    @discardableResult
    static func change(_ name: String, to value: Int32) -> Int32 {
        // Without GTK's beginning there are no settings.
        guard OnboardingWindow.canOpen else { return value }
        let settings: OpaquePointer = gtk_settings_get_default()
        let object = settings.raw.assumingMemoryBound(to: GObject.self)
        var setting = GValue()
        g_value_init(&setting, GType(6 << 2))  // G_TYPE_INT, which is a macro.
        g_object_get_property(object, name, &setting)
        let before = g_value_get_int(&setting)
        g_value_set_int(&setting, value)
        g_object_set_property(object, name, &setting)
        return before
    }
}
#endif
