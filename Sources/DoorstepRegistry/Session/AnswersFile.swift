public import Doorstep
public import DoorstepJSON

/// Answers given ahead, by step: what `doorstep run --answers` reads, for kiosks and tests.
///
/// ```json
/// { "com.example.aurora.profile.name": { "name": "Ada" }, "com.example.aurora.reqs.notifications": false }
/// ```
public struct AnswersFile: Sendable {
    /// The answer of one step.
    enum Answer: Sendable {
        /// `true`: completed, with the initial values of its fields.
        case completed
        /// `false`: declined.
        case declined
        /// An object: completed with these inputs.
        case inputs([String: OnboardingInputValue])
    }

    private let object: JSONObject

    /// Answers from a file's JSON.
    ///
    /// - Throws: ``AnswersError/invalid(_:)`` for anything but an object.
    public init(_ value: JSONValue) throws(AnswersError) {
        guard let object = value.object else {
            let message = "this is \(value.typeName); it must be an object from step IDs to true, false or inputs"
            throw .invalid(JSONFaults([JSONFault(path: .root, message: message)]))
        }
        self.object = object
    }

    /// Answers every page of a showing, from its start to its finish.
    ///
    /// All answers are validated before anything is written. A step that isn't named is left as if the user moved past it;
    /// answers of steps that need none any more are validated and then ignored.
    ///
    /// - Throws: ``AnswersError``: every mistake at once, with nothing written; or the storage's error.
    public func answer(_ showing: PreparedShowing) async throws(AnswersError) {
        let answers = try await validated(for: showing)
        var stuck: OnboardingStepID?
        do throws(OnboardingStorageError) {
            // All of them or none: a run that ends in the middle has answered nothing.
            let pager = try showing.begin(commit: .onFinish).pager
            try pager.start()
            while let page = pager.page {
                // Everything was validated before the start, so a page that stays would be shown for ever.
                if case .stayed = try Self.answer(page, with: answers[page.step.id], in: pager) {
                    stuck = page.step.id
                    break
                }
            }
        } catch {
            throw .storage(error)
        }
        if let stuck { throw .refused(step: stuck) }
    }

    private static func answer(
        _ page: OnboardingPager.Page, with answer: Answer?, in pager: OnboardingPager
    ) throws(OnboardingStorageError) -> OnboardingPager.Move {
        switch answer {
        case nil: return try pager.forward()
        case .completed?: return try pager.complete()
        case .declined?: return try pager.skip()
        case .inputs(let inputs)?:
            for (key, value) in inputs { pager.setValue(value, for: key) }
            return try pager.complete()
        }
    }

    private func validated(for showing: PreparedShowing) async throws(AnswersError) -> [OnboardingStepID: Answer] {
        var answers: [OnboardingStepID: Answer] = [:]
        var faults: [JSONFault] = []
        for (key, value) in object {
            let id = OnboardingStepID(key)
            let path = JSONPath.root.key(key)
            guard let page = await showing.anyPage(id) else {
                faults.append(JSONFault(path: path, message: showing.app.unknownStep(key)))
                continue
            }
            let (answer, found) = Self.read(value, for: page, at: path)
            faults += found
            answers[id] = answer
        }
        for page in showing.pages where object[page.step.id.rawValue] == nil && !page.step.isSkippable {
            let path = JSONPath.root.key(page.step.id.rawValue)
            faults += Self.missing(page.content.fields, given: [:], at: path)
        }
        if !faults.isEmpty { throw .invalid(JSONFaults(faults)) }
        return answers
    }

    private static func read(
        _ value: JSONValue, for page: OnboardingPager.Page, at path: JSONPath
    ) -> (Answer?, [JSONFault]) {
        let fields = page.content.fields
        switch value {
        case .bool(true):
            return (.completed, missing(fields, given: [:], at: path))
        case .bool(false):
            if page.step.isSkippable && !page.isWelcome { return (.declined, []) }
            let message = "this step can't be declined; accepted are true or an object of its inputs"
            return (nil, [JSONFault(path: path, message: message)])
        case .object(let object):
            return inputs(object, for: fields, at: path)
        default:
            let message = "this is \(value.typeName); it must be true, false, or an object of inputs by key"
            return (nil, [JSONFault(path: path, message: message)])
        }
    }

    private static func inputs(
        _ object: JSONObject, for fields: [StepField], at path: JSONPath
    ) -> (Answer?, [JSONFault]) {
        var inputs: [String: OnboardingInputValue] = [:]
        var faults: [JSONFault] = []
        for (key, value) in object {
            guard let field = fields.first(where: { $0.key == key }) else {
                let keys = fields.map(\.key)
                let hint = JSONFault.hint(nearestSpelling(of: key, among: keys), accepted: keys)
                faults.append(JSONFault(path: path.key(key), message: "this key is unknown\(hint)"))
                continue
            }
            let input = OnboardingInputValue(value)
            if let fault = input == nil ? .noPattern : field.fault(in: input) {
                faults.append(JSONFault(path: path.key(key), message: Self.sentence(fault, for: field, found: value)))
            } else {
                inputs[key] = input
            }
        }
        faults += missing(fields, given: object, at: path)
        return (.inputs(inputs), faults)
    }

    /// The fields that need a value, have none given, and hold no acceptable one from the start.
    private static func missing(_ fields: [StepField], given: JSONObject, at path: JSONPath) -> [JSONFault] {
        fields.filter { given[$0.key] == nil && $0.fault(in: $0.initialValue) != nil }.map { field in
            JSONFault(path: path.key(field.key), message: "this input is needed and has no default; give it a value")
        }
    }

    /// What is wrong with a value, without repeating it.
    private static func sentence(_ fault: Phrase, for field: StepField, found: JSONValue) -> String {
        let wanted =
            switch field.kind {
            case .text: "a string"
            case .integer: "an integer"
            case .choice: "a string"
            case .toggle: "true or false"
            }
        let isRightType =
            switch field.kind {
            case .text, .choice: found.string != nil
            case .integer: found.integer != nil
            case .toggle: found.bool != nil
            }
        if !isRightType { return "this is \(found.typeName); it must be \(wanted)" }
        return "its field refuses this value, saying \"\(fault.text(for: LanguagePreferences(["en"])))\""
    }
}

extension OnboardingInputValue {
    /// An input from its JSON form, or nil for a form that none has.
    public init?(_ value: JSONValue) {
        if let text = value.string {
            self = .text(text)
        } else if let number = value.integer {
            self = .integer(number)
        } else if let flag = value.bool {
            self = .toggle(flag)
        } else {
            return nil
        }
    }

    /// The input's JSON form.
    public var json: JSONValue {
        switch self {
        case .text(let text): .string(text)
        case .integer(let number): .integer(number)
        case .toggle(let flag): .bool(flag)
        }
    }
}
