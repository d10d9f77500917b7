import BusTestSupport
import DoorstepBus
import DoorstepPluginKit
import Foundation
import Testing

@testable import PermissionPlugins

extension ProbeBench {
    func step(_ kind: String, _ options: JSONObject = [:]) throws -> BoundStep {
        let plugin = try #require(PermissionPlugins.plugins(on: machine).first { $0.kind == kind })
        return try BoundStep(plugin, options: options, at: .root)
    }

    /// The page of a step as its check answers now.
    func page(_ kind: String, _ options: JSONObject = [:]) async throws -> StepPage {
        let satisfaction = try await ask(kind, options)
        return try await step(kind, options).page(in: context(satisfaction: satisfaction))
    }
}

extension BusProbeTests {
    /// What `perform` does. The services here are stand-ins that answer as a user would: nobody clicks in a test.
    @Suite("Asking", .timeLimit(.minutes(1))) struct Asking {
        /// A portal whose user gives this answer to every request.
        private static func portal(_ response: Int, _ extra: String = "") -> String {
            """
            \(extra)
            def respond(self, options):
                path = "/org/freedesktop/portal/desktop/request/%s/%s" % (sender(self), options["handle_token"])
                object(path, "org.freedesktop.portal.Request").EmitSignal(
                    "org.freedesktop.portal.Request", "Response", "ua{sv}", [UInt32(\(response)), Dictionary({}, signature="sv")])
                return ObjectPath(path)
            def sender(self):
                return names[-1].replace(":", "").replace(".", "_")
            names = []
            def see(connection, message):
                if message.get_sender() and message.get_sender().startswith(":"): names.append(message.get_sender())
                return 1
            dbus.SessionBus().add_message_filter(see)
            import dbusmock.mockobject
            dbusmock.mockobject.respond = respond
            """
        }

        private static let access = """
            object("/org/freedesktop/portal/desktop", "org.freedesktop.portal.Camera",
                [("AccessCamera", "a{sv}", "o", "ret = respond(self, args[0])")], {"IsCameraPresent": True})
            """

        @Test(arguments: [(0, nil), (1, "It wasn’t allowed."), (2, "It wasn’t allowed.")] as [(Int, String?)])
        func `the camera portal asks, and the user's answer counts`(response: Int, problem: String?) async throws {
            try await ProbeBench.run { bench, session, _ in
                try bench.enterSandbox(as: "com.example.Box")
                let script = Self.portal(response) + "\n" + Self.access
                try await PermissionStoreProcess.run(on: session) { _ in
                    try await MockService.run("org.freedesktop.portal.Desktop", on: session, script: script) { _ in
                        let page = try await bench.page("camera")
                        #expect(page.primary == .perform(action: "ask", title: .allow))
                        let said = try await said(by: "camera", on: bench)
                        #expect(said == problem)
                    }
                }
            }
        }

        @Test func `the location portal makes a session, then asks`() async throws {
            try await ProbeBench.run(system: true) { bench, session, system in
                let script =
                    Self.portal(0) + "\n" + """
                        object("/org/freedesktop/portal/desktop", "org.freedesktop.portal.Location", [
                            ("CreateSession", "a{sv}", "o", '''
                        assert args[0]["accuracy"] == 2 and args[0]["session_handle_token"], args
                        ret = dbus.ObjectPath("/session/1")
                        '''),
                            ("Start", "osa{sv}", "o", '''
                        assert args[0] == "/session/1" and args[1] == "", args
                        ret = respond(self, args[2])
                        ''')])
                        """
                try await MockService.run("org.freedesktop.portal.Desktop", on: session, script: script) { _ in
                    let said = try await said(by: "location", ["accuracy": "city"], on: bench)
                    #expect(said == nil)
                }
            }
        }

        @Test func `a background portal is asked for the start with the session`() async throws {
            try await ProbeBench.run { bench, session, _ in
                let script =
                    Self.portal(0) + "\n" + """
                        object("/org/freedesktop/portal/desktop", "org.freedesktop.portal.Background", [
                            ("RequestBackground", "sa{sv}", "o", '''
                        assert args[1]["autostart"], args
                        ret = respond(self, args[1])
                        ''')])
                        """
                try await MockService.run("org.freedesktop.portal.Desktop", on: session, script: script) { _ in
                    let said = try await said(by: "background", on: bench)
                    #expect(said == nil)
                }
            }
        }

        @Test(arguments: [(false, nil), (true, "It wasn’t allowed.")] as [(Bool, String?)])
        func `a key ring is unlocked through its prompt`(dismissed: Bool, problem: String?) async throws {
            try await ProbeBench.run { bench, session, _ in
                let script = """
                    login = object("/login", "org.freedesktop.Secret.Collection", [], {"Locked": True})
                    object("/prompt", "org.freedesktop.Secret.Prompt", [("Prompt", "s", "", '''
                    if not \(dismissed ? "True" : "False"):
                        objects["/login"].props["org.freedesktop.Secret.Collection"]["Locked"] = False
                    self.EmitSignal("org.freedesktop.Secret.Prompt", "Completed", "bv", [\(dismissed ? "True" : "False"), ""])
                    ''')])
                    object("/org/freedesktop/secrets", "org.freedesktop.Secret.Service", [
                        ("ReadAlias", "s", "o", "ret = dbus.ObjectPath('/login')"),
                        ("Unlock", "ao", "aoo", "ret = (dbus.Array([], signature='o'), dbus.ObjectPath('/prompt'))")])
                    """
                try await MockService.run("org.freedesktop.secrets", on: session, script: script) { _ in
                    let page = try await bench.page("secrets")
                    #expect(page.primary == .perform(action: "ask", title: .unlock))
                    let said = try await said(by: "secrets", on: bench)
                    #expect(said == problem)
                    try await bench.expect("secrets", is: dismissed ? "notDetermined" : "granted always explicit")
                }
            }
        }

        @Test func `an adapter is switched on`() async throws {
            try await ProbeBench.run(system: true) { bench, _, system in
                let script = """
                    adapter = object("/org/bluez/hci0", "org.bluez.Adapter1", [], {"Powered": False})
                    object("/", "org.freedesktop.DBus.ObjectManager", [("GetManagedObjects", "", "a{oa{sa{sv}}}", '''
                    from dbus import Dictionary, ObjectPath
                    powered = objects["/org/bluez/hci0"].props["org.bluez.Adapter1"]["Powered"]
                    adapter = Dictionary({"Powered": powered}, signature="sv")
                    ret = Dictionary({ObjectPath("/org/bluez/hci0"): Dictionary({"org.bluez.Adapter1": adapter}, signature="sa{sv}")}, signature="oa{sa{sv}}")
                    ''')])
                    """
                try await MockService.run("org.bluez", on: system, script: script) { _ in
                    let page = try await bench.page("bluetooth")
                    #expect(page.primary == .perform(action: "ask", title: .turnOn))
                    #expect(page.status == "Bluetooth is switched off.")
                    try await bench.expectChange(of: "bluetooth", to: "granted always ungated") {
                        let said = try await said(by: "bluetooth", on: bench)
                        #expect(said == nil)
                    }
                    #expect(try await bench.page("bluetooth").primary == .complete(title: nil))
                }
            }
        }

        @Test func `lingering is switched on for this user alone`() async throws {
            try await ProbeBench.run(system: true) { bench, _, system in
                let script = """
                    object("/org/freedesktop/login1", "org.freedesktop.login1.Manager", [("SetUserLinger", "ubb", "",
                        "assert tuple(args) == (\(getuid()), True, False), args; print('lingers', flush=True)")])
                    """
                try await MockService.run("org.freedesktop.login1", on: system, script: script) { service in
                    let said = try await said(by: "linger", on: bench)
                    #expect(said == nil)
                    #expect(try await service.process.line(orElse: "logind wasn't asked") == "lingers")
                }
            }
        }

        @Test func `polkit may ask only when it is performed`() async throws {
            try await ProbeBench.run(system: true) { bench, _, system in
                let script = """
                    object("/org/freedesktop/PolicyKit1/Authority", "org.freedesktop.PolicyKit1.Authority",
                        [("CheckAuthorization", "(sa{sv})sa{ss}us", "(bba{ss})",
                        "ret = (args[3] == 1, args[3] == 0, dbus.Dictionary({}, signature='ss'))")])
                    """
                let action: JSONObject = ["action": "org.example.act"]
                try await MockService.run("org.freedesktop.PolicyKit1", on: system, script: script) { _ in
                    let page = try await bench.page("polkit", action)
                    #expect(page.primary == .perform(action: "ask", title: .allow))
                    let said = try await said(by: "polkit", action, on: bench)
                    #expect(said == nil)
                    try await bench.expect("polkit", action, is: "notDetermined")
                }
            }
        }

        @Test func `a service that must run is started by its page, and by nothing else`() async throws {
            try await ProbeBench.run { bench, session, _ in
                let marker = session.directory + "/started"
                try await session.addActivatable(
                    "org.freedesktop.impl.portal.PermissionStore",
                    exec:
                        "/bin/sh -c 'touch \(marker); exec env HOME=\(session.directory) /usr/libexec/xdg-permission-store'"
                )
                let options: JSONObject = ["name": "org.freedesktop.impl.portal.PermissionStore", "running": true]
                let page = try await bench.page("service", options)
                #expect(page.primary == .perform(action: "ask", title: .turnOn))
                #expect(!FileManager.default.fileExists(atPath: marker))
                try await bench.expectChange(of: "service", options, to: "granted always ungated") {
                    let said = try await said(by: "service", options, on: bench)
                    #expect(said == nil)
                }
                #expect(FileManager.default.fileExists(atPath: marker))
            }
        }

        @Test func `where nobody could ask, the page says so`() async throws {
            try await ProbeBench.run { bench, _, _ in
                for (kind, language, words) in [
                    ("camera", "en", "This desktop has nothing that could ask for it."),
                    ("location", "de", "Auf diesem Desktop gibt es nichts, das danach fragen könnte."),
                ] {
                    var context = bench.context()
                    context.languages = LanguagePreferences([language])
                    let step = try bench.step(kind)
                    await #expect(throws: PluginError(words)) { try await step.perform("ask", in: context) }
                }
            }
        }

        @Test func `settings are opened where the desktop has a page for them`() async throws {
            try await ProbeBench.run { bench in
                var bench = bench
                bench.machine.root = ""
                let log = bench.directory + "/log"
                let denied = Satisfaction(isSatisfied: false, status: .denied, evidence: "no")
                let table = [
                    ("GNOME", "gnome-control-center", "notifications"),
                    ("ubuntu:GNOME", "gnome-control-center", "notifications"),
                    ("KDE", "systemsettings", "kcm_notifications"),
                    ("X-Cinnamon", "cinnamon-settings", "notifications"),
                    ("XFCE", "xfce4-notifyd-config", ""), ("MATE", "mate-notification-properties", ""),
                ]
                for (desktop, program, panel) in table {
                    bench.environment["XDG_CURRENT_DESKTOP"] = desktop
                    bench.environment["DISPLAY"] = ":7"
                    bench.environment["PATH"] = "/usr/bin:/bin"
                    let step = try bench.step("notifications")
                    var page = try await step.page(in: bench.context(satisfaction: denied))
                    #expect(page.primary == .perform(action: "check", title: .tryAgain), "\(program) isn't installed")
                    // A name in a directory of its own on PATH is an installed program; the shell runs it.
                    let directory = bench.directory + "/" + desktop.replacingOccurrences(of: ":", with: "-")
                    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
                    try shell(
                        #"printf '#!/bin/sh\necho "${0##*/} $*" >>%s\n' "$2" >"$1"; chmod 755 "$1""#,
                        directory + "/" + program, log)
                    bench.environment["PATH"] = directory + ":/usr/bin:/bin"
                    page = try await step.page(in: bench.context(satisfaction: denied))
                    #expect(page.primary == .perform(action: "settings", title: .openSettings))
                    let written = Changes(FileWatch.changes(of: [log]))
                    _ = await written.next()
                    try await step.perform("settings", in: bench.context())
                    let expected = panel.isEmpty ? "\(program) " : "\(program) \(panel)"
                    while (try? String(contentsOfFile: log, encoding: .utf8))?.contains(expected) != true {
                        try #require(await written.next())
                    }
                    bench.environment["DISPLAY"] = nil
                    page = try await step.page(in: bench.context(satisfaction: denied))
                    #expect(page.primary == .perform(action: "check", title: .tryAgain), "there is no display")
                }
            }
        }

        /// What the user is told after an action, or nil where all went well.
        private func said(
            by kind: String, _ options: JSONObject = [:], on bench: ProbeBench
        ) async throws -> String? {
            let step = try bench.step(kind, options)
            do throws(PluginError) {
                try await step.perform("ask", in: bench.context())
                return nil
            } catch {
                return error.message
            }
        }
    }
}
