internal import DoorstepBus
internal import DoorstepPluginKit

/// Whether the desktop shows this app's notifications.
///
/// That a call to the server succeeds proves nothing: a portal accepts a notification that its store forbids. So the store
/// is read as well, and the server is only asked who it is and whether it is muted.
struct NotificationsProbe: PermissionProbe {
    let kind = "notifications"
    let summary = "The desktop shows the app's notifications"
    let subject = CheckSubject.app
    let icon = "preferences-system-notifications-symbolic"
    let title = LocalizedText([
        LocalizedText.Entry(tag: "en", text: "Notifications"),
        LocalizedText.Entry(tag: "de", text: "Benachrichtigungen"),
        LocalizedText.Entry(tag: "ar", text: "الإشعارات"),
        LocalizedText.Entry(tag: "ja", text: "通知"),
    ])

    private static let name = "org.freedesktop.Notifications"

    let settings: SettingsPanel? = .notifications

    func watches(_ options: Void, in context: ProbeContext) -> [Watch] {
        [
            .owner(.session, Self.name),
            .properties(.session, of: Self.name, path: "/org/freedesktop/Notifications"),
        ] + Watch.store("notifications") + DesktopSettings.watches(in: context)
    }

    func remedy(for status: AuthorizationStatus, _ options: Void, in context: ProbeContext) -> Remedy {
        .settings
    }

    func finding(_ options: Void, in context: ProbeContext) async throws(BusError) -> Finding {
        async let server = context.pass.notifications.answer(by: context.deadline) { await self.server(in: context) }
        let entry = await context.storeEntry(table: "notifications", id: "notification")
        let decision = StoredDecision(try entry.get(), in: "notifications")
        switch decision {
        case .no: return Finding(.denied, "the permission store's entry for notifications is \"no\"")
        case .unreadable(let finding): return finding
        case .yes, .ask, .undecided: break
        }
        var basis: GrantBasis = decision == .yes ? .explicit : context.isSandboxed ? .default : .ungated
        switch try await server.get() {
        case .running(let name, var isMuted, let lacks):
            if name == "gnome-shell" {
                switch gnomeSwitches(in: context) {
                case .off(let finding): return finding
                case .on(let isDecided, let isQuiet):
                    if isDecided { basis = .explicit }
                    isMuted = isMuted || isQuiet
                }
            }
            let details = [isMuted ? "muted now" : nil, lacks].compactMap(\.self).map { ", " + $0 }.joined()
            return .granted(basis, mode: isMuted ? .muted : .always, "\(name) shows notifications" + details)
        case .idle:
            // Servers leave when they have nothing to show; the first notification starts one.
            return .granted(basis, "a notification server is installed and starts with the first notification")
        case .absent(let finding):
            return finding
        }
    }

    /// Who shows notifications, whichever app they are from.
    enum Server: Sendable {
        case running(name: String, isMuted: Bool, lacks: String?)
        case idle
        case absent(Finding)
    }

    private func server(in context: ProbeContext) async -> Result<Server, BusError> {
        do throws(BusError) {
            switch try await context.presence(.session, Self.name) {
            case .running: return .success(try await running(in: context))
            case .activatable: return .success(.idle)
            case .absent: return .success(.absent(Finding(.unavailable, "no notification server is installed")))
            case .hidden:
                return .success(.absent(Finding(.unknown, "the sandbox hides whether a notification server is there")))
            }
        } catch {
            return .failure(error)
        }
    }

    private func running(in context: ProbeContext) async throws(BusError) -> Server {
        async let inhibited = flag("Inhibited", of: Self.name, in: context)
        async let paused = flag("paused", of: "org.dunstproject.cmd0", in: context)
        async let lacks = lacks(in: context)
        let answer = try await context.buses.call(
            .session, destination: Self.name, path: "/org/freedesktop/Notifications", interface: Self.name,
            member: "GetServerInformation", expecting: "ssss", deadline: context.deadline)
        let name = answer.first?.string ?? "the notification server"
        let isInhibited = try await inhibited.get()
        let isPaused = try await paused.get()
        return .running(name: name, isMuted: isInhibited || isPaused, lacks: try await lacks.get())
    }

    /// What the server can't do with notifications that apps may count on, in words, or nil where it can.
    private func lacks(in context: ProbeContext) async -> Result<String?, BusError> {
        do throws(BusError) {
            let answer = try await context.buses.call(
                .session, destination: Self.name, path: "/org/freedesktop/Notifications", interface: Self.name,
                member: "GetCapabilities", expecting: "as", deadline: context.deadline)
            let abilities = answer.first?.strings ?? []
            let lacks = [("actions", "without buttons"), ("persistence", "without keeping them")]
                .filter { !abilities.contains($0.0) }.map(\.1)
            return .success(lacks.isEmpty ? nil : lacks.joined(separator: " and "))
        } catch {
            return error.isUnknownFeature ? .success(nil) : .failure(error)
        }
    }

    /// A property that only some servers have: one that lacks it isn't muted that way, and any other error leaves it open.
    private func flag(
        _ property: String, of interface: String, in context: ProbeContext
    ) async -> Result<Bool, BusError> {
        do throws(BusError) {
            let value = try await context.buses.property(
                .session, destination: Self.name, path: "/org/freedesktop/Notifications", interface: interface,
                name: property, expecting: "b", deadline: context.deadline)
            return .success(value.bool ?? false)
        } catch {
            return error.isUnknownFeature ? .success(false) : .failure(error)
        }
    }
}

/// GNOME's own switches, which count where its shell is the server.
extension NotificationsProbe {
    private enum Switches {
        case on(isDecided: Bool, isQuiet: Bool)
        case off(Finding)
    }

    private func gnomeSwitches(in context: ProbeContext) -> Switches {
        let settings = context.desktopSettings
        let path = "/org/gnome/desktop/notifications"
        let own = "\(path)/application/\(Self.canonical(context.appID))/enable"
        let isDecided: Bool
        switch settings.bool(own) {
        case .off: return .off(Finding(.denied, "GNOME's switch for this app's notifications is off (\(own))"))
        case .unreadable(let words): return .off(Finding(.unknown, words))
        case .on: isDecided = true
        case .unset: isDecided = false
        }
        switch settings.bool("\(path)/show-banners") {
        case .off: return .on(isDecided: isDecided, isQuiet: true)
        case .unreadable(let words): return .off(Finding(.unknown, words))
        case .on, .unset: return .on(isDecided: isDecided, isQuiet: false)
        }
    }

    /// What GNOME calls an app in the paths of its settings: in lower case, with one `-` for all else that isn't a letter
    /// or digit of ASCII.
    static func canonical(_ app: String) -> String {
        var canonical = ""
        for scalar in app.lowercased().unicodeScalars {
            switch scalar {
            case "a"..."z", "0"..."9": canonical.unicodeScalars.append(scalar)
            default: if !canonical.hasSuffix("-") { canonical += "-" }
            }
        }
        return canonical
    }
}
