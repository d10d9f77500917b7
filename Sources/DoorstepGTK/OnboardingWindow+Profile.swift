#if GTK
internal import CAdwaita

/// The page after the last one: what was stored, and the way to take it back.
extension OnboardingWindow {
    /// Shows what was stored, or ends where nothing was.
    func showProfile() {
        var entries: [PresenterProfile.Entry] = []
        do throws(OnboardingStorageError) {
            entries = try session.profile?.entries() ?? []
        } catch {
            failure = error
        }
        guard !entries.isEmpty, let carousel, let footer else { return end(.finished) }
        state = .profile
        for page in pages { page.setActive(false) }
        adw_carousel_set_interactive(carousel, 0)
        if let dots { gtk_widget_set_visible(dots, 0) }
        let languages = pager.languages
        let page = ProfileView.make(entries, languages: languages)
        adw_carousel_append(carousel, page)
        scroll(to: page, animated: true)
        footer.show([
            Footer.Action(title: PresenterPhrase.done.text(for: languages), place: .primary),
            Footer.Action(
                title: PresenterPhrase.signOut.text(for: languages), place: .trailing, isDestructive: true),
        ])
        gtk_widget_grab_focus(footer.primary)
    }

    func chooseInProfile(_ index: Int) {
        if index == 0 { end(.finished) } else { askToSignOut() }
    }

    private func askToSignOut() {
        guard let widget else { return }
        let languages = pager.languages
        let dialog: Widget = adw_message_dialog_new(
            widget.cast(), PresenterPhrase.signOut.text(for: languages),
            PresenterPhrase.signOutQuestion.text(for: languages))
        adw_message_dialog_add_response(dialog.cast(), "cancel", PresenterPhrase.cancel.text(for: languages))
        adw_message_dialog_add_response(dialog.cast(), "erase", PresenterPhrase.signOutConfirm.text(for: languages))
        adw_message_dialog_set_response_appearance(dialog.cast(), "erase", ADW_RESPONSE_DESTRUCTIVE)
        adw_message_dialog_set_default_response(dialog.cast(), "cancel")
        adw_message_dialog_set_close_response(dialog.cast(), "cancel")
        Signal.connect(text: dialog, "response") { [weak self] response in
            guard response == "erase" else { return }
            // The question must let go of the window, which goes first where nothing keeps it.
            gtk_window_set_transient_for(dialog.cast(), nil)
            self?.tasks.append(Task { [weak self] in self?.signOut() })
        }
        gtk_window_present(dialog.cast())
    }

    private func signOut() {
        do throws(OnboardingStorageError) {
            try session.profile?.signOut()
            end(.signedOut)
        } catch {
            tell(error)
        }
    }
}
#endif
