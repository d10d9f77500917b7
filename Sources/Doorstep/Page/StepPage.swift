/// One page as data: what every presenter draws, and what JSON can carry from a plugin in any language.
///
/// A page holds the texts for one reader, already in their language. It says what its step's own action is; the
/// ``OnboardingPager`` knows the page's place and gives the final list of actions.
public struct StepPage: Sendable, Hashable {
    /// The step's own action, which the pager turns into the page's primary one.
    public enum Primary: Sendable, Hashable {
        /// Records the step as completed and goes on; without a title of its own it is named by the page's place.
        case complete(title: String?)
        /// Asks the plugin to do something outside the flow (ask for a permission, open a settings page).
        case perform(action: String, title: Phrase)
    }

    /// What the page is about, in a few words.
    public var title: String
    /// A sentence under the title.
    public var headline: String?
    /// Paragraphs of text.
    public var body: [String]
    /// The name of an icon by the freedesktop icon naming specification, or nil.
    public var icon: String?
    /// The values that the page asks for, in order.
    public var fields: [StepField]
    /// The step's own action.
    public var primary: Primary
    /// One line on how things stand outside the flow, such as a permission's state and evidence.
    public var status: String?
    /// What stands behind the status, as a check was told it, for who wants to know why; presenters show it smaller.
    public var evidence: String?

    /// A page from its parts.
    public init(
        title: String, headline: String? = nil, body: [String] = [], icon: String? = nil, fields: [StepField] = [],
        primary: Primary = .complete(title: nil), status: String? = nil, evidence: String? = nil
    ) {
        self.title = title
        self.headline = headline
        self.body = body
        self.icon = icon
        self.fields = fields
        self.primary = primary
        self.status = status
        self.evidence = evidence
    }
}
