internal import DoorstepBus
internal import DoorstepPluginKit

/// How things stand, in words that an app's user understands.
///
/// They are in the user's language and name no bus, file or interface. What was really asked and answered stands in the
/// evidence, which a page shows below them while the step isn't satisfied, and which is English everywhere: records, tables and JSON are read by maintainers and compared by programs.
enum StatusWords {
    /// The line for a check's answer.
    ///
    /// - Parameter own: What the kind says of this status, if it has words of its own.
    static func text(_ satisfaction: Satisfaction, own: LocalizedText?, for languages: LanguagePreferences) -> String {
        // A grant that doesn't count is the step's own rule, which no kind knows.
        if satisfaction.isSatisfied == false,
            satisfaction.status.mode.map({ $0 == .always || $0 == .whileInUse }) == true
        {
            return undecided.text(for: languages)
        }
        return (own ?? common(satisfaction.status)).text(for: languages)
    }

    /// The line for a request that led to nothing.
    static func text(_ error: RequestError, for languages: LanguagePreferences) -> String {
        switch error {
        case .declined: declined.text(for: languages)
        case .bus(let error) where error.isTimeout: silent.text(for: languages)
        case .missing, .bus: nobodyToAsk.text(for: languages)
        }
    }

    /// The line for a desktop whose settings can't be opened.
    static func noSettings(for languages: LanguagePreferences) -> String {
        LocalizedText.sentence(
            en: "The settings couldn’t be opened; please look for them in your desktop’s menu.",
            de: "Die Einstellungen ließen sich nicht öffnen; bitte suchen Sie sie im Menü Ihres Desktops.",
            ar: "تعذّر فتح الإعدادات؛ يُرجى البحث عنها في قائمة سطح المكتب.",
            ja: "設定を開けませんでした。デスクトップのメニューから探してください。"
        ).text(for: languages)
    }

    private static func common(_ status: AuthorizationStatus) -> LocalizedText {
        switch status {
        case .notDetermined:
            .sentence(
                en: "Nobody has decided on this yet.",
                de: "Darüber ist noch nicht entschieden.",
                ar: "لم يُتخذ قرار بهذا الشأن بعد.",
                ja: "まだ決められていません。")
        case .restricted:
            .sentence(
                en: "A setting of this machine has it switched off for all apps.",
                de: "Eine Einstellung dieses Rechners schaltet es für alle Apps ab.",
                ar: "أحد إعدادات هذا الجهاز يوقفه لجميع التطبيقات.",
                ja: "このコンピューターの設定により、すべてのアプリでオフになっています。")
        case .denied:
            .sentence(
                en: "This app isn’t allowed to.",
                de: "Dieser App ist es nicht erlaubt.",
                ar: "لا يُسمح لهذا التطبيق بذلك.",
                ja: "このアプリには許可されていません。")
        case .unavailable:
            .sentence(
                en: "It isn’t available on this machine.",
                de: "Auf diesem Rechner ist es nicht verfügbar.",
                ar: "غير متوفر على هذا الجهاز.",
                ja: "このコンピューターでは利用できません。")
        case .unknown:
            .sentence(
                en: "It couldn’t be found out right now.",
                de: "Das ließ sich gerade nicht feststellen.",
                ar: "تعذّرت معرفة ذلك الآن.",
                ja: "現在は確認できませんでした。")
        case .granted(.muted):
            .sentence(
                en: "It is allowed, but silenced at the moment.",
                de: "Es ist erlaubt, aber gerade stumm geschaltet.",
                ar: "مسموح به، لكنه صامت حاليًا.",
                ja: "許可されていますが、現在は消音中です。")
        case .granted(.limited), .granted(.provisional):
            .sentence(
                en: "It is allowed, but less than the app asks for.",
                de: "Es ist erlaubt, aber weniger, als die App braucht.",
                ar: "مسموح به، لكن بأقل مما يطلبه التطبيق.",
                ja: "許可されていますが、アプリが求める範囲より狭いです。")
        case .granted(.unverified):
            .sentence(
                en: "It seems to be there, but nothing confirms it.",
                de: "Es scheint da zu sein, aber nichts bestätigt es.",
                ar: "يبدو أنه موجود، لكن لا شيء يؤكد ذلك.",
                ja: "利用できるようですが、確認はできていません。")
        case .granted(.always), .granted(.whileInUse):
            .sentence(
                en: "Everything is set up.",
                de: "Alles ist eingerichtet.",
                ar: "كل شيء جاهز.",
                ja: "設定は完了しています。")
        }
    }

    private static var undecided: LocalizedText {
        .sentence(
            en: "It works already, but nobody has agreed to it yet.",
            de: "Es geht schon, aber noch niemand hat zugestimmt.",
            ar: "يعمل بالفعل، لكن لم يوافق أحد عليه بعد.",
            ja: "すでに使えますが、まだ誰も同意していません。")
    }

    private static var declined: LocalizedText {
        .sentence(
            en: "It wasn’t allowed.",
            de: "Es wurde nicht erlaubt.",
            ar: "لم يُسمح بذلك.",
            ja: "許可されませんでした。")
    }

    private static var silent: LocalizedText {
        .sentence(
            en: "No answer came.",
            de: "Es kam keine Antwort.",
            ar: "لم يصل أي رد.",
            ja: "応答がありませんでした。")
    }

    private static var nobodyToAsk: LocalizedText {
        .sentence(
            en: "This desktop has nothing that could ask for it.",
            de: "Auf diesem Desktop gibt es nichts, das danach fragen könnte.",
            ar: "لا يوجد في سطح المكتب هذا ما يمكنه طلب ذلك.",
            ja: "このデスクトップには確認を求める仕組みがありません。")
    }
}

extension LocalizedText {
    /// A sentence for an app's user: each language that Doorstep brings must be there, or it doesn't compile.
    static func sentence(en: String, de: String, ar: String, ja: String) -> LocalizedText {
        LocalizedText([
            Entry(tag: "en", text: en), Entry(tag: "de", text: de), Entry(tag: "ar", text: ar),
            Entry(tag: "ja", text: ja),
        ])
    }
}
