internal import Doorstep

/// What the full-screen presenter itself says.
enum ScreenPhrase: Hashable {
    case moreRoom(columns: Int, rows: Int)
    case hintKeys, hintHelp
    case helpTitle
    case helpMove, helpEnter, helpBack, helpBackless, helpText, helpNumber, helpChoice, helpToggle, helpLeave, helpClose

    /// The phrase for a reader of these languages.
    func text(for languages: LanguagePreferences) -> String {
        let text = translations.text(for: languages)
        guard case .moreRoom(let columns, let rows) = self else { return text }
        return text.replacing("%1", with: String(columns)).replacing("%2", with: String(rows))
    }

    private var translations: LocalizedText {
        switch self {
        case .moreRoom:
            phrase(
                en: "Please make the window larger: %1×%2 at least.",
                de: "Bitte das Fenster vergrößern: mindestens %1×%2.",
                ar: "يرجى تكبير النافذة: %1×%2 على الأقل.", ja: "ウィンドウを広げてください（%1×%2以上）。")
        case .hintKeys:
            phrase(
                en: "Tab moves · Enter chooses", de: "Tab wechselt · Enter wählt", ar: "Tab للتنقل · Enter للاختيار",
                ja: "Tabで移動・Enterで決定")
        case .hintHelp: phrase(en: "F1 help", de: "F1 Hilfe", ar: "F1 مساعدة", ja: "F1 ヘルプ")
        case .helpTitle: phrase(en: "Keys", de: "Tasten", ar: "المفاتيح", ja: "キー操作")
        case .helpMove:
            phrase(
                en: "Tab, Shift-Tab, arrows: move between fields and actions; wheel: scroll.",
                de: "Tab, Umschalt-Tab, Pfeile: zwischen Feldern und Aktionen wechseln; Mausrad: blättern.",
                ar: "Tab و Shift-Tab والأسهم: التنقل بين الحقول والإجراءات.", ja: "Tab、Shift-Tab、矢印：項目と操作の間を移動します。")
        case .helpEnter:
            phrase(
                en: "Enter: next field, or does the action.", de: "Enter: nächstes Feld, oder führt die Aktion aus.",
                ar: "Enter: الحقل التالي أو تنفيذ الإجراء.", ja: "Enter：次の項目へ、または操作を実行します。")
        case .helpBack:
            phrase(
                en: "Esc: the page before.", de: "Esc: die Seite davor.", ar: "Esc: الصفحة السابقة.", ja: "Esc：前のページ。")
        case .helpBackless:
            phrase(
                en: "Esc: nothing on the first page.", de: "Esc: auf der ersten Seite nichts.",
                ar: "Esc: لا شيء في الصفحة الأولى.", ja: "Esc：最初のページでは何もしません。")
        case .helpText:
            phrase(
                en: "In text: Ctrl-arrows move by words, Ctrl-W deletes one, Ctrl-U everything before the cursor.",
                de: "Im Text: Strg-Pfeile wortweise, Strg-W löscht ein Wort, Strg-U alles vor dem Cursor.",
                ar: "في النص: Ctrl مع الأسهم للتنقل بالكلمات، Ctrl-W لحذف كلمة، Ctrl-U لحذف ما قبل المؤشر.",
                ja: "文字入力：Ctrl+矢印で単語移動、Ctrl-Wで単語を、Ctrl-Uでカーソルより前を削除します。")
        case .helpNumber:
            phrase(
                en: "In a number: arrows, Page Up and Down, Home and End, or digits.",
                de: "In einer Zahl: Pfeile, Bild auf und ab, Pos1 und Ende, oder Ziffern.",
                ar: "في الرقم: الأسهم، Page Up وPage Down، Home وEnd، أو الأرقام.",
                ja: "数値：矢印、Page Up/Down、Home/End、または数字。")
        case .helpChoice:
            phrase(
                en: "In a list: arrows, or type how a choice begins.",
                de: "In einer Liste: Pfeile, oder tippen, wie ein Eintrag beginnt.",
                ar: "في القائمة: الأسهم، أو اكتب بداية الخيار.", ja: "一覧：矢印、または項目の先頭を入力します。")
        case .helpToggle:
            phrase(
                en: "At a switch: Space or arrows turn it.",
                de: "An einem Schalter: Leertaste oder Pfeile schalten um.",
                ar: "في المبدّل: المسافة أو الأسهم للتبديل.", ja: "スイッチ：スペースまたは矢印で切り替えます。")
        case .helpLeave:
            phrase(
                en: "Ctrl-C: leave. Ctrl-Z: suspend.", de: "Strg-C: verlassen. Strg-Z: anhalten.",
                ar: "Ctrl-C: المغادرة. Ctrl-Z: التعليق.", ja: "Ctrl-C：終了。Ctrl-Z：一時停止。")
        case .helpClose:
            phrase(
                en: "Any key closes this.", de: "Jede Taste schließt das.", ar: "أي مفتاح يغلق هذا.",
                ja: "何かキーを押すと閉じます。")
        }
    }

    /// A phrase: each language that Doorstep brings must be there, or it doesn't compile.
    private func phrase(en: String, de: String, ar: String, ja: String) -> LocalizedText {
        LocalizedText([
            LocalizedText.Entry(tag: "en", text: en), LocalizedText.Entry(tag: "de", text: de),
            LocalizedText.Entry(tag: "ar", text: ar), LocalizedText.Entry(tag: "ja", text: ja),
        ])
    }
}
