internal import DoorstepBus
internal import DoorstepPluginKit

/// What a probe found: a status, on what a grant rests, and one line that says what was asked and what it said.
struct Finding: Equatable {
    var status: AuthorizationStatus
    var basis: GrantBasis?
    var evidence: String

    init(_ status: AuthorizationStatus, basis: GrantBasis? = nil, _ evidence: String) {
        self.status = status
        self.basis = basis
        self.evidence = evidence
    }

    /// A grant with what it rests on.
    static func granted(_ basis: GrantBasis, mode: GrantMode = .always, _ evidence: String) -> Finding {
        Finding(.granted(mode), basis: basis, evidence)
    }

    /// What it means that a bus or a service gave an error instead of an answer.
    ///
    /// A service that hung is unknown and never denied; a missing feature and a missing session are unavailable.
    init(_ error: BusError) {
        let status: AuthorizationStatus
        if error.isUnavailable || error.isUnknownFeature {
            status = .unavailable
        } else if error.isNotFound {
            status = .notDetermined
        } else {
            status = .unknown
        }
        self.init(status, error.description)
    }
}
