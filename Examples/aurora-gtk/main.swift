#if GTK
import CAdwaita
import DoorstepGTK

// The whole of an app with onboarding: what is still needed comes up first, then the app, and signing out begins anew.
MainQueue.attach()
guard OnboardingWindow.canOpen else { fatalError("there is no display") }
let loop = g_main_loop_new(nil, 0)
let app = try AuroraApp { g_main_loop_quit(loop) }
try app.open()
g_main_loop_run(loop)
#else
print("The window needs GTK; build this with: swift build --traits GTK --product aurora-gtk")
#endif
