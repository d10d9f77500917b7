/// What a keyboard, a mouse or a paste sent.
enum Key: Sendable, Hashable {
    case character(Character)
    case enter, tab, backTab, escape, backspace, delete
    case up, down, left, right, home, end, pageUp, pageDown
    case wordLeft, wordRight, deleteWord
    case control(Character)
    case function(Int)
    case paste(String)
    /// A press of the first button.
    case click(column: Int, row: Int)
    /// A turn of the wheel: lines down, negative for up.
    case wheel(Int)
}
