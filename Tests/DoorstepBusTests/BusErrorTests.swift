import Testing

@testable import DoorstepBus

@Suite("What an error means") struct BusErrorTests {
    private enum Category: String, CaseIterable {
        case unavailable, timeout, notOwned, unknownFeature, notFound, accessDenied, activationFailure
    }

    private static func categories(of error: BusError) -> Set<Category> {
        Set(
            Category.allCases.filter { category in
                switch category {
                case .unavailable: error.isUnavailable
                case .timeout: error.isTimeout
                case .notOwned: error.isNotOwned
                case .unknownFeature: error.isUnknownFeature
                case .notFound: error.isNotFound
                case .accessDenied: error.isAccessDenied
                case .activationFailure: error.isActivationFailure
                }
            })
    }

    private static let freedesktop = "org.freedesktop.DBus.Error."

    private static let remotes: [(name: String, message: String, category: Category?)] = [
        (freedesktop + "NoReply", "Message recipient disconnected from message bus without replying", .timeout),
        (freedesktop + "Timeout", "", .timeout),
        (freedesktop + "ServiceUnknown", "The name org.bluez was not provided by any .service files", .notOwned),
        (freedesktop + "NameHasNoOwner", "Name \"org.bluez\" does not exist", .notOwned),
        (
            freedesktop + "NameHasNoOwner", "Could not activate remote peer: startup job failed.",
            .activationFailure
        ),
        (freedesktop + "TimedOut", "Failed to activate service 'a.b': timed out", .activationFailure),
        (freedesktop + "FileExists", "", .activationFailure),
        (freedesktop + "Spawn.ChildSignaled", "", .activationFailure),
        (freedesktop + "Spawn.ExecFailed", "", .activationFailure),
        (freedesktop + "UnknownObject", "", .unknownFeature),
        (freedesktop + "UnknownInterface", "", .unknownFeature),
        (freedesktop + "UnknownMethod", "", .unknownFeature),
        (freedesktop + "UnknownProperty", "", .unknownFeature),
        (freedesktop + "InvalidArgs", "No such interface “org.freedesktop.portal.ScreenCast”", .unknownFeature),
        (freedesktop + "InvalidArgs", "No such property “Inhibited”", .unknownFeature),
        (freedesktop + "InvalidArgs", "Invalid value", nil),
        (freedesktop + "AccessDenied", "", .accessDenied),
        (freedesktop + "AuthFailed", "", .accessDenied),
        (freedesktop + "InteractiveAuthorizationRequired", "", .accessDenied),
        ("org.freedesktop.PolicyKit1.Error.NotAuthorized", "Only trusted callers", .accessDenied),
        ("org.freedesktop.portal.Error.NotFound", "No entry for camera", .notFound),
        ("org.freedesktop.portal.Error.Failed", "Unable to load db file devices: invalid gvdb header", nil),
        ("org.example.Error.UnknownMethod", "", nil),
        ("", "", nil),
    ]

    @Test(arguments: remotes.indices)
    func `an error reply belongs to one category at most`(row: Int) {
        let (name, message, category) = Self.remotes[row]
        let error = BusError.remote(name: name, message: message)
        #expect(Self.categories(of: error) == Set([category].compactMap(\.self)))
    }

    @Test func `errors of the client itself are told apart`() {
        #expect(Self.categories(of: .unavailable(.session, .noAddress)) == [.unavailable])
        #expect(Self.categories(of: .timeout) == [.timeout])
        let others: [BusError] = [
            .disconnected, .cancelled, .invalidCall("x"), .invalidReply(expected: "u", found: "s"),
        ]
        for error in others { #expect(Self.categories(of: error).isEmpty) }
    }

    @Test func `every reason for having no bus is a sentence that names the bus`() {
        let reasons: [BusUnavailability] = [
            .noLibrary, .noAddress, .unsupportedAddress, .noSocket, .refused, .notAllowed, .failed(errno: 24),
        ]
        for reason in reasons {
            for bus in Bus.allCases {
                let sentence = BusError.unavailable(bus, reason).description
                #expect(sentence.hasPrefix("There is no \(bus): ") && sentence.hasSuffix("."))
                #expect(sentence.dropLast().last?.isPunctuation == false)
            }
        }
        let sentence = BusError.unavailable(.system, .unsupportedAddress).description
        #expect(sentence == "There is no system bus: DBUS_SYSTEM_BUS_ADDRESS doesn't name a usable unix: socket.")
    }

    @Test func `an error reply is quoted`() {
        #expect(
            BusError.remote(name: "a.b", message: "It broke.").description
                == "The service answered with the error a.b: It broke.")
        #expect(BusError.remote(name: "a.b", message: "").description == "The service answered with the error a.b.")
    }
}
