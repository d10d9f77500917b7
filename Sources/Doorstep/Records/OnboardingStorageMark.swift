/// A mark of what a storage holds: while it stays the same, so do the records.
///
/// It lets whoever keeps the records look for changes of others without reading them all again.
public struct OnboardingStorageMark: Sendable, Hashable {
    /// What is another after every change but the commits that are counted.
    public var state: [Int]
    /// How many commits were made through the storage, each of them counted once.
    public var commits: Int

    /// A mark from its parts.
    public init(state: [Int], commits: Int) {
        self.state = state
        self.commits = commits
    }

    /// The mark after one more commit, and nothing else.
    var next: Self { Self(state: state, commits: commits + 1) }
}
