internal import Doorstep

/// The lines of one field: its label, what it holds, what is wrong, and its help.
struct FieldLines {
    let styles: ThemeStyles
    let glyphs: Glyphs
    let languages: LanguagePreferences
    /// The cells of a line.
    let width: Int
    /// How many choices are shown at once.
    let choiceRows: Int

    private static let indent = 2

    func lines(_ state: FieldState, index: Int, isFocused: Bool, fault: String?) -> [PageLine] {
        var lines = label(state, index: index, isFocused: isFocused)
        switch state.field.kind {
        case .text(let length, _, _): lines.append(text(state.editor, length, index: index, isFocused: isFocused))
        case .integer(let range, _, _) where range.hasLowerBound && range.hasUpperBound:
            lines.append(slider(state, range, index: index, isFocused: isFocused))
        case .integer: lines.append(number(state, index: index, isFocused: isFocused))
        case .choice(let choices, _): lines += choice(state, choices, index: index, isFocused: isFocused)
        case .toggle: lines.append(toggle(state, index: index, isFocused: isFocused))
        }
        if let fault { lines += wrapped(fault, first: "! ", style: styles.error) }
        if let help = state.field.help { lines += wrapped(PrintableText.cleaned(help), style: styles.text) }
        return lines
    }

    private func wrapped(_ text: String, first: String = "", style: CellStyle) -> [PageLine] {
        let rest = String(repeating: " ", count: first.utf8.count)
        return LineWrapper(columns: width - Self.indent).lines(of: text, first: first, rest: rest).map {
            PageLine($0, style, column: Self.indent)
        }
    }

    private func label(_ state: FieldState, index: Int, isFocused: Bool) -> [PageLine] {
        let optional = state.field.isOptional ? " " + PresenterPhrase.optional.text(for: languages) : ""
        let style = isFocused ? styles.mark : styles.text
        let note = note(state)
        let room = width - Self.indent - (note.isEmpty ? 0 : CellWidth.of(note.text) + 1)
        let label = PrintableText.singleLine(state.field.label) + optional
        var lines = LineWrapper(columns: room).lines(of: label).map {
            PageLine($0, style, column: Self.indent, target: .field(index))
        }
        if isFocused {
            lines[0].runs.append(.init(column: 0, text: String(glyphs.focus), style: styles.mark, areSigns: true))
        }
        if !note.isEmpty {
            let column = width - CellWidth.of(note.text)
            lines[0].runs.append(.init(column: column, text: note.text, style: note.style))
        }
        return lines
    }

    /// What stands beside the label: how much is typed near the limit, or what is searched for.
    private func note(_ state: FieldState) -> (text: String, style: CellStyle, isEmpty: Bool) {
        switch state.field.kind {
        case .text(let length, _, _):
            let count = state.editor.characters.count
            let limit = length.upperBound
            guard count > 0, count >= limit - max(3, min(limit / 5, 20)) else { return ("", styles.text, true) }
            return ("\(count)/\(limit)", count > limit ? styles.error : styles.text, false)
        case .choice where !state.search.isEmpty:
            return ("/" + PrintableText.singleLine(state.search), styles.mark, false)
        default:
            return ("", styles.text, true)
        }
    }

    /// - Parameter isLeftToRight: Whether it runs so whatever is in it, as a number does.
    private func text(
        _ editor: TextEditor, _ length: ClosedRange<Int>, index: Int, isFocused: Bool, isLeftToRight: Bool = false
    ) -> PageLine {
        let room = min(width - Self.indent, max(16, min(length.upperBound, 47) + 1))
        let (shown, cursor) = window(editor, room: room)
        let direction = !isLeftToRight && direction(of: shown)
        var line = PageLine()
        line.target = .field(index)
        let padding = String(repeating: " ", count: max(0, room - CellWidth.of(shown)))
        line.runs = [
            .init(column: Self.indent, text: padding, style: styles.input, areSigns: true),
            .init(column: Self.indent, text: shown, style: styles.input, base: direction),
        ]
        line.runs[0].column += CellWidth.of(shown)
        guard isFocused else { return line }
        let total = CellWidth.of(shown)
        var offset = 0
        for item in VisualOrder.of(shown, isRightToLeft: direction) where cursor < shown.count {
            if item.index == cursor { break }
            offset += CellWidth.of(item.character)
        }
        // Behind the text is beside its end, on whichever side that is.
        if cursor >= shown.count { offset = direction ? -1 : total }
        line.cursor = PageLine.Cursor(column: Self.indent, width: total, offset: offset)
        return line
    }

    /// The part of a text around its cursor that there is room for, with marks where it is cut; and where in it the
    /// cursor stands.
    private func window(_ editor: TextEditor, room: Int) -> (text: String, cursor: Int) {
        let characters = editor.characters
        // One cell is kept for a cursor behind the text.
        if characters.count < room, CellWidth.of(editor.text) < room { return (editor.text, editor.cursor) }
        var start = editor.cursor
        var cells = 0
        while start > 0, cells + CellWidth.of(characters[start - 1]) <= room - 4 {
            start -= 1
            cells += CellWidth.of(characters[start])
        }
        if start == 1 { start = 0 }
        var end = editor.cursor
        while end < characters.count, cells + CellWidth.of(characters[end]) <= room - 3 {
            cells += CellWidth.of(characters[end])
            end += 1
        }
        let cut = String(glyphs.cut)
        let text = (start > 0 ? cut : "") + String(characters[start..<end]) + (end < characters.count ? cut : "")
        return (text, editor.cursor - start + (start > 0 ? 1 : 0))
    }

    /// Whether a text runs from right to left: by its first letter, else as the page does.
    private func direction(of text: String) -> Bool {
        for scalar in text.unicodeScalars where scalar.properties.isAlphabetic {
            return Direction.isRightToLeft(scalar)
        }
        return languages.isRightToLeft
    }

    /// A number whose range has no end on one side: there is nothing that a slider could show.
    private func number(_ state: FieldState, index: Int, isFocused: Bool) -> PageLine {
        text(
            state.digits, 0...StepField.longestNumber + 1, index: index, isFocused: isFocused, isLeftToRight: true)
    }

    private func slider(_ state: FieldState, _ range: ClosedRange<Int>, index: Int, isFocused: Bool) -> PageLine {
        var line = PageLine()
        line.target = .field(index)
        var number: Int?
        if case .integer(let value)? = state.value { number = value }
        let typed = state.editor.text
        let shown = typed.isEmpty ? number.map(String.init) ?? "–" : typed
        let digits = max(String(range.lowerBound).count, String(range.upperBound).count, shown.count)
        let (less, more) = languages.isRightToLeft ? (glyphs.more, glyphs.less) : (glyphs.less, glyphs.more)
        let track = min(width - Self.indent - digits - 6, 40)
        let style = isFocused ? styles.mark : styles.text
        guard track >= 6 else {
            line.runs = [
                .init(column: Self.indent, text: String(less), style: style, areSigns: true),
                .init(column: Self.indent + 2, text: shown, style: style, base: false),
                .init(column: Self.indent + 3 + shown.count, text: String(more), style: style, areSigns: true),
            ]
            return line
        }
        let length = Double(range.upperBound) - Double(range.lowerBound)
        let clamped = number.map { min(max($0, range.lowerBound), range.upperBound) }
        let share = clamped.map { length > 0 ? (Double($0) - Double(range.lowerBound)) / length : 0 }
        let knob = share.map { Int((Double(track - 1) * $0).rounded()) }
        var signs = ""
        for cell in 0..<track {
            let isBefore = knob.map { cell < $0 } ?? false
            signs.append(cell == knob ? glyphs.knob : isBefore ? glyphs.filledTrack : glyphs.track)
        }
        line.runs = [
            .init(column: Self.indent, text: String(less), style: style, areSigns: true),
            .init(
                column: Self.indent + 2, text: signs, style: style, areSigns: true, target: .slider(field: index)),
            .init(column: Self.indent + 3 + track, text: String(more), style: style, areSigns: true),
            .init(column: Self.indent + 5 + track, text: shown, style: style, base: false),
        ]
        return line
    }

    private func choice(_ state: FieldState, _ choices: [StepChoice], index: Int, isFocused: Bool) -> [PageLine] {
        let chosen = state.chosenIndex
        var shown = 0..<choices.count
        if choices.count > choiceRows {
            let first = min(max((chosen ?? 0) - choiceRows / 2, 0), choices.count - choiceRows)
            shown = first..<first + choiceRows
        }
        var lines: [PageLine] = []
        for number in shown {
            let isChosen = number == chosen
            let style = isChosen ? styles.mark : styles.text
            let texts = LineWrapper(columns: width - Self.indent - 2).lines(
                of: PrintableText.singleLine(choices[number].label))
            for (row, text) in texts.enumerated() {
                var line = PageLine(text, style, column: Self.indent + 2, target: .choice(field: index, number))
                if row == 0 {
                    let sign = isChosen ? glyphs.chosen : glyphs.unchosen
                    line.runs.append(.init(column: Self.indent, text: String(sign), style: style, areSigns: true))
                }
                lines.append(line)
            }
        }
        // What isn't shown is hinted at beside the first and the last one.
        if shown.lowerBound > 0 { lines[0].runs.append(more(glyphs.above)) }
        if shown.upperBound < choices.count { lines[lines.count - 1].runs.append(more(glyphs.below)) }
        return lines
    }

    private func more(_ sign: Character) -> PageLine.Run {
        PageLine.Run(column: 0, text: String(sign), style: styles.mark, areSigns: true)
    }

    private func toggle(_ state: FieldState, index: Int, isFocused: Bool) -> PageLine {
        var isOn = false
        if case .toggle(let flag)? = state.value { isOn = flag }
        let (yes, no) = (Phrase.yes.text(for: languages), Phrase.no.text(for: languages))
        var line = PageLine()
        line.target = .field(index)
        var column = Self.indent
        for (text, isThis) in [(yes, isOn), (no, !isOn)] {
            let target = PageTarget.toggle(field: index, text == yes)
            let style = isThis ? styles.mark : styles.text
            let sign = String(isThis ? glyphs.chosen : glyphs.unchosen)
            line.runs.append(.init(column: column, text: sign, style: style, areSigns: true, target: target))
            line.runs.append(.init(column: column + 2, text: text, style: style, target: target))
            column += CellWidth.of(text) + 5
        }
        return line
    }
}
