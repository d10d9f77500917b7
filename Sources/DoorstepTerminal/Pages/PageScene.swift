internal import Doorstep

/// Everything that one drawn page depends on, apart from the terminal.
struct PageScene: Sendable, Hashable {
    /// What the keyboard acts on.
    enum Focus: Sendable, Hashable {
        case field(Int)
        case action(Int)
    }

    var heading = ""
    var icon: String?
    var title = ""
    var headline: String?
    var body: [String] = []
    var status: String?
    /// What stands behind the status.
    var evidence: String?
    /// How often the step was checked again without another answer.
    var checks = 0
    var fields: [FieldState] = []
    /// What is wrong with fields, by key.
    var faults: [String: String] = [:]
    /// A sentence of the moment: why an action could not be done.
    var notice: String?
    /// The actions' titles.
    var actions: [String] = []
    var focus = Focus.action(0)
    /// The page's place among all, from 0; without pages no place is shown.
    var position = 0
    var total = 0
    /// Lines of the page that are above what is shown.
    var scroll = 0
    /// Whether what has the focus is scrolled to.
    var followsFocus = true
    var isHelp = false
    var isBusy = false
    var languages = LanguagePreferences([])

    /// The places that Tab goes through, in order.
    var stops: [Focus] {
        fields.indices.map(Focus.field) + actions.indices.map(Focus.action)
    }
}

/// What a click can mean.
enum PageTarget: Sendable, Hashable {
    case field(Int)
    case choice(field: Int, Int)
    case slider(field: Int)
    case toggle(field: Int, Bool)
    case action(Int)
    case page(Int)
}

/// One drawn page.
struct Frame: Sendable, Hashable {
    /// Where on the screen something can be clicked.
    struct Area: Sendable, Hashable {
        var row: Int
        var columns: Range<Int>
        var target: PageTarget
    }

    var buffer: CellBuffer
    var cursor: ScreenPoint?
    var areas: [Area] = []
    /// How far the page is scrolled, and can be.
    var scroll = 0
    var maximumScroll = 0

    func area(at column: Int, _ row: Int) -> Area? {
        areas.first { $0.row == row && $0.columns.contains(column) }
    }
}
