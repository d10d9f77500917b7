#if GTK
internal import CAdwaita

/// The page after the last one: what was stored, as a list.
@MainActor
enum ProfileView {
    static func make(_ entries: [PresenterProfile.Entry], languages: LanguagePreferences) -> Widget {
        let page: Widget = adw_status_page_new()
        adw_status_page_set_icon_name(page.opaque, "avatar-default-symbolic")
        adw_status_page_set_title(page.opaque, PresenterPhrase.profileTitle.text(for: languages))
        adw_status_page_set_description(page.opaque, PresenterPhrase.profileBody.text(for: languages))
        let clamp: Widget = adw_clamp_new()
        adw_clamp_set_maximum_size(clamp.opaque, PageView.columnWidth)
        let list: Widget = gtk_list_box_new()
        gtk_list_box_set_selection_mode(list.opaque, GTK_SELECTION_NONE)
        gtk_widget_add_css_class(list, "boxed-list")
        doorstep_set_accessible_label(list, PresenterPhrase.profileTitle.text(for: languages))
        for entry in entries {
            let (label, value) = (PrintableText.singleLine(entry.label), PrintableText.singleLine(entry.value))
            let row: Widget = adw_action_row_new()
            adw_preferences_row_set_use_markup(row.cast(), 0)
            adw_preferences_row_set_title(row.cast(), label)
            adw_action_row_set_subtitle(row.cast(), value)
            doorstep_set_accessible_label(row, "\(label): \(value)")
            gtk_list_box_append(list.opaque, row)
        }
        adw_clamp_set_child(clamp.opaque, list)
        adw_status_page_set_child(page.opaque, clamp)
        gtk_widget_set_hexpand(page, 1)
        return page
    }
}
#endif
