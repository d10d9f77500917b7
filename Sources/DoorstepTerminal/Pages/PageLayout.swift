internal import Doorstep

/// Draws a page for a screen of any size: the same scene, size and theme give the same cells.
struct PageLayout {
    /// The smallest screen that a page is drawn on.
    static let minimumColumns = 20
    static let minimumRows = 8

    let styles: ThemeStyles
    let glyphs: Glyphs
    let hasCard: Bool

    init(theme: TerminalTheme, depth: ColourDepth, glyphs: Glyphs) {
        styles = ThemeStyles(theme, depth: depth)
        self.glyphs = glyphs
        hasCard = theme.card != nil
    }

    func frame(_ scene: PageScene, columns: Int, rows: Int) -> Frame {
        guard columns >= Self.minimumColumns, rows >= Self.minimumRows else {
            return tooSmall(columns: columns, rows: rows, scene.languages)
        }
        let place = Place(columns: columns, rows: rows, hasCard: hasCard)
        let footer = footer(scene, place)
        let header = header(scene, place)
        let (body, focused) = body(scene, place, room: place.height - header.count - footer.count)
        let wanted = min(max(place.height, header.count + body.count + footer.count), place.maximumHeight)
        let top = place.top(height: wanted)
        let room = max(1, wanted - header.count - footer.count)

        let maximum = max(0, body.count - room)
        var scroll = min(scene.scroll, maximum)
        if scene.followsFocus, let focused {
            if focused.upperBound > scroll + room { scroll = focused.upperBound - room }
            if focused.lowerBound < scroll { scroll = focused.lowerBound }
            scroll = min(max(0, scroll), maximum)
        }

        var drawing = Drawing(
            painter: Painter(
                columns: columns, rows: rows, style: styles.page, isRightToLeft: scene.languages.isRightToLeft,
                glyphs: glyphs), left: place.left, width: place.width)
        if place.isCard { drawing.card(styles.text, top: top - 1, height: wanted + 2, glyphs) }
        for (index, line) in header.enumerated() { drawing.draw(line, row: top + index) }
        for index in scroll..<min(body.count, scroll + room) {
            drawing.draw(body[index], row: top + header.count + index - scroll)
        }
        let edge = place.left + place.width
        if scroll > 0 { drawing.painter.sign(glyphs.above, at: edge, top + header.count, styles.mark) }
        if scroll < maximum { drawing.painter.sign(glyphs.below, at: edge, top + header.count + room - 1, styles.mark) }
        for (index, line) in footer.enumerated() { drawing.draw(line, row: top + wanted - footer.count + index) }
        return Frame(
            buffer: drawing.painter.buffer, cursor: drawing.cursor, areas: drawing.areas, scroll: scroll,
            maximumScroll: maximum)
    }

    private func tooSmall(columns: Int, rows: Int, _ languages: LanguagePreferences) -> Frame {
        var painter = Painter(
            columns: columns, rows: rows, style: styles.page, isRightToLeft: languages.isRightToLeft, glyphs: glyphs)
        let phrase = TerminalPhrase.moreRoom(columns: Self.minimumColumns, rows: Self.minimumRows)
        let lines = LineWrapper(columns: columns).lines(of: phrase.text(for: languages))
        for (row, line) in lines.enumerated() {
            let isCut = row == rows - 1 && lines.count > rows
            painter.put(isCut ? line + String(glyphs.cut) + " " : line, at: 0, row, styles.page)
        }
        return Frame(buffer: painter.buffer, cursor: nil)
    }

    private func header(_ scene: PageScene, _ place: Place) -> [PageLine] {
        guard place.rows >= 12, !scene.heading.isEmpty || scene.icon != nil else { return [] }
        let sign = scene.icon.flatMap(glyphs.sign(ofIcon:)).map { "\($0) " } ?? ""
        let name = PrintableText.singleLine(scene.heading)
        var lines = [PageLine()]
        var text = name.isEmpty ? sign : sign + name
        let room = place.width - 2
        if CellWidth.of(text) > room {
            text = LineWrapper(columns: room - 1).lines(of: text)[0] + String(glyphs.cut)
        }
        lines[0].runs = [.init(column: 0, text: " \(text) ", style: styles.badge)]
        if place.rows >= 16 { lines.append(PageLine()) }
        return lines
    }

    /// The lines that scroll, and which of them have the focus.
    private func body(_ scene: PageScene, _ place: Place, room: Int) -> (lines: [PageLine], focused: Range<Int>?) {
        let wrapper = LineWrapper(columns: place.width)
        var lines: [PageLine] = []
        func add(_ text: String, _ style: CellStyle, isBalanced: Bool = false) {
            let cleaned = PrintableText.cleaned(text)
            let wrapped = isBalanced ? wrapper.balancedLines(of: cleaned) : wrapper.lines(of: cleaned)
            lines += wrapped.map { PageLine($0, style) }
        }
        func gap() {
            if !lines.isEmpty, place.rows >= 12 { lines.append(PageLine()) }
        }
        if scene.isHelp {
            add(TerminalPhrase.helpTitle.text(for: scene.languages), styles.title)
            gap()
            for phrase in help(scene) { add(phrase.text(for: scene.languages), styles.text) }
            return (lines, nil)
        }
        add(scene.title, styles.title, isBalanced: true)
        if let headline = scene.headline { add(headline, styles.text, isBalanced: true) }
        for paragraph in scene.body {
            gap()
            add(paragraph, styles.text)
        }
        if let status = scene.status {
            gap()
            add(TerminalPhrase.status(PrintableText.cleaned(status)).text(for: scene.languages), styles.text)
        }
        if let evidence = scene.evidence { add(PrintableText.singleLine(evidence), styles.muted) }
        if scene.checks > 0, !scene.isBusy {
            add(TerminalPhrase.checkedAgain(times: scene.checks).text(for: scene.languages), styles.mark)
        }
        var focused: Range<Int>?
        let fields = FieldLines(
            styles: styles, glyphs: glyphs, languages: scene.languages, width: place.width,
            choiceRows: min(8, max(3, room - 4)))
        for (index, state) in scene.fields.enumerated() {
            gap()
            let start = lines.count
            let isFocused = scene.focus == .field(index) && !scene.isBusy
            lines += fields.lines(
                state, index: index, isFocused: isFocused, fault: scene.faults[state.field.key])
            if isFocused { focused = start..<min(lines.count, start + max(2, room)) }
        }
        if let notice = scene.isBusy ? PresenterPhrase.working.text(for: scene.languages) : scene.notice {
            gap()
            let start = lines.count
            add((scene.isBusy ? "" : "! ") + notice, scene.isBusy ? styles.mark : styles.error)
            if focused == nil { focused = start..<lines.count }
        }
        return (lines, focused)
    }

    private func help(_ scene: PageScene) -> [TerminalPhrase] {
        var phrases: [TerminalPhrase] = [.helpMove, .helpEnter, scene.position > 0 ? .helpBack : .helpBackless]
        for state in scene.fields {
            let phrase: TerminalPhrase =
                switch state.field.kind {
                case .text: .helpText
                case .integer: .helpNumber
                case .choice: .helpChoice
                case .toggle: .helpToggle
                }
            if !phrases.contains(phrase) { phrases.append(phrase) }
        }
        if scene.total > 1 { phrases.append(.helpDots) }
        return phrases + [.helpLeave, .helpClose]
    }
}

/// Where a page's text goes on a screen.
struct Place {
    let columns: Int
    let rows: Int
    let isCard: Bool
    /// The cells between the reader's side and the text, and of the text.
    let left: Int
    let width: Int

    init(columns: Int, rows: Int, hasCard: Bool) {
        self.columns = columns
        self.rows = rows
        isCard = hasCard && columns >= 40 && rows >= 14
        width = min(columns - (isCard ? 8 : columns >= 40 ? 4 : 2), 72)
        left = (columns - width) / 2
    }

    /// The rows that a page takes at most.
    var maximumHeight: Int { isCard ? rows - 2 : rows >= 12 ? rows - 1 : rows }

    /// The rows that a page takes at least, so that its actions stay where they are from page to page.
    var height: Int { min(maximumHeight, 22) }

    /// The first row of a page: a little above the middle.
    func top(height: Int) -> Int {
        let above = (rows - height) / 3
        return max(isCard ? 1 : rows >= 12 ? 1 : 0, above)
    }
}

/// A page while its lines are put on the screen.
struct Drawing {
    var painter: Painter
    let left: Int
    let width: Int
    private(set) var cursor: ScreenPoint?
    private(set) var areas: [Frame.Area] = []

    init(painter: Painter, left: Int, width: Int) {
        self.painter = painter
        self.left = left
        self.width = width
    }

    mutating func draw(_ line: PageLine, row: Int) {
        for run in line.runs {
            let start = left + run.column
            if run.areSigns {
                for (offset, character) in run.text.enumerated() {
                    painter.sign(character, at: start + offset, row, run.style)
                }
            } else {
                painter.put(run.text, at: start, row, run.style, width: width - run.column, base: run.base)
            }
            if let target = run.target { addArea(target, start, CellWidth.of(run.text), row) }
        }
        if let target = line.target { addArea(target, left, width, row) }
        if let place = line.cursor {
            let origin = painter.column(left + place.column, width: place.width)
            let column = min(max(origin + place.offset, 0), painter.buffer.columns - 1)
            cursor = ScreenPoint(column: column, row: row)
        }
    }

    mutating func card(_ style: CellStyle, top: Int, height: Int, _ glyphs: Glyphs) {
        let (start, end) = (left - 3, left + width + 2)
        for row in top..<top + height {
            painter.fill(start..<end + 1, row: row, style)
            painter.sign(glyphs.vertical, at: start, row, style)
            painter.sign(glyphs.vertical, at: end, row, style)
        }
        for (row, isTop) in [(top, true), (top + height - 1, false)] {
            for column in start...end { painter.sign(glyphs.horizontal, at: column, row, style) }
            let corners = glyphs.corners
            let (near, far) = isTop ? (corners.0, corners.1) : (corners.2, corners.3)
            let isTurned = painter.isRightToLeft
            painter.sign(isTurned ? far : near, at: start, row, style)
            painter.sign(isTurned ? near : far, at: end, row, style)
        }
    }

    private mutating func addArea(_ target: PageTarget, _ start: Int, _ cells: Int, _ row: Int) {
        let first = painter.column(start, width: cells)
        areas.append(.init(row: row, columns: first..<first + cells, target: target))
    }
}
