#if GTK
import DoorstepGTK
import Testing

/// All tests that open windows: there is one display, and one main thread.
@Suite("In a window", .serialized)
@MainActor
enum WindowTests {}
#endif
