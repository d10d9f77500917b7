internal import Doorstep

/// What the presenters on a terminal say, beside what every presenter does.
enum TerminalPhrase: Hashable {
    // A page, in either of them.
    case position(page: Int, total: Int)
    case status(String)

    // Line by line.
    case choicePrompt, answerPrompt
    case textLength(ClosedRange<Int>)
    case wholeNumber(ClosedRange<Int>, step: Int)
    case oneOf(String, String)
    case fromTheList
    case mayBeEmpty
    case enterTakesBrackets
    case enterChooses(String)
    case insteadOfAnswer(String)
    case colonMakesAnswer
    case typeAChoice
    case notOnThisPage
    case lineTooLong(maximum: Int)
    case quit, help, leaveEmpty
    case listSeparator
    case allDone, leftAndKept, leftOpenPage, leftWithoutTrace

    // On a whole screen.
    case moreRoom(columns: Int, rows: Int)
    case checkedAgain(times: Int)
    case hintMove, hintAction, hintText, hintSlider, hintNumber, hintChoice, hintToggle, hintLeave, hintHelp
    case helpTitle
    case helpMove, helpEnter, helpBack, helpBackless, helpText, helpNumber, helpChoice, helpToggle, helpDots, helpLeave
    case helpClose

    /// The phrase for a reader of these languages. What is put into it is isolated where it runs the other way.
    func text(for languages: LanguagePreferences) -> String {
        translations.text(
            for: languages, inserting: inserts.map { Direction.isolated($0, for: languages) })
    }

    private var inserts: [String] {
        switch self {
        case .position(let page, let total): [String(page), String(total)]
        case .status(let text), .enterChooses(let text), .insteadOfAnswer(let text): [text]
        case .textLength(let range): [String(range.lowerBound), String(range.upperBound)]
        case .wholeNumber(let range, let step): [String(range.lowerBound), String(range.upperBound), String(step)]
        case .oneOf(let one, let other): [one, other]
        case .lineTooLong(let maximum): [String(maximum)]
        case .checkedAgain(let times): [String(times)]
        case .moreRoom(let columns, let rows): [String(columns), String(rows)]
        default: []
        }
    }

    /// What is said of a showing that is left before its end, while the pager is still open.
    static func left(_ pager: OnboardingPager) -> TerminalPhrase {
        pager.commitMode == .onFinish ? .leftWithoutTrace : pager.isPageOpen ? .leftOpenPage : .leftAndKept
    }
}
