/// One thing that a user can do on a page as it stands now, worked out by the pager; a presenter only draws it.
public struct StepAction: Sendable, Hashable {
    /// What the action does.
    public enum Role: Sendable, Hashable {
        /// Records the step as completed, with its inputs, and goes on.
        case complete
        /// Asks the step's plugin to do something outside the flow; the name is the plugin's.
        case perform(String)
        /// Goes on without doing it, as if the user moved past the page.
        case forward
        /// Records the step as declined and goes on.
        case skip
        /// Goes to the page before.
        case back
    }

    /// What the action does.
    public var role: Role
    /// What the user reads.
    public var title: String

    /// An action from its parts.
    public init(role: Role, title: String) {
        self.role = role
        self.title = title
    }
}
