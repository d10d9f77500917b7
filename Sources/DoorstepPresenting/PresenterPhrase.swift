package import Doorstep

/// What presenters themselves say, beside the pages and their actions.
package enum PresenterPhrase: Hashable {
    case working
    case optional
    case profileTitle, profileBody, done, signOut, signOutQuestion, signOutConfirm, cancel, signedOut

    /// The phrase for a reader of these languages.
    package func text(for languages: LanguagePreferences) -> String {
        translations.text(for: languages)
    }

    private var translations: LocalizedText {
        switch self {
        case .working: .phrase(en: "One moment …", de: "Einen Moment …", ar: "لحظة من فضلك …", ja: "お待ちください…")
        case .optional: .phrase(en: "(optional)", de: "(freiwillig)", ar: "(اختياري)", ja: "（任意）")
        case .profileTitle: .phrase(en: "Your profile", de: "Dein Profil", ar: "ملفك الشخصي", ja: "プロフィール")
        case .profileBody:
            .phrase(
                en: "This is what was saved.", de: "Das wurde gespeichert.", ar: "هذا ما تم حفظه.", ja: "保存された内容です。")
        case .done: .phrase(en: "Done", de: "Fertig", ar: "تم", ja: "完了")
        case .signOut: .phrase(en: "Sign Out", de: "Abmelden", ar: "تسجيل الخروج", ja: "サインアウト")
        case .signOutQuestion:
            .phrase(
                en: "Sign out? The answers and everything above are erased.",
                de: "Abmelden? Die Antworten und alles oben Genannte werden gelöscht.",
                ar: "تسجيل الخروج؟ تُمحى الإجابات وكل ما ورد أعلاه.", ja: "サインアウトしますか。回答と上の内容はすべて消去されます。")
        case .signOutConfirm:
            .phrase(en: "Sign Out and Erase", de: "Abmelden und löschen", ar: "الخروج والمحو", ja: "サインアウトして消去")
        case .cancel: .phrase(en: "Cancel", de: "Abbrechen", ar: "إلغاء", ja: "キャンセル")
        case .signedOut:
            .phrase(
                en: "Signed out. Nothing of it is kept.", de: "Abgemeldet. Nichts davon bleibt.",
                ar: "تم تسجيل الخروج. لم يبقَ شيء منه.", ja: "サインアウトしました。何も残っていません。")
        }
    }
}
