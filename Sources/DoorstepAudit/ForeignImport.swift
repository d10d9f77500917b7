internal import Doorstep
public import DoorstepRegistry
public import DoorstepSQLite

extension SuiteImport {
    /// What a family brings from a `UserDefaults` property list, XML or binary: answers by key, or one flag for all.
    ///
    /// A key that is the prefix and a step's ID (or the part of it behind the app's own prefix) is that step's answer. Where
    /// the flag is set and every step of the app is unrecorded, every step becomes `true`. The origin is `import`.
    ///
    /// - Parameters:
    ///   - path: The property list.
    ///   - app: The app whose answers they are.
    ///   - keyPrefix: What stands before a step's ID in the list's keys.
    ///   - legacyFlag: The key of a "has completed onboarding" flag, or nil.
    ///   - suite: The suite that is imported into.
    /// - Throws: ``Failure``.
    public init(
        propertyList path: String, app: RegisteredApp, keyPrefix: String, legacyFlag: String?, suite: OnboardingSuite
    ) throws(Failure) {
        let dictionary: [String: PropertyListValue]
        var source = try ImportSource(path: path)
        switch PropertyList.dictionary(try source.rest()) {
        case .success(let found): dictionary = found
        case .failure(let fault): throw .invalid(["\(path): \(fault.message)"])
        }
        var records: [StoredRecord] = []
        var faults: [String] = []
        let prefix = app.manifest.prefix
        let now = OnboardingInstant.now
        func add(_ step: OnboardingStepConfig, _ value: Bool) {
            records.append(
                StoredRecord(
                    prefix: prefix, step: step.id,
                    record: OnboardingRecord(value: value, revision: step.revision, origin: .import, at: now)))
        }
        for step in app.registration.allSteps {
            let id = step.id.rawValue
            let keys = [keyPrefix + id] + (id.hasPrefix(prefix) ? [keyPrefix + id.dropFirst(prefix.count)] : [])
            for key in keys {
                guard let value = dictionary[key] else { continue }
                if let answer = value.answer {
                    add(step, answer)
                } else {
                    faults.append("\(path): the key \"\(key)\" is no answer; accepted: true, false, 1 and 0")
                }
                break
            }
        }
        let warnings = Self.warnings(
            path, dictionary, app: app.id, keyPrefix: keyPrefix, legacyFlag: legacyFlag,
            hasAnswers: !records.isEmpty || !faults.isEmpty)
        if let legacyFlag {
            switch dictionary[legacyFlag]?.answer {
            case nil where dictionary[legacyFlag] != nil:
                faults.append("\(path): the key \"\(legacyFlag)\" is no flag; accepted: true, false, 1 and 0")
            case true? where records.isEmpty:
                if try Self.isUnrecorded(app, in: suite) { for step in app.registration.allSteps { add(step, true) } }
            default: break
            }
        }
        if !faults.isEmpty { throw .invalid(faults) }
        self.init(try Self.restoration(of: records, app: app.id, for: suite), warnings: warnings)
    }

    /// Says which of the names that were given are none of the list's, so that nothing comes of them.
    private static func warnings(
        _ path: String, _ dictionary: [String: PropertyListValue], app: String, keyPrefix: String, legacyFlag: String?,
        hasAnswers: Bool
    ) -> [String] {
        var warnings: [String] = []
        if !hasAnswers, !keyPrefix.isEmpty || legacyFlag == nil {
            let place = keyPrefix.isEmpty ? "" : " with \"\(keyPrefix)\" before it"
            warnings.append(
                "\(path): no key is the ID of a step of \(app)\(place); --key-prefix says what stands before the IDs")
        }
        if let legacyFlag, dictionary[legacyFlag] == nil {
            warnings.append("\(path): there is no key \"\(legacyFlag)\", which --legacy-flag asks for")
        }
        return warnings
    }

    private static func restoration(
        of records: [StoredRecord], app: String, for suite: OnboardingSuite
    ) throws(Failure) -> SuiteRestoration {
        let restoration = try restoration(for: suite)
        do throws(OnboardingStorageError) {
            if let first = records.first { try restoration.add(PrefixOwner(app: app, prefix: first.prefix)) }
            for (line, record) in records.enumerated() { try restoration.add(record, line: line) }
            _ = try restoration.finish(limit: 0)
        } catch {
            throw .storage(error)
        }
        return restoration
    }

    private static func isUnrecorded(_ app: RegisteredApp, in suite: OnboardingSuite) throws(Failure) -> Bool {
        do throws(OnboardingStorageError) {
            let records = try suite.storage(for: app.registration).records()
            for step in app.registration.allSteps where records[step.id] != nil { return false }
            return true
        } catch {
            throw .storage(error)
        }
    }
}
