/// The phrases in the languages that Doorstep brings; another language's reader gets English.
extension Phrase {
    /// The phrase for a reader of these languages.
    public func text(for languages: LanguagePreferences) -> String {
        translations.text(for: languages, inserting: inserts)
    }

    private var inserts: [String] {
        switch self {
        case .tooShort(let minimum): [String(minimum)]
        case .tooLong(let maximum): [String(maximum)]
        case .outOfRange(let minimum, let maximum): [String(minimum), String(maximum)]
        case .offStep(let minimum, let step): [String(minimum), String(step)]
        case .notAChoice(let accepted): [accepted]
        default: []
        }
    }

    private var translations: LocalizedText {
        switch self {
        case .custom(let text): LocalizedText(text)
        case .signUp:
            .phrase(
                en: "Sign Up",
                de: "Registrieren",
                ar: "التسجيل",
                ja: "登録")
        case .getStarted:
            .phrase(
                en: "Get Started",
                de: "Los geht’s",
                ar: "لنبدأ",
                ja: "はじめる")
        case .next:
            .phrase(
                en: "Next",
                de: "Weiter",
                ar: "التالي",
                ja: "次へ")
        case .finish:
            .phrase(
                en: "Finish",
                de: "Fertig",
                ar: "إنهاء",
                ja: "完了")
        case .skip:
            .phrase(
                en: "Skip",
                de: "Überspringen",
                ar: "تخطٍّ",
                ja: "スキップ")
        case .back:
            .phrase(
                en: "Back",
                de: "Zurück",
                ar: "رجوع",
                ja: "戻る")
        case .allow:
            .phrase(
                en: "Allow",
                de: "Erlauben",
                ar: "السماح",
                ja: "許可")
        case .openSettings:
            .phrase(
                en: "Open Settings",
                de: "Einstellungen öffnen",
                ar: "فتح الإعدادات",
                ja: "設定を開く")
        case .tryAgain:
            .phrase(
                en: "Try Again",
                de: "Erneut versuchen",
                ar: "إعادة المحاولة",
                ja: "再試行")
        case .continueWithout:
            .phrase(
                en: "Continue Without",
                de: "Ohne fortfahren",
                ar: "المتابعة بدونه",
                ja: "許可せずに続ける")
        case .turnOn:
            .phrase(
                en: "Turn On",
                de: "Einschalten",
                ar: "تشغيل",
                ja: "オンにする")
        case .unlock:
            .phrase(
                en: "Unlock",
                de: "Entsperren",
                ar: "إلغاء القفل",
                ja: "ロックを解除")
        case .required:
            .phrase(
                en: "Please fill this in.",
                de: "Bitte ausfüllen.",
                ar: "يرجى ملء هذا الحقل.",
                ja: "入力してください。")
        case .choiceRequired:
            .phrase(
                en: "Please choose one.",
                de: "Bitte eine Auswahl treffen.",
                ar: "يرجى اختيار واحد.",
                ja: "選択してください。")
        case .tooShort:
            .phrase(
                en: "Please use at least %1 characters.",
                de: "Bitte mindestens %1 Zeichen eingeben.",
                ar: "يرجى إدخال %1 من الأحرف على الأقل.",
                ja: "%1文字以上で入力してください。")
        case .tooLong:
            .phrase(
                en: "Please use at most %1 characters.",
                de: "Bitte höchstens %1 Zeichen eingeben.",
                ar: "يرجى إدخال %1 من الأحرف على الأكثر.",
                ja: "%1文字以内で入力してください。")
        case .noPattern:
            .phrase(
                en: "This doesn’t have the expected form.",
                de: "Das hat nicht die erwartete Form.",
                ar: "هذا ليس بالشكل المتوقع.",
                ja: "形式が正しくありません。")
        case .controlCharacters:
            .phrase(
                en: "Please use only characters that can be seen.",
                de: "Bitte nur sichtbare Zeichen verwenden.",
                ar: "يرجى استخدام أحرف مرئية فقط.",
                ja: "表示できる文字だけを使ってください。")
        case .notANumber:
            .phrase(
                en: "Please give a whole number.",
                de: "Bitte eine ganze Zahl eingeben.",
                ar: "يرجى إدخال عدد صحيح.",
                ja: "整数を入力してください。")
        case .outOfRange(.min, .max): Phrase.notANumber.translations
        case .outOfRange(_, .max):
            .phrase(
                en: "Please give a number of at least %1.",
                de: "Bitte eine Zahl von mindestens %1 eingeben.",
                ar: "يرجى إدخال عدد لا يقل عن %1.",
                ja: "%1以上の数を入力してください。")
        case .outOfRange(.min, _):
            .phrase(
                en: "Please give a number of at most %2.",
                de: "Bitte eine Zahl von höchstens %2 eingeben.",
                ar: "يرجى إدخال عدد لا يزيد على %2.",
                ja: "%2以下の数を入力してください。")
        case .outOfRange:
            .phrase(
                en: "Please give a number from %1 to %2.",
                de: "Bitte eine Zahl von %1 bis %2 eingeben.",
                ar: "يرجى إدخال عدد من %1 إلى %2.",
                ja: "%1から%2までの数を入力してください。")
        case .offStep:
            .phrase(
                en: "Please count up from %1 in steps of %2.",
                de: "Bitte ab %1 in Schritten von %2 zählen.",
                ar: "يرجى العد من %1 بخطوات قدرها %2.",
                ja: "%1から%2刻みの数を入力してください。")
        case .notAChoice:
            .phrase(
                en: "Please choose one of: %1.",
                de: "Bitte eines davon wählen: %1.",
                ar: "يرجى اختيار واحد من: %1.",
                ja: "次から選んでください：%1。")
        case .notAToggle:
            .phrase(
                en: "Please answer yes or no.",
                de: "Bitte mit Ja oder Nein antworten.",
                ar: "يرجى الإجابة بنعم أو لا.",
                ja: "「はい」か「いいえ」で答えてください。")
        case .yes:
            .phrase(
                en: "yes",
                de: "ja",
                ar: "نعم",
                ja: "はい")
        case .no:
            .phrase(
                en: "no",
                de: "nein",
                ar: "لا",
                ja: "いいえ")
        }
    }
}
