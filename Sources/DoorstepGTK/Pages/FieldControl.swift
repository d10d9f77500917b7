#if GTK
internal import CAdwaita

/// The control of one field: an entry, a slider, a drop-down or a switch.
@MainActor
final class FieldControl {
    /// The most steps that a slider is offered for; a number from more of them is typed.
    private static let sliderSteps = 500

    /// The control itself.
    let widget: Widget
    /// What stands beside the field's name: a slider's value, or a switch itself.
    let beside: Widget?
    /// What assistive technology focuses: a drop-down's button, else the control.
    let target: Widget

    private let field: StepField
    private let changed: @MainActor (OnboardingInputValue?) -> Void

    init(
        _ field: StepField, value: OnboardingInputValue?,
        changed: @escaping @MainActor (OnboardingInputValue?) -> Void
    ) {
        self.field = field
        self.changed = changed
        switch field.kind {
        case .text(let length, _, _):
            widget = gtk_entry_new()
            beside = nil
            target = widget
            // More can be typed, so that what is pasted is never cut in silence; but not without end.
            gtk_entry_set_max_length(widget.cast(), Int32(min(max(1, length.upperBound), 10_000) * 4))
            if case .text(let text)? = value { gtk_editable_set_text(widget.opaque, text) }
            typed { text in text.isEmpty ? nil : .text(text) }
        case .integer(let range, let step, _) where Self.hasSlider(range, step: step):
            widget = gtk_scale_new_with_range(
                GTK_ORIENTATION_HORIZONTAL, Double(range.lowerBound), Double(range.upperBound), Double(step))
            beside = Widget.label(classes: "numeric", "title-3")
            target = widget
            slide(range, step: step, value: value)
        case .integer:
            widget = gtk_entry_new()
            beside = nil
            target = widget
            gtk_entry_set_input_purpose(widget.cast(), GTK_INPUT_PURPOSE_NUMBER)
            if case .integer(let number)? = value { gtk_editable_set_text(widget.opaque, String(number)) }
            typed { text in
                if text.isEmpty { return nil }
                // What is no number is kept as text, which no integer field accepts.
                let digits = text.map { $0.wholeNumberValue.map(String.init) ?? String($0) }.joined()
                return Int(digits).map(OnboardingInputValue.integer) ?? .text(text)
            }
        case .choice(let choices, _):
            let empty = field.isOptional ? ["—"] : []
            let list: OpaquePointer = gtk_string_list_new(nil)
            for label in empty + choices.map(\.label) {
                gtk_string_list_append(list, PrintableText.singleLine(label))
            }
            widget = gtk_drop_down_new(list, nil)
            beside = nil
            target = gtk_widget_get_first_child(widget)
            choose(from: choices, offset: empty.count, value: value)
        case .toggle:
            widget = gtk_switch_new()
            gtk_widget_set_valign(widget, GTK_ALIGN_CENTER)
            beside = widget
            target = widget
            var isOn = false
            if case .toggle(let flag)? = value { isOn = flag }
            gtk_switch_set_active(widget.opaque, isOn ? 1 : 0)
            Signal.notified(of: "active", widget) { [weak self] in
                guard let self else { return }
                self.changed(.toggle(gtk_switch_get_active(self.widget.opaque) != 0))
            }
        }
    }

    /// Takes the keyboard; what is typed goes on behind what an entry holds.
    func focus() {
        guard g_type_check_instance_is_a(widget.cast(), gtk_entry_get_type()) != 0 else {
            gtk_widget_grab_focus(widget)
            return
        }
        gtk_entry_grab_focus_without_selecting(widget.cast())
        gtk_editable_set_position(widget.opaque, -1)
    }

    /// Enter in an entry is Enter on its page.
    private func typed(_ value: @escaping @MainActor (String) -> OnboardingInputValue?) {
        gtk_entry_set_activates_default(widget.cast(), 1)
        Signal.connect(widget, "changed") { [weak self] in
            guard let self, let text = gtk_editable_get_text(self.widget.opaque) else { return }
            self.changed(value(String(cString: text)))
        }
    }

    private func slide(_ range: ClosedRange<Int>, step: Int, value: OnboardingInputValue?) {
        gtk_scale_set_draw_value(widget.cast(), 0)
        gtk_scale_set_digits(widget.cast(), 0)
        gtk_range_set_increments(widget.cast(), Double(step), Double(step * 10))
        if case .integer(let number)? = value {
            gtk_range_set_value(widget.cast(), Double(number))
            say(number)
        } else {
            beside?.setText("—")
        }
        Signal.connect(widget, "value-changed") { [weak self] in
            guard let self else { return }
            let found = gtk_range_get_value(self.widget.cast())
            let steps = ((found - Double(range.lowerBound)) / Double(step)).rounded()
            var number = range.lowerBound + Int(steps) * step
            if number > range.upperBound { number -= step }
            // Comes back here with the value that counts.
            if Double(number) != found { return gtk_range_set_value(self.widget.cast(), Double(number)) }
            self.say(number)
            self.changed(.integer(number))
        }
    }

    private func say(_ number: Int) {
        beside?.setText(String(number))
        doorstep_set_accessible_value_text(widget, String(number))
    }

    private func choose(from choices: [StepChoice], offset: Int, value: OnboardingInputValue?) {
        var selected = offset == 0 ? UInt32.max : 0
        if case .text(let chosen)? = value, let index = choices.firstIndex(where: { $0.value == chosen }) {
            selected = UInt32(index + offset)
        }
        gtk_drop_down_set_selected(widget.opaque, selected)
        func chosen() -> StepChoice? {
            let index = Int(gtk_drop_down_get_selected(widget.opaque)) - offset
            return choices.indices.contains(index) ? choices[index] : nil
        }
        name(chosen())
        Signal.notified(of: "selected", widget) { [weak self] in
            guard let self else { return }
            let choice = chosen()
            self.name(choice)
            self.changed(choice.map { .text($0.value) })
        }
    }

    /// The button of a drop-down has no name of its own: it gets the field's, with what is chosen.
    private func name(_ choice: StepChoice?) {
        let label = "\(field.label): \(choice?.label ?? "—")"
        doorstep_set_accessible_label(target, PrintableText.singleLine(label))
    }

    private static func hasSlider(_ range: ClosedRange<Int>, step: Int) -> Bool {
        let (length, isTooLong) = range.upperBound.subtractingReportingOverflow(range.lowerBound)
        return !isTooLong && step > 0 && length / step <= sliderSteps && range.upperBound.magnitude < 1 << 40
    }
}
#endif
