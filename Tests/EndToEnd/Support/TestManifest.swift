import DoorstepJSON

/// A manifest made by a test.
struct TestManifest: Sendable {
    var app: String
    var members: JSONObject
    var steps: [JSONObject]

    /// A flow without a welcome.
    init(_ app: String, prefix: String? = nil, commit: String = "eachStep", steps: [JSONObject]) {
        self.app = app
        self.steps = steps
        members = ["format": 1, "app": .string(app), "commit": .string(commit)]
        if let prefix { members["prefix"] = .string(prefix) }
    }

    var text: String {
        var object = members
        object["steps"] = .array(steps.map(JSONValue.object))
        return JSONValue.object(object).serialized(.pretty)
    }

    /// A page to read.
    static func info(
        _ id: String, required: Bool = false, skippable: Bool = true, revision: Int = 1, title: JSONValue? = nil
    ) -> JSONObject {
        var step: JSONObject = [
            "id": .string(id), "plugin": "info", "required": .bool(required), "skippable": .bool(skippable),
            "revision": .integer(revision),
        ]
        if let title { step["title"] = title }
        return step
    }

    /// A family member in four languages, with every kind of field, a welcome, and texts of some length.
    static func aurora(commit: String = "eachStep", app: String = "com.example.aurora") -> TestManifest {
        var manifest = TestManifest(
            app, commit: commit,
            steps: [
                profile(
                    "\(app).profile.name", required: true, skippable: false,
                    title: [
                        "en": "What's your name?", "de": "Wie heißt du?", "ar": "ما اسمك؟", "ja": "お名前は？",
                    ],
                    input: [
                        "key": "name", "type": "text", "minLength": 3, "maxLength": 80,
                        "label": ["en": "Your name", "de": "Dein Name", "ar": "اسمك", "ja": "あなたの名前"],
                    ]),
                profile(
                    "\(app).profile.age", title: ["en": "How old are you?", "de": "Wie alt bist du?"],
                    input: ["key": "age", "type": "integer", "minimum": 18, "maximum": 100, "default": 50]),
                info("\(app).tips", title: ["en": "Tips", "de": "Tipps", "ar": "نصائح", "ja": "ヒント"]),
            ])
        manifest.members["name"] = ["en": "Aurora", "ar": "أورورا", "ja": "オーロラ"]
        manifest.members["welcome"] = [
            "id": .string("\(app).welcome"),
            "title": ["en": "Find your night sky", "de": "Finde deinen Nachthimmel", "ja": "夜空を見つけよう"],
            "body": [
                "en": .string(longEnglish), "de": .string(longGerman), "ar": .string(longArabic),
                "ja": .string(longJapanese),
            ],
        ]
        return manifest
    }

    static func profile(
        _ id: String, required: Bool = false, skippable: Bool = true, title: JSONValue, input: JSONValue
    ) -> JSONObject {
        [
            "id": .string(id), "plugin": "profile", "required": .bool(required), "skippable": .bool(skippable),
            "title": title, "options": ["inputs": .array([input])],
        ]
    }

    static let longEnglish =
        "Aurora tells you when the sky over your place is clear enough to see the northern lights, and it looks again "
        + "every few minutes while you sleep."
    static let longGerman =
        "Aurora sagt dir, wann der Himmel über deinem Ort klar genug für Polarlichter ist, und die "
        + "Himmelsbeobachtungsbenachrichtigungen kommen auch nachts."
    static let longArabic =
        "يخبرك التطبيق متى تكون السماء فوق مكانك صافية بما يكفي لرؤية الشفق القطبي، ويتحقق منها كل بضع دقائق أثناء نومك."
    static let longJapanese =
        "お住まいの場所の空がオーロラを見るのに十分晴れているときにお知らせし、お休みの間も数分ごとに空を確認します。"
}
