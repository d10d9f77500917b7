import Doorstep

/// The texts of the example app.
enum AuroraText {
    case welcomeTitle, welcomeHeadline, welcomeBody
    case profileTitle, name, nameHelp, age, motto
    case notifications, notificationsBody, notAllowed, allowed
    case look, theme, light, dark, sounds
    case notice, noticeBody

    var translations: LocalizedText {
        switch self {
        case .welcomeTitle:
            texts("Welcome to Aurora", "Willkommen bei Aurora", "مرحبًا بك في Aurora", "Auroraへようこそ")
        case .welcomeHeadline:
            texts(
                "Northern lights, forecast for where you are.",
                "Nordlichter, vorhergesagt für den Ort, an dem Sie sind.",
                "أضواء الشمال، بتوقعات لمكان وجودك.",
                "あなたのいる場所のオーロラ予報です。")
        case .welcomeBody:
            texts(
                "Aurora looks at the sky so that you can sleep. It wakes you when it is worth it.",
                "Aurora beobachtet den Himmel, damit Sie schlafen können. Benachrichtigungseinstellungsmöglichkeiten folgen.",
                "يراقب Aurora السماء حتى تتمكن من النوم، ويوقظك عندما يستحق الأمر ذلك.",
                "Auroraが空を見守るので、あなたは眠っていられます。「見るべき空」になったら、お知らせします。オーロラの活動が弱い夜は、静かにしています。")
        case .profileTitle: texts("About you", "Über Sie", "نبذة عنك", "あなたについて")
        case .name: texts("Name", "Name", "الاسم", "名前")
        case .nameHelp:
            texts(
                "What Aurora calls you.", "Wie Aurora Sie nennt.", "الاسم الذي يناديك به Aurora.",
                "Auroraがあなたを呼ぶときの名前です。")
        case .age: texts("Age", "Alter", "العمر", "年齢")
        case .motto: texts("Motto", "Motto", "الشعار", "ひとこと")
        case .notifications: texts("Notifications", "Mitteilungen", "الإشعارات", "通知")
        case .notificationsBody:
            texts(
                "A notification tells you that the sky is worth a look.",
                "Eine Mitteilung sagt Ihnen, dass sich ein Blick zum Himmel lohnt.",
                "يخبرك الإشعار أن السماء تستحق نظرة.", "空を見る価値があるとき、通知でお知らせします。")
        case .notAllowed: texts("not asked yet", "noch nicht gefragt", "لم يُطلب بعد", "まだ確認していません")
        case .allowed: texts("allowed", "erlaubt", "مسموح", "許可済み")
        case .look: texts("Look and sound", "Aussehen und Klang", "المظهر والصوت", "外観と音")
        case .theme: texts("Theme", "Farben", "السمة", "テーマ")
        case .light: texts("Light", "Hell", "فاتح", "ライト")
        case .dark: texts("Dark", "Dunkel", "داكن", "ダーク")
        case .sounds: texts("Sounds", "Klänge", "الأصوات", "サウンド")
        case .notice: texts("One more thing", "Noch etwas", "أمر أخير", "最後に")
        case .noticeBody:
            texts(
                "Forecasts can be wrong.", "Vorhersagen können falsch sein.", "قد تخطئ التوقعات.",
                "予報は外れることがあります。")
        }
    }

    private func texts(_ en: String, _ de: String, _ ar: String, _ ja: String) -> LocalizedText {
        LocalizedText([
            LocalizedText.Entry(tag: "en", text: en), LocalizedText.Entry(tag: "de", text: de),
            LocalizedText.Entry(tag: "ar", text: ar), LocalizedText.Entry(tag: "ja", text: ja),
        ])
    }
}
