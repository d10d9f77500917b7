internal import DoorstepBus
internal import DoorstepPluginKit

/// Whether there is a microphone and the app may use it.
///
/// The sound server's socket is looked at and never connected to, since connecting starts PipeWire.
struct MicrophoneProbe: PermissionProbe {
    let kind = "microphone"
    let summary = "There is a microphone, and the app may use it"
    let subject = CheckSubject.app
    let icon = "audio-input-microphone-symbolic"
    let title = LocalizedText([
        LocalizedText.Entry(tag: "en", text: "Microphone"),
        LocalizedText.Entry(tag: "de", text: "Mikrofon"),
        LocalizedText.Entry(tag: "ar", text: "الميكروفون"),
        LocalizedText.Entry(tag: "ja", text: "マイク"),
    ])

    let settings: SettingsPanel? = .sound

    func watches(_ options: Void, in context: ProbeContext) -> [Watch] {
        let decisions = Watch.store("devices") + Lockdown.microphone.watches(in: context)
        guard let directory = context.directory("XDG_RUNTIME_DIR") else { return decisions }
        return decisions + [.file(directory + "/pipewire-0"), .file(directory + "/pulse/native")]
    }

    func remedy(for status: AuthorizationStatus, _ options: Void, in context: ProbeContext) -> Remedy {
        .settings
    }

    func finding(_ options: Void, in context: ProbeContext) async throws(BusError) -> Finding {
        guard let directory = context.directory("XDG_RUNTIME_DIR") else {
            return Finding(.unavailable, "there is no login session (XDG_RUNTIME_DIR is unset)")
        }
        let sockets = ["pipewire-0", "pulse/native"].map { directory + "/" + $0 }
        guard let socket = sockets.first(where: context.machine.exists) else {
            return context.isSandboxed
                ? Finding(.restricted, "the sandbox has no socket of a sound server")
                : Finding(.unavailable, "no sound server has a socket in \(directory)")
        }
        if let locked = try await Lockdown.microphone.finding(in: context).get() { return locked }
        let entry: StoreEntry
        do throws(BusError) {
            entry = try await context.storeEntry(table: "devices", id: "microphone").get()
        } catch {
            guard error.isUnavailable else { throw error }
            entry = .absent
        }
        let decision = StoredDecision(entry, in: "devices")
        switch decision {
        case .no: return Finding(.denied, "the permission store's entry for the microphone is \"no\"")
        case .ask: return Finding(.notDetermined, "the permission store says to ask for the microphone each time")
        case .unreadable(let finding): return finding
        case .yes, .undecided: break
        }
        // Without a recording device a sound server offers only its own output to record.
        guard let devices = context.machine.text("/proc/asound/pcm"), devices.contains("capture") else {
            return Finding(.unavailable, "no sound device of this machine can record (/proc/asound/pcm)")
        }
        return decision == .yes
            ? .granted(.explicit, "the permission store's entry for the microphone is \"yes\"")
            : .granted(.ungated, "\(socket) is there, and nothing guards it")
    }
}
