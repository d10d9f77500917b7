internal import Doorstep

/// The lines under a page: its place among all, its actions, and which keys there are.
extension PageLayout {
    func footer(_ scene: PageScene, _ place: Place) -> [PageLine] {
        var lines: [PageLine] = []
        if place.rows >= 12 { lines.append(PageLine()) }
        if scene.total > 1, place.rows >= 10 {
            lines.append(dots(scene, place))
            if place.rows >= 16 { lines.append(PageLine()) }
        }
        lines += actions(scene, place)
        if place.rows >= 16 {
            lines.append(PageLine())
            lines += hint(scene, place)
        }
        return lines
    }

    private func dots(_ scene: PageScene, _ place: Place) -> PageLine {
        if scene.total * 2 - 1 > min(place.width, 40) {
            let text = TerminalPhrase.position(page: scene.position + 1, total: scene.total).text(for: scene.languages)
            return PageLine(text, styles.text, column: max(0, (place.width - CellWidth.of(text)) / 2))
        }
        var line = PageLine()
        let start = (place.width - (scene.total * 2 - 1)) / 2
        for page in 0..<scene.total {
            let isHere = page == scene.position
            let sign = String(isHere ? glyphs.chosen : glyphs.unchosen)
            let style = isHere ? styles.mark : styles.text
            line.runs.append(
                .init(column: start + page * 2, text: sign, style: style, areSigns: true, target: .page(page)))
        }
        return line
    }

    /// The actions side by side in as few rows as they need; where that is too many, the one that counts now.
    private func actions(_ scene: PageScene, _ place: Place) -> [PageLine] {
        var lines: [PageLine] = []
        var column = place.width
        for (index, title) in scene.actions.enumerated() {
            let button = button(title, isFocused: scene.focus == .action(index) && !scene.isBusy, place)
            let cells = CellWidth.of(button.text)
            if column + cells > place.width {
                lines.append(PageLine())
                column = 0
            }
            lines[lines.count - 1].runs.append(
                .init(column: column, text: button.text, style: button.style, target: .action(index)))
            column += cells + 1
        }
        guard lines.count > max(1, place.rows / 6) else { return lines }
        var index = 0
        if case .action(let focused) = scene.focus { index = focused }
        let button = button(scene.actions[index], isFocused: scene.focus == .action(index) && !scene.isBusy, place)
        let count = " \(index + 1)/\(scene.actions.count)"
        var line = PageLine()
        line.runs = [
            .init(column: 0, text: button.text, style: button.style, target: .action(index)),
            .init(column: place.width - CellWidth.of(count), text: count, style: styles.text, base: false),
        ]
        return [line]
    }

    private func button(_ title: String, isFocused: Bool, _ place: Place) -> (text: String, style: CellStyle) {
        var text = PrintableText.singleLine(title)
        let room = place.width - 4 - (place.columns < 40 ? 4 : 0)
        if CellWidth.of(text) > room {
            var kept = ""
            for character in text where CellWidth.of(kept) + CellWidth.of(character) < room { kept.append(character) }
            text = kept + String(glyphs.cut)
        }
        return isFocused ? ("[ \(text) ]", styles.focus) : ("  \(text)  ", styles.text)
    }

    private func hint(_ scene: PageScene, _ place: Place) -> [PageLine] {
        if scene.isHelp { return [PageLine(TerminalPhrase.helpClose.text(for: scene.languages), styles.text)] }
        let help = TerminalPhrase.hintHelp.text(for: scene.languages)
        let place = (width: place.width, helpColumn: place.width - CellWidth.of(help))
        // Where there is too little room, what moves between controls gives way first, and how to leave never does.
        let control = hint(on: scene)
        let choices: [[TerminalPhrase]] = [[control, .hintMove, .hintLeave], [control, .hintLeave], [.hintLeave]]
        let texts = choices.map { parts in
            parts.map { $0.text(for: scene.languages) }.joined(separator: " \(glyphs.dot) ")
        }
        let keys = texts.first { CellWidth.of($0) + 2 <= place.helpColumn } ?? texts[texts.count - 1]
        var line = PageLine(keys, styles.text)
        if CellWidth.of(keys) + 2 <= place.helpColumn {
            line.runs.append(.init(column: place.helpColumn, text: help, style: styles.text))
        }
        return [line]
    }

    /// What the keys do in what has the focus.
    private func hint(on scene: PageScene) -> TerminalPhrase {
        guard case .field(let index) = scene.focus, scene.fields.indices.contains(index) else { return .hintAction }
        switch scene.fields[index].field.kind {
        case .text: return .hintText
        case .integer(let range, _, _): return range.hasLowerBound && range.hasUpperBound ? .hintSlider : .hintNumber
        case .choice: return .hintChoice
        case .toggle: return .hintToggle
        }
    }
}
