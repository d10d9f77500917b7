internal import DoorstepSQLite

/// The rule that no app's prefix begins with another's.
enum PrefixOverlap {
    /// Apps in the order in which they get their prefixes: the ones whose prefix is their own ID before those that claim
    /// another name space, so that one wide claim never shuts out the apps below it; otherwise as given.
    static func ranked(_ apps: [RegisteredApp]) -> [RegisteredApp] {
        apps.filter(\.manifest.hasOwnPrefix) + apps.filter { !$0.manifest.hasOwnPrefix }
    }

    /// The first app whose prefix overlaps this one's and that doesn't give way to it.
    ///
    /// Sorted by prefix, only neighbours could overlap; families are small enough for a plain walk over the accepted ones.
    static func find(_ app: RegisteredApp, among others: [RegisteredApp]) -> RegisteredApp? {
        others.first { other in
            let givesWay = app.manifest.hasOwnPrefix && !other.manifest.hasOwnPrefix
            return other.id != app.id && !givesWay
                && FlowRegistration.overlap(app.manifest.prefix, other.manifest.prefix)
        }
    }

    static func fault(of app: RegisteredApp, with other: RegisteredApp) -> ManifestFault {
        ManifestFault(
            file: app.file.path, place: "prefix",
            message:
                "the prefix \"\(app.manifest.prefix)\" of \"\(app.id)\" overlaps \"\(other.manifest.prefix)\" of \"\(other.id)\" "
                + "(\(other.file.path)); neither may begin with the other, so give one app another prefix")
    }
}
