/// How things stand with a permission or a service outside the flow.
public enum AuthorizationStatus: Sendable, Hashable {
    /// Nobody has decided yet.
    case notDetermined
    /// Switched off for everyone, or by policy; the user of the app can't grant it here.
    case restricted
    /// Somebody decided against it.
    case denied
    /// It is there to use, in this mode.
    case granted(GrantMode)
    /// It isn't on this machine or in this session.
    case unavailable
    /// It could not be found out; never taken for denied, and never for the answer before.
    case unknown

    /// The status' name in JSON, without the mode of a grant.
    public var name: String {
        switch self {
        case .notDetermined: "notDetermined"
        case .restricted: "restricted"
        case .denied: "denied"
        case .granted: "granted"
        case .unavailable: "unavailable"
        case .unknown: "unknown"
        }
    }

    /// The mode of a grant, or nil for every other status.
    public var mode: GrantMode? {
        if case .granted(let mode) = self { return mode }
        return nil
    }
}

/// How far a grant goes. Only ``always`` and ``whileInUse`` are a full one.
public enum GrantMode: String, Sendable, Hashable, CaseIterable {
    /// Without limits.
    case always
    /// While the app is used.
    case whileInUse
    /// Less than was asked for.
    case limited
    /// For now, until the user decides.
    case provisional
    /// Accepted, but shown to nobody at the moment (do not disturb).
    case muted
    /// It looks granted, and nothing verifies it.
    case unverified
}

/// On what a grant rests (`probes.md`, ground rule 5).
public enum GrantBasis: String, Sendable, Hashable, CaseIterable {
    /// Somebody decided.
    case explicit
    /// Nothing is stored, and the policy allows it.
    case `default`
    /// Nothing guards it here.
    case ungated
}
