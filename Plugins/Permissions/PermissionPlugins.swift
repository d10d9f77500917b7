public import DoorstepPluginKit

/// The permission checks that Doorstep brings: each a kind of step that reads how things stand and never asks anybody.
public enum PermissionPlugins {
    /// All of them, by kind.
    public static let all: [any StepPlugin] = plugins(on: Machine())

    /// All of them, on a machine whose files may stand somewhere else.
    static func plugins(on machine: Machine) -> [any StepPlugin] {
        [
            PermissionPlugin(AccessibilityProbe(), on: machine),
            PermissionPlugin(BackgroundProbe(), on: machine),
            PermissionPlugin(BluetoothProbe(), on: machine),
            PermissionPlugin(CameraProbe(), on: machine),
            PermissionPlugin(CommandProbe(), on: machine),
            PermissionPlugin(DeviceGroupProbe(), on: machine),
            PermissionPlugin(FileAccessProbe(), on: machine),
            PermissionPlugin(LingerProbe(), on: machine),
            PermissionPlugin(CapabilityProbe(), on: machine),
            PermissionPlugin(LocationProbe(), on: machine),
            PermissionPlugin(MicrophoneProbe(), on: machine),
            PermissionPlugin(NetworkProbe(), on: machine),
            PermissionPlugin(NotificationsProbe(), on: machine),
            PermissionPlugin(PolkitProbe(), on: machine),
            PermissionPlugin(ScreenCaptureProbe(), on: machine),
            PermissionPlugin(SecretsProbe(), on: machine),
            PermissionPlugin(ServiceProbe(), on: machine),
        ]
    }
}
