internal import Doorstep

/// The phrases in the languages that Doorstep brings; another language's reader gets English.
extension TerminalPhrase {
    var translations: LocalizedText {
        switch self {
        case .position:
            .phrase(en: "%1 of %2", de: "%1 von %2", ar: "%1 من %2", ja: "%1/%2")
        case .status:
            .phrase(en: "Status: %1", de: "Stand: %1", ar: "الحالة: %1", ja: "状態：%1")
        case .choicePrompt:
            .phrase(en: "Your choice", de: "Auswahl", ar: "اختيارك", ja: "選択")
        case .answerPrompt:
            .phrase(en: "Answer", de: "Antwort", ar: "الإجابة", ja: "回答")
        case .textLength(let range) where range.lowerBound < 1:
            .phrase(
                en: "At most %2 characters.", de: "Höchstens %2 Zeichen.", ar: "%2 من الأحرف على الأكثر.",
                ja: "%2文字以内。")
        case .textLength:
            .phrase(
                en: "%1 to %2 characters.", de: "%1 bis %2 Zeichen.", ar: "من %1 إلى %2 من الأحرف.",
                ja: "%1～%2文字。")
        case .wholeNumber(let range, _) where !range.hasLowerBound && !range.hasUpperBound:
            .phrase(en: "A whole number.", de: "Eine ganze Zahl.", ar: "عدد صحيح.", ja: "整数。")
        case .wholeNumber(let range, _) where !range.hasLowerBound:
            .phrase(
                en: "A whole number of at most %2.", de: "Eine ganze Zahl, höchstens %2.",
                ar: "عدد صحيح لا يزيد على %2.", ja: "%2以下の整数。")
        case .wholeNumber(let range, let step) where !range.hasUpperBound && step > 1:
            .phrase(
                en: "A whole number of at least %1, in steps of %3.",
                de: "Eine ganze Zahl, mindestens %1, in Schritten von %3.",
                ar: "عدد صحيح لا يقل عن %1 بخطوات قدرها %3.", ja: "%1以上の整数（%3刻み）。")
        case .wholeNumber(let range, _) where !range.hasUpperBound:
            .phrase(
                en: "A whole number of at least %1.", de: "Eine ganze Zahl, mindestens %1.",
                ar: "عدد صحيح لا يقل عن %1.", ja: "%1以上の整数。")
        case .wholeNumber(_, let step) where step > 1:
            .phrase(
                en: "A whole number from %1 to %2, in steps of %3.",
                de: "Eine ganze Zahl von %1 bis %2 in Schritten von %3.",
                ar: "عدد صحيح من %1 إلى %2 بخطوات قدرها %3.",
                ja: "%1から%2までの整数（%3刻み）。")
        case .wholeNumber:
            .phrase(
                en: "A whole number from %1 to %2.", de: "Eine ganze Zahl von %1 bis %2.",
                ar: "عدد صحيح من %1 إلى %2.", ja: "%1から%2までの整数。")
        case .oneOf:
            .phrase(en: "%1 or %2.", de: "%1 oder %2.", ar: "%1 أو %2.", ja: "「%1」か「%2」。")
        case .fromTheList:
            .phrase(
                en: "A number or a name from the list.", de: "Eine Nummer oder ein Name aus der Liste.",
                ar: "رقم أو اسم من القائمة.", ja: "一覧の番号または名前。")
        case .mayBeEmpty:
            .phrase(
                en: "May be left empty.", de: "Kann leer bleiben.", ar: "يمكن تركه فارغًا.", ja: "省略できます。")
        case .enterTakesBrackets:
            .phrase(
                en: "Enter takes what stands in brackets.",
                de: "Die Eingabetaste übernimmt, was in Klammern steht.",
                ar: "مفتاح الإدخال يأخذ ما بين القوسين.",
                ja: "Enterキーで括弧内の値になります。")
        case .enterChooses:
            .phrase(
                en: "Type a number, or how a name begins. Enter chooses: %1.",
                de: "Eine Nummer eingeben, oder wie ein Name beginnt. Die Eingabetaste wählt: %1.",
                ar: "اكتب رقمًا أو بداية اسم. مفتاح الإدخال يختار: %1.",
                ja: "番号か名前の先頭を入力してください。Enterキーで選ばれるもの：%1。")
        case .insteadOfAnswer:
            .phrase(
                en: "Instead of an answer: %1.", de: "Statt einer Antwort: %1.", ar: "بدلًا من الإجابة: %1.",
                ja: "回答の代わりに：%1。")
        case .colonMakesAnswer:
            .phrase(
                en: "A colon before one of these makes it an answer.",
                de: "Ein Doppelpunkt davor macht daraus eine Antwort.",
                ar: "نقطتان قبل أي منها تجعلانه إجابة.",
                ja: "前にコロンを付けると回答として扱われます。")
        case .typeAChoice:
            .phrase(
                en: "That isn’t one of the choices. Please type a number from the list.",
                de: "Das steht nicht zur Wahl. Bitte eine Nummer aus der Liste eingeben.",
                ar: "هذا ليس من الخيارات. يرجى كتابة رقم من القائمة.",
                ja: "選択肢にありません。一覧の番号を入力してください。")
        case .notOnThisPage:
            .phrase(
                en: "That isn’t possible on this page.", de: "Das geht auf dieser Seite nicht.",
                ar: "هذا غير ممكن في هذه الصفحة.", ja: "このページではできません。")
        case .lineTooLong:
            .phrase(
                en: "That line is too long; at most %1 bytes are accepted.",
                de: "Diese Zeile ist zu lang; höchstens %1 Bytes sind möglich.",
                ar: "هذا السطر طويل جدًا؛ يُقبل %1 بايت على الأكثر.",
                ja: "行が長すぎます。%1バイト以内で入力してください。")
        case .quit:
            .phrase(en: "Quit", de: "Beenden", ar: "خروج", ja: "終了")
        case .help:
            .phrase(en: "Help", de: "Hilfe", ar: "مساعدة", ja: "ヘルプ")
        case .leaveEmpty:
            .phrase(en: "Leave empty", de: "Leer lassen", ar: "تركه فارغًا", ja: "空にする")
        case .listSeparator:
            .phrase(en: ", ", de: ", ", ar: "، ", ja: "、")
        case .allDone:
            .phrase(
                en: "That was the last page. Everything is saved.",
                de: "Das war die letzte Seite. Alles ist gespeichert.",
                ar: "كانت هذه آخر صفحة. حُفظ كل شيء.",
                ja: "これで最後のページです。すべて保存されました。")
        case .leftAndKept:
            .phrase(
                en: "Left before the end. What was answered so far is kept.",
                de: "Vor dem Ende verlassen. Was bisher beantwortet wurde, bleibt.",
                ar: "تم الخروج قبل النهاية. ما تمت الإجابة عنه محفوظ.",
                ja: "途中で終了しました。これまでの回答は保存されています。")
        case .leftOpenPage:
            .phrase(
                en: "Left before the end. The pages answered so far are kept, what was typed on this one is not.",
                de: "Vor dem Ende verlassen. Die bisher beantworteten Seiten bleiben, die Eingaben auf dieser nicht.",
                ar: "تم الخروج قبل النهاية. الصفحات التي تمت الإجابة عنها محفوظة، أما ما كُتب في هذه الصفحة فلا.",
                ja: "途中で終了しました。回答済みのページは保存されていますが、このページの入力は保存されていません。")
        case .leftWithoutTrace:
            .phrase(
                en: "Left before the end. Nothing was saved.",
                de: "Vor dem Ende verlassen. Nichts wurde gespeichert.",
                ar: "تم الخروج قبل النهاية. لم يُحفظ شيء.",
                ja: "途中で終了しました。何も保存されていません。")
        case .checkedAgain(let times) where times > 1:
            .phrase(
                en: "Checked %1 times: nothing has changed.", de: "%1-mal geprüft: Es hat sich nichts geändert.",
                ar: "عدد مرات التحقق %1: لم يتغير شيء.", ja: "%1回確認しました。変化はありません。")
        case .checkedAgain:
            .phrase(
                en: "Checked again: nothing has changed.", de: "Erneut geprüft: Es hat sich nichts geändert.",
                ar: "تم التحقق مرة أخرى: لم يتغير شيء.", ja: "再確認しました。変化はありません。")
        case .moreRoom:
            .phrase(
                en: "Please make the window larger: %1×%2 at least.",
                de: "Bitte das Fenster vergrößern: mindestens %1×%2.",
                ar: "يرجى تكبير النافذة: %1×%2 على الأقل.", ja: "ウィンドウを広げてください（%1×%2以上）。")
        case .hintMove: .phrase(en: "Tab moves", de: "Tab wechselt", ar: "Tab للتنقل", ja: "Tabで移動")
        case .hintAction:
            .phrase(en: "Enter chooses", de: "Enter wählt", ar: "Enter للاختيار", ja: "Enterで決定")
        case .hintText:
            .phrase(en: "Type your answer", de: "Antwort tippen", ar: "اكتب إجابتك", ja: "文字を入力")
        case .hintSlider:
            .phrase(
                en: "Left/Right changes it", de: "Links/Rechts ändert", ar: "يسار/يمين للتغيير", ja: "左右キーで変更")
        case .hintNumber:
            .phrase(en: "Type digits", de: "Ziffern tippen", ar: "اكتب الأرقام", ja: "数字を入力")
        case .hintChoice:
            .phrase(
                en: "Up/Down or Space chooses", de: "Auf/Ab oder Leertaste wählt", ar: "أعلى/أسفل أو المسافة للاختيار",
                ja: "上下キーかスペースで選択")
        case .hintToggle:
            .phrase(
                en: "Space turns it", de: "Leertaste schaltet um", ar: "المسافة للتبديل", ja: "スペースで切替")
        case .hintLeave:
            .phrase(en: "Ctrl-C leaves", de: "Strg-C verlässt", ar: "Ctrl-C للمغادرة", ja: "Ctrl-Cで終了")
        case .hintHelp: .phrase(en: "F1 help", de: "F1 Hilfe", ar: "F1 مساعدة", ja: "F1 ヘルプ")
        case .helpTitle: .phrase(en: "Keys", de: "Tasten", ar: "المفاتيح", ja: "キー操作")
        case .helpMove:
            .phrase(
                en: "Tab, Shift-Tab, arrows: move between fields and actions; wheel: scroll.",
                de: "Tab, Umschalt-Tab, Pfeile: zwischen Feldern und Aktionen wechseln; Mausrad: blättern.",
                ar: "Tab و Shift-Tab والأسهم: التنقل بين الحقول والإجراءات.", ja: "Tab、Shift-Tab、矢印：項目と操作の間を移動します。")
        case .helpDots:
            .phrase(
                en: "A click on a dot: that page; the pages in between count as passed.",
                de: "Ein Klick auf einen Punkt: diese Seite; die Seiten dazwischen gelten als übergangen.",
                ar: "النقر على نقطة: تلك الصفحة، وتُعد الصفحات بينهما متجاوزة.",
                ja: "点をクリック：そのページへ移ります。間のページは飛ばしたものとなります。")
        case .helpEnter:
            .phrase(
                en: "Enter: next field, or does the action.", de: "Enter: nächstes Feld, oder führt die Aktion aus.",
                ar: "Enter: الحقل التالي أو تنفيذ الإجراء.", ja: "Enter：次の項目へ、または操作を実行します。")
        case .helpBack:
            .phrase(
                en: "Esc: the page before.", de: "Esc: die Seite davor.", ar: "Esc: الصفحة السابقة.", ja: "Esc：前のページ。")
        case .helpBackless:
            .phrase(
                en: "Esc: nothing on the first page.", de: "Esc: auf der ersten Seite nichts.",
                ar: "Esc: لا شيء في الصفحة الأولى.", ja: "Esc：最初のページでは何もしません。")
        case .helpText:
            .phrase(
                en: "In text: Ctrl-arrows move by words, Ctrl-W deletes one, Ctrl-U everything before the cursor.",
                de: "Im Text: Strg-Pfeile wortweise, Strg-W löscht ein Wort, Strg-U alles vor dem Cursor.",
                ar: "في النص: Ctrl مع الأسهم للتنقل بالكلمات، Ctrl-W لحذف كلمة، Ctrl-U لحذف ما قبل المؤشر.",
                ja: "文字入力：Ctrl+矢印で単語移動、Ctrl-Wで単語を、Ctrl-Uでカーソルより前を削除します。")
        case .helpNumber:
            .phrase(
                en: "In a number: arrows, Page Up and Down, Home and End, or digits.",
                de: "In einer Zahl: Pfeile, Bild auf und ab, Pos1 und Ende, oder Ziffern.",
                ar: "في الرقم: الأسهم، Page Up وPage Down، Home وEnd، أو الأرقام.",
                ja: "数値：矢印、Page Up/Down、Home/End、または数字。")
        case .helpChoice:
            .phrase(
                en: "In a list: arrows, or type how a choice begins.",
                de: "In einer Liste: Pfeile, oder tippen, wie ein Eintrag beginnt.",
                ar: "في القائمة: الأسهم، أو اكتب بداية الخيار.", ja: "一覧：矢印、または項目の先頭を入力します。")
        case .helpToggle:
            .phrase(
                en: "At a switch: Space or arrows turn it.",
                de: "An einem Schalter: Leertaste oder Pfeile schalten um.",
                ar: "في المبدّل: المسافة أو الأسهم للتبديل.", ja: "スイッチ：スペースまたは矢印で切り替えます。")
        case .helpLeave:
            .phrase(
                en: "Ctrl-C, or Ctrl-D outside a text: leave. Ctrl-Z: suspend.",
                de: "Strg-C, oder Strg-D außerhalb eines Textes: verlassen. Strg-Z: anhalten.",
                ar: "Ctrl-C، أو Ctrl-D خارج النص: المغادرة. Ctrl-Z: التعليق.",
                ja: "Ctrl-C、または文字入力以外でCtrl-D：終了。Ctrl-Z：一時停止。")
        case .helpClose:
            .phrase(
                en: "Any key closes this.", de: "Jede Taste schließt das.", ar: "أي مفتاح يغلق هذا.",
                ja: "何かキーを押すと閉じます。")
        }
    }
}
