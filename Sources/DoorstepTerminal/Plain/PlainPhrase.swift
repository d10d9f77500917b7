internal import Doorstep

/// What the plain presenter itself says.
enum PlainPhrase {
    case position(page: Int, total: Int)
    case status(String)
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
    case allDone, leftAndKept, leftWithoutTrace
}

/// The phrases in the languages that Doorstep brings; another language's reader gets English.
extension PlainPhrase {
    /// The phrase for a reader of these languages. What is put into it is isolated where it runs the other way.
    func text(for languages: LanguagePreferences) -> String {
        var text = translations.text(for: languages)
        // From the last one, so that a "%1" in what is put in stays as it is.
        for (index, insert) in inserts.enumerated().reversed() {
            guard let range = text.firstRange(of: "%\(index + 1)") else { continue }
            text.replaceSubrange(range, with: Direction.isolated(insert, for: languages))
        }
        return text
    }

    private var inserts: [String] {
        switch self {
        case .position(let page, let total): [String(page), String(total)]
        case .status(let text), .enterChooses(let text), .insteadOfAnswer(let text): [text]
        case .textLength(let range): [String(range.lowerBound), String(range.upperBound)]
        case .wholeNumber(let range, let step): [String(range.lowerBound), String(range.upperBound), String(step)]
        case .oneOf(let one, let other): [one, other]
        case .lineTooLong(let maximum): [String(maximum)]
        default: []
        }
    }

    private var translations: LocalizedText {
        switch self {
        case .position:
            phrase(en: "%1 of %2", de: "%1 von %2", ar: "%1 من %2", ja: "%1/%2")
        case .status:
            phrase(en: "Status: %1", de: "Stand: %1", ar: "الحالة: %1", ja: "状態：%1")
        case .choicePrompt:
            phrase(en: "Your choice", de: "Auswahl", ar: "اختيارك", ja: "選択")
        case .answerPrompt:
            phrase(en: "Answer", de: "Antwort", ar: "الإجابة", ja: "回答")
        case .textLength(let range) where range.lowerBound < 1:
            phrase(
                en: "At most %2 characters.", de: "Höchstens %2 Zeichen.", ar: "%2 من الأحرف على الأكثر.",
                ja: "%2文字以内。")
        case .textLength:
            phrase(
                en: "%1 to %2 characters.", de: "%1 bis %2 Zeichen.", ar: "من %1 إلى %2 من الأحرف.",
                ja: "%1～%2文字。")
        case .wholeNumber(_, let step) where step > 1:
            phrase(
                en: "A whole number from %1 to %2, in steps of %3.",
                de: "Eine ganze Zahl von %1 bis %2 in Schritten von %3.",
                ar: "عدد صحيح من %1 إلى %2 بخطوات قدرها %3.",
                ja: "%1から%2までの整数（%3刻み）。")
        case .wholeNumber:
            phrase(
                en: "A whole number from %1 to %2.", de: "Eine ganze Zahl von %1 bis %2.",
                ar: "عدد صحيح من %1 إلى %2.", ja: "%1から%2までの整数。")
        case .oneOf:
            phrase(en: "%1 or %2.", de: "%1 oder %2.", ar: "%1 أو %2.", ja: "「%1」か「%2」。")
        case .fromTheList:
            phrase(
                en: "A number or a name from the list.", de: "Eine Nummer oder ein Name aus der Liste.",
                ar: "رقم أو اسم من القائمة.", ja: "一覧の番号または名前。")
        case .mayBeEmpty:
            phrase(
                en: "May be left empty.", de: "Kann leer bleiben.", ar: "يمكن تركه فارغًا.", ja: "省略できます。")
        case .enterTakesBrackets:
            phrase(
                en: "Enter takes what stands in brackets.",
                de: "Die Eingabetaste übernimmt, was in Klammern steht.",
                ar: "مفتاح الإدخال يأخذ ما بين القوسين.",
                ja: "Enterキーで括弧内の値になります。")
        case .enterChooses:
            phrase(
                en: "Type a number, or how a name begins. Enter chooses: %1.",
                de: "Eine Nummer eingeben, oder wie ein Name beginnt. Die Eingabetaste wählt: %1.",
                ar: "اكتب رقمًا أو بداية اسم. مفتاح الإدخال يختار: %1.",
                ja: "番号か名前の先頭を入力してください。Enterキーで選ばれるもの：%1。")
        case .insteadOfAnswer:
            phrase(
                en: "Instead of an answer: %1.", de: "Statt einer Antwort: %1.", ar: "بدلًا من الإجابة: %1.",
                ja: "回答の代わりに：%1。")
        case .colonMakesAnswer:
            phrase(
                en: "A colon before one of these makes it an answer.",
                de: "Ein Doppelpunkt davor macht daraus eine Antwort.",
                ar: "نقطتان قبل أي منها تجعلانه إجابة.",
                ja: "前にコロンを付けると回答として扱われます。")
        case .typeAChoice:
            phrase(
                en: "That isn’t one of the choices. Please type a number from the list.",
                de: "Das steht nicht zur Wahl. Bitte eine Nummer aus der Liste eingeben.",
                ar: "هذا ليس من الخيارات. يرجى كتابة رقم من القائمة.",
                ja: "選択肢にありません。一覧の番号を入力してください。")
        case .notOnThisPage:
            phrase(
                en: "That isn’t possible on this page.", de: "Das geht auf dieser Seite nicht.",
                ar: "هذا غير ممكن في هذه الصفحة.", ja: "このページではできません。")
        case .lineTooLong:
            phrase(
                en: "That line is too long; at most %1 bytes are accepted.",
                de: "Diese Zeile ist zu lang; höchstens %1 Bytes sind möglich.",
                ar: "هذا السطر طويل جدًا؛ يُقبل %1 بايت على الأكثر.",
                ja: "行が長すぎます。%1バイト以内で入力してください。")
        case .quit:
            phrase(en: "Quit", de: "Beenden", ar: "خروج", ja: "終了")
        case .help:
            phrase(en: "Help", de: "Hilfe", ar: "مساعدة", ja: "ヘルプ")
        case .leaveEmpty:
            phrase(en: "Leave empty", de: "Leer lassen", ar: "تركه فارغًا", ja: "空にする")
        case .listSeparator:
            phrase(en: ", ", de: ", ", ar: "، ", ja: "、")
        case .allDone:
            phrase(
                en: "That was the last page. Everything is saved.",
                de: "Das war die letzte Seite. Alles ist gespeichert.",
                ar: "كانت هذه آخر صفحة. حُفظ كل شيء.",
                ja: "これで最後のページです。すべて保存されました。")
        case .leftAndKept:
            phrase(
                en: "Left before the end. What was answered so far is kept.",
                de: "Vor dem Ende verlassen. Was bisher beantwortet wurde, bleibt.",
                ar: "تم الخروج قبل النهاية. ما تمت الإجابة عنه محفوظ.",
                ja: "途中で終了しました。これまでの回答は保存されています。")
        case .leftWithoutTrace:
            phrase(
                en: "Left before the end. Nothing was saved.",
                de: "Vor dem Ende verlassen. Nichts wurde gespeichert.",
                ar: "تم الخروج قبل النهاية. لم يُحفظ شيء.",
                ja: "途中で終了しました。何も保存されていません。")
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
