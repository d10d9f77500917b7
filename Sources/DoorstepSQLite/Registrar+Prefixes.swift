internal import Doorstep
internal import Glibc

/// Whose a prefix is.
///
/// - It belongs to the app that registered it for as long as records or inputs stand under it: nobody else comes by them
///   through a prefix that was given up. Unregistering leaves the app's row without a flow.
/// - Without records and inputs it belongs to its app for as long as the manifest exists. A flow that was declared in code
///   has none, so only unregistering frees its prefix; a row without a flow and without a manifest holds nothing back.
/// - An overlapping registration is refused with both names, and so is an app's change of its own prefix while its
///   records or inputs stand under the old one.
extension Registrar {
    /// The app that has exactly this prefix.
    func app(withPrefix prefix: String) throws(OnboardingStorageError) -> String? {
        var app: String?
        try connection.query("SELECT app FROM apps WHERE prefix = ?1", [.text(prefix)], "look an app up") {
            (row) throws(OnboardingStorageError) in
            app = row.text(0)
        }
        return app
    }

    /// Whether records or inputs stand under a prefix.
    func holdsAnswers(_ prefix: String) throws(OnboardingStorageError) -> Bool {
        var holds = false
        try connection.query(
            "SELECT EXISTS (SELECT 1 FROM records WHERE prefix = ?1) OR EXISTS (SELECT 1 FROM inputs WHERE prefix = ?1)",
            [.text(prefix)], "look for answers"
        ) { (row) throws(OnboardingStorageError) in
            holds = row.flag(0)
        }
        return holds
    }

    /// Refuses to give an app another prefix while answers stand under the one that it has.
    func requireNothingLeft(
        by registration: FlowRegistration, under kept: String
    ) throws(OnboardingStorageError) {
        if FlowRegistration.isSame(kept, registration.prefix) { return }
        guard try holdsAnswers(kept) else { return }
        throw OnboardingStorageError(
            .invalid,
            "app \"\(registration.app)\" can't change its prefix to \"\(registration.prefix)\": it has answers under its prefix \"\(kept)\"; keep that prefix, or erase the app's answers first"
        )
    }

    /// Refuses a prefix that overlaps another app's, and drops those apps that don't need theirs any more.
    func requireFreePrefix(_ registration: FlowRegistration) throws(OnboardingStorageError) {
        for app in try abandoned(besides: registration) {
            try connection.execute("DELETE FROM apps WHERE app = ?1", [.text(app)], "drop an app that is gone")
        }
    }

    /// The apps whose prefixes overlap a registration's and that don't need theirs any more.
    ///
    /// - Throws: ``OnboardingStorageError`` where one does.
    func abandoned(besides registration: FlowRegistration) throws(OnboardingStorageError) -> [String] {
        var abandoned: [String] = []
        for rival in try connection.owners(in: "apps", overlapping: registration.prefix)
        where !rival.app.utf8.elementsEqual(registration.app.utf8) {
            let holdsAnswers = try holdsAnswers(rival.prefix)
            let isAbandoned = try isAbandoned(rival.app)
            if holdsAnswers || !isAbandoned {
                throw Self.overlap(of: registration, with: rival.prefix, of: rival.app, holdsAnswers: holdsAnswers)
            }
            abandoned.append(rival.app)
        }
        return abandoned
    }

    /// Whether an app's manifest is gone, or, for one without a manifest, its flow.
    private func isAbandoned(_ app: String) throws(OnboardingStorageError) -> Bool {
        var isAbandoned = true
        try connection.query(
            "SELECT source_path, EXISTS (SELECT 1 FROM flow_steps WHERE flow_steps.app = apps.app) FROM apps WHERE app = ?1",
            [.text(app)], "look an app up"
        ) { (row) throws(OnboardingStorageError) in
            isAbandoned = row.optionalText(0).map(Self.isGone) ?? !row.flag(1)
        }
        return isAbandoned
    }

    /// The error for a registration whose prefix overlaps another app's.
    static func overlap(
        of registration: FlowRegistration, with prefix: String, of app: String, holdsAnswers: Bool
    ) -> OnboardingStorageError {
        let standing = holdsAnswers ? ", which has answers in the suite" : ""
        let owner = "the prefix \"\(prefix)\" of app \"\(app)\"\(standing)"
        let wayOut = holdsAnswers ? "erase the answers of \"\(app)\" and unregister it" : "unregister \"\(app)\""
        return OnboardingStorageError(
            .invalid,
            "app \"\(registration.app)\" can't have the prefix \"\(registration.prefix)\": it overlaps \(owner); give one of them another prefix, or \(wayOut)"
        )
    }

    /// Whether nothing stands at a manifest's path; one that is only out of reach is not gone.
    private static func isGone(_ manifest: String) -> Bool {
        // What an earlier doorstep kept relative to its own directory says nothing here.
        guard manifest.isAbsolutePath else { return false }
        var facts = stat()
        return stat(manifest, &facts) != 0 && (errno == ENOENT || errno == ENOTDIR)
    }
}
