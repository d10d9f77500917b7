#if GTK
internal import CAdwaita

/// One field of a page: its name, its control, and what is wrong with it.
@MainActor
final class FieldView {
    let field: StepField
    /// Everything of the field.
    let widget: Widget
    /// What has the keyboard and the value.
    let control: FieldControl

    private let help: Widget
    private let error: Widget
    private let languages: LanguagePreferences

    /// - Parameters:
    ///   - value: What the field holds at first.
    ///   - changed: Called with each value that the user gives.
    ///   - left: Called when the keyboard leaves the control.
    init(
        _ field: StepField, value: OnboardingInputValue?, languages: LanguagePreferences,
        changed: @escaping @MainActor (OnboardingInputValue?) -> Void, left: @escaping @MainActor () -> Void
    ) {
        self.field = field
        self.languages = languages
        widget = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 6)
        help = Self.line(classes: "dim-label", "caption")
        error = Self.line(GTK_ACCESSIBLE_ROLE_ALERT, classes: "doorstep-error")
        control = FieldControl(field, value: value, changed: changed)

        let name = PrintableText.singleLine(field.label)
        let optional = field.isOptional ? " " + PresenterPhrase.optional.text(for: languages) : ""
        let label = Self.line(classes: "heading")
        label.setText(name + optional)
        gtk_widget_set_hexpand(label, 1)
        gtk_label_set_mnemonic_widget(label.opaque, control.widget)
        doorstep_set_accessible_relations(control.widget, label, error)
        doorstep_set_accessible_required(control.target, field.isOptional ? 0 : 1)
        help.setText(field.help.map(PrintableText.cleaned))
        error.setText(nil)

        let heading = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 12)
        heading.append(label)
        widget.append(heading)
        if let beside = control.beside { heading.append(beside) }
        if control.beside != control.widget { widget.append(control.widget) }
        widget.append(help)
        widget.append(error)
        describe(nil)
        Signal.focusLeft(control.widget, left)
    }

    /// Shows what is wrong, or that nothing is any more.
    func show(_ fault: Phrase?) {
        let text = fault?.text(for: languages)
        error.setText(text)
        control.widget.setClass("error", text != nil)
        doorstep_set_accessible_invalid(control.target, text == nil ? 0 : 1)
        describe(text)
    }

    /// Gives the control the keyboard.
    func focus() {
        control.focus()
    }

    /// What assistive technology reads after the name: what is wrong first, then what is accepted.
    private func describe(_ fault: String?) {
        let texts = [fault, field.help.map(PrintableText.singleLine)].compactMap { $0 }
        doorstep_set_accessible_description(control.target, texts.isEmpty ? nil : texts.joined(separator: " "))
    }

    private static func line(
        _ role: GtkAccessibleRole = GTK_ACCESSIBLE_ROLE_LABEL, classes: String...
    ) -> Widget {
        let label = Widget.label(role)
        gtk_label_set_xalign(label.opaque, 0)
        gtk_label_set_justify(label.opaque, GTK_JUSTIFY_LEFT)
        for name in classes { gtk_widget_add_css_class(label, name) }
        return label
    }
}
#endif
