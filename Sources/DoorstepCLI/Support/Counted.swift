/// Numbers with the things they count.
enum Counted {
    /// For example `1 record`, `2 records`.
    static func text(_ count: Int, _ thing: String) -> String { "\(count) \(thing)\(count == 1 ? "" : "s")" }
}
