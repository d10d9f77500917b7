public import Doorstep
internal import DoorstepJSON

/// A page as a plugin in another process describes it: texts in the reader's language, and its own action.
///
/// It has no input fields: what a user types belongs to the `profile` kind, whose values are validated before they leave
/// their page.
public struct PluginPage: Sendable, Hashable {
    /// What the page is about, in a few words.
    public var title: String
    /// A sentence under the title.
    public var headline: String?
    /// Paragraphs of text.
    public var body: [String]
    /// The name of an icon by the freedesktop icon naming specification.
    public var icon: String?
    /// The action of the page's own: what `perform` is asked for; nil for a page that is only acknowledged.
    public var action: Action?
    /// One line on how things stand.
    public var status: String?

    /// Something that the plugin can do outside the flow.
    public struct Action: Sendable, Hashable {
        /// The plugin's name for it.
        public var name: String
        /// What the user reads.
        public var title: String

        /// An action from its parts.
        public init(name: String, title: String) {
            self.name = name
            self.title = title
        }
    }

    /// A page from its parts.
    public init(
        title: String, headline: String? = nil, body: [String] = [], icon: String? = nil, action: Action? = nil,
        status: String? = nil
    ) {
        self.title = title
        self.headline = headline
        self.body = body
        self.icon = icon
        self.action = action
        self.status = status
    }

    /// The page of a plugin in this process, without its fields.
    public init(_ page: StepPage, languages: LanguagePreferences) {
        self.init(
            title: page.title, headline: page.headline, body: page.body, icon: page.icon, status: page.status)
        if case .perform(let name, let title) = page.primary {
            action = Action(name: name, title: title.text(for: languages))
        }
    }

    init(wire value: JSONValue) throws(PluginMessageError) {
        guard let object = value.object else { throw PluginMessageError("\"page\" must be an object") }
        guard let title = try Self.text("title", object) else { throw PluginMessageError("the page has no \"title\"") }
        self.init(
            title: title, headline: try Self.text("headline", object), body: [],
            icon: try Self.text("icon", object), status: try Self.text("status", object))
        if let body = object["body"], !body.isNull {
            for value in body.array ?? [body] {
                guard let text = value.string, !WireText.hasControls(text, allowsLineEnds: true) else {
                    throw PluginMessageError("the page's \"body\" must be a list of texts without control characters")
                }
                self.body.append(text)
            }
        }
        if let member = object["action"], !member.isNull {
            guard let action = member.object, let name = try Self.text("name", action),
                let title = try Self.text("title", action)
            else { throw PluginMessageError("the page's \"action\" must be an object with a \"name\" and a \"title\"") }
            self.action = Action(name: name, title: title)
        }
    }

    private static func text(_ key: String, _ object: JSONObject) throws(PluginMessageError) -> String? {
        guard let value = object[key], !value.isNull else { return nil }
        guard let text = value.string, !text.isEmpty, !WireText.hasControls(text, allowsLineEnds: false) else {
            throw PluginMessageError("the page's \"\(key)\" must be one line of text without control characters")
        }
        return text
    }

    var json: JSONObject {
        var object: JSONObject = ["title": .string(title)]
        if let headline { object["headline"] = .string(headline) }
        if !body.isEmpty { object["body"] = .array(body.map(JSONValue.string)) }
        if let icon { object["icon"] = .string(icon) }
        if let action { object["action"] = ["name": .string(action.name), "title": .string(action.title)] }
        if let status { object["status"] = .string(status) }
        return object
    }
}
