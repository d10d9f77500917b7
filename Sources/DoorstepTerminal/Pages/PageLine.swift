/// One line of a page before it has its place on the screen.
struct PageLine {
    /// A piece of it, counted from where the page's text begins.
    struct Run {
        var column: Int
        var text: String
        var style: CellStyle
        /// Signs are drawn one by one in the reader's direction, text in its own order.
        var areSigns = false
        /// The text's own direction, where it isn't the page's.
        var base: Bool?
        var target: PageTarget?
    }

    /// A cursor in a text that begins at a column: so many cells from the left of what is drawn, whatever its direction.
    struct Cursor {
        var column: Int
        var width: Int
        var offset: Int
    }

    var runs: [Run] = []
    /// Where the cursor stands in it.
    var cursor: Cursor?
    /// What a click anywhere on the line means.
    var target: PageTarget?

    init() {}

    init(_ text: String, _ style: CellStyle, column: Int = 0, target: PageTarget? = nil) {
        runs = [Run(column: column, text: text, style: style)]
        self.target = target
    }
}
