internal import DoorstepPluginKit
internal import Glibc

/// A page of the desktop's settings, and the program that opens it.
///
/// Desktops share no address for their settings, so each has a row of its own; one whose program isn't installed counts as
/// having no such page.
enum SettingsPanel {
    case notifications, location, camera, sound, bluetooth, network, accessibility

    /// The program and its arguments that open the page on this desktop, or nil where there is none.
    func command(in context: ProbeContext) -> [String]? {
        // A sandbox has neither the desktop's programs nor a way to start them.
        guard !context.isSandboxed, context.variable("DISPLAY") != nil || context.variable("WAYLAND_DISPLAY") != nil
        else {
            return nil
        }
        for desktop in context.desktops {
            for command in commands(on: desktop) {
                if let program = command.first, let path = context.program(program) {
                    return [path] + command.dropFirst()
                }
            }
        }
        return nil
    }

    private func commands(on desktop: String) -> [[String]] {
        switch desktop {
        case "gnome", "unity", "ubuntu", "budgie": [["gnome-control-center", gnomePanel]]
        case "kde": kdeModule.map { [["systemsettings", $0], ["systemsettings5", $0], ["kcmshell5", $0]] } ?? []
        case "x-cinnamon", "cinnamon": [["cinnamon-settings", cinnamonModule]]
        case "xfce": xfcePrograms.map { [$0] } + [["xfce4-settings-manager"]]
        case "mate": (self == .notifications ? [["mate-notification-properties"]] : []) + [["mate-control-center"]]
        default: []
        }
    }

    private var gnomePanel: String {
        switch self {
        case .notifications: "notifications"
        case .location: "location"
        case .camera: "camera"
        case .sound: "sound"
        case .bluetooth: "bluetooth"
        case .network: "network"
        case .accessibility: "universal-access"
        }
    }

    private var kdeModule: String? {
        switch self {
        case .notifications: "kcm_notifications"
        case .sound: "kcm_pulseaudio"
        case .bluetooth: "kcm_bluetooth"
        case .network: "kcm_networkmanagement"
        case .accessibility: "kcm_access"
        case .location, .camera: nil
        }
    }

    private var cinnamonModule: String {
        switch self {
        case .notifications: "notifications"
        case .sound: "sound"
        case .bluetooth: "bluetooth"
        case .network: "network"
        case .accessibility: "accessibility"
        case .location, .camera: "privacy"
        }
    }

    private var xfcePrograms: [String] {
        switch self {
        case .notifications: ["xfce4-notifyd-config"]
        case .sound: ["pavucontrol"]
        case .bluetooth: ["blueman-manager"]
        case .network: ["nm-connection-editor"]
        case .accessibility: ["xfce4-accessibility-settings"]
        case .location, .camera: []
        }
    }
}

/// Starts a program that lives on its own.
enum DetachedProgram {
    /// Starts it in a session of its own with nothing to read and nowhere to write, and forgets it.
    ///
    /// - Returns: Whether it could be started.
    static func start(_ command: [String], environment: [String: String]) -> Bool {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        for output in [1, 2] as [Int32] { posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0) }

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        // POSIX_SPAWN_SETSID of glibc's spawn.h, which isn't imported.
        let newSession: Int32 = 0x80
        posix_spawnattr_setflags(&attributes, Int16(Int32(POSIX_SPAWN_SETSIGMASK) | newSession))

        // The shell leaves at once, so that init and not this process has the program's end to see to.
        let shell = ["/bin/sh", "-c", "\"$@\" &", "sh"]
        var argv = (shell + command).map { strdup($0) } + [nil]
        var envp = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in argv + envp { free(text) } }
        var child: pid_t = 0
        guard posix_spawn(&child, shell[0], &actions, &attributes, &argv, &envp) == 0 else { return false }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return status == 0
    }
}
