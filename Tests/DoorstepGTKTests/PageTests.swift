#if GTK
import CAdwaita
import DoorstepTestSupport
import Testing

@testable import DoorstepGTK

extension WindowTests {
    @Suite("Pages")
    @MainActor
    struct PageTests {
        @Test func `A field that isn't right says so, is marked, and gets the keyboard`() async throws {
            let scene = try Scene()
            let stage = try Stage(scene.pager())
            try await stage.open()
            try await stage.press("Sign Up")
            try await stage.settle()
            stage.fill(try stage.field("age"), "36")
            try await stage.press("Next")
            #expect(stage.window.pager.page?.step.id == Scene.name)
            #expect(stage.widget?.texts.contains("Please fill this in.") == true)
            let name = try stage.field("name").control
            #expect(gtk_widget_has_css_class(name.widget, "error") != 0)
            #expect(name.hasFocus)
            stage.fill(try stage.field("name"), "Ada")
            #expect(stage.widget?.texts.contains("Please fill this in.") == false)
            #expect(gtk_widget_has_css_class(name.widget, "error") == 0)
            try await stage.end()
        }

        @Test func `What is announced of a field is its name, its fault, and that it is invalid`() async throws {
            let scene = try Scene()
            let stage = try Stage(scene.pager())
            try await stage.open()
            try await stage.press("Sign Up")
            let target = try stage.field("name").control.target.opaque
            #expect(gtk_test_accessible_has_property(target, GTK_ACCESSIBLE_PROPERTY_LABEL) == 0)
            #expect(gtk_test_accessible_has_relation(target, GTK_ACCESSIBLE_RELATION_LABELLED_BY) != 0)
            try await stage.press("Next")
            #expect(gtk_test_accessible_has_state(target, GTK_ACCESSIBLE_STATE_INVALID) != 0)
            #expect(gtk_test_accessible_has_property(target, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION) != 0)
            #expect(gtk_test_accessible_has_relation(target, GTK_ACCESSIBLE_RELATION_DESCRIBED_BY) != 0)
            try await stage.end()
        }

        @Test func `A slider shows its value and keeps to its steps`() async throws {
            let scene = try Scene()
            let stage = try Stage(scene.pager(from: Scene.number))
            try await stage.open()
            #expect(stage.widget?.texts.contains("25") == true)
            gtk_range_set_value(try stage.field("pace").control.widget.cast(), 43)
            #expect(stage.window.pager.value(for: "pace") == .integer(45))
            #expect(stage.widget?.texts.contains("45") == true)
            gtk_range_set_value(try stage.field("pace").control.widget.cast(), 1_000)
            #expect(stage.window.pager.value(for: "pace") == .integer(95))
            try await stage.end()
        }

        @Test func `A number from more than a slider can tell apart is typed, in digits of any script`() async throws {
            let scene = try Scene()
            let stage = try Stage(scene.pager(from: Scene.number))
            try await stage.open()
            stage.fill(try stage.field("budget"), "٤٢")
            #expect(stage.window.pager.value(for: "budget") == .integer(42))
            stage.fill(try stage.field("budget"), "many")
            try await stage.press("Next")
            #expect(stage.window.pager.page?.step.id == Scene.number)
            #expect(stage.widget?.texts.contains("Please give a whole number.") == true)
            try await stage.end()
        }

        @Test func `A drop-down without a first choice has none, and an optional one can be emptied again`()
            async throws
        {
            let scene = try Scene()
            let stage = try Stage(scene.pager(from: Scene.choice))
            try await stage.open()
            #expect(stage.window.pager.value(for: "level") == nil)
            stage.fill(try stage.field("level"), "High")
            #expect(stage.window.pager.value(for: "level") == .text("high"))
            stage.fill(try stage.field("team"), "Red")
            #expect(stage.window.pager.value(for: "team") == .text("red"))
            gtk_drop_down_set_selected(try stage.field("team").control.widget.opaque, 0)
            #expect(stage.window.pager.value(for: "team") == nil)
            stage.fill(try stage.field("news"), "on")
            #expect(stage.window.pager.value(for: "news") == .toggle(true))
            try await stage.end()
        }

        @Test func `Only the shown page takes part in the keyboard's round`() async throws {
            let scene = try Scene()
            let stage = try Stage(scene.pager())
            try await stage.open()
            func active() -> [Bool] { stage.window.pages.map { gtk_widget_get_can_focus($0.widget) != 0 } }
            #expect(active() == [true, false, false, false, false, false])
            try await stage.press("Sign Up")
            #expect(active() == [false, true, false, false, false, false])
            try await stage.end()
        }

        @Test func `A page of the app's own stands for everything but the actions`() async throws {
            let scene = try Scene()
            let stage = try Stage(
                scene.pager(from: Scene.notice),
                custom: { page in page.step.id == Scene.notice ? gtk_label_new("Drawn by the app") : nil })
            try await stage.open()
            #expect(stage.widget?.texts.contains("Drawn by the app") == true)
            #expect(stage.widget?.texts.contains("Good to know") == false)
            #expect(stage.actions == ["Finish"])
            try await stage.press("Finish")
            #expect(stage.outcome == .finished)
            try await stage.end()
        }

        @Test func `A title's lines are about the same length`() async throws {
            let scene = try Scene(title: "A title that is too long for one line of the window by just one word")
            let stage = try Stage(scene.pager())
            try await stage.open()
            let title = try #require(
                stage.widget?.descendants.first { gtk_widget_has_css_class($0, "doorstep-title") != 0 })
            let layout: OpaquePointer = gtk_label_get_layout(title.opaque)
            let count = pango_layout_get_line_count(layout)
            #expect(count > 1)
            var widths: [Int32] = []
            for line in 0..<count {
                var extents = PangoRectangle()
                pango_layout_line_get_extents(pango_layout_get_line_readonly(layout, line), nil, &extents)
                widths.append(extents.width)
            }
            let (least, most) = (try #require(widths.min()), try #require(widths.max()))
            #expect(
                Double(least) > 0.6 * Double(most),
                "the lines are \(widths) wide, held to \(adw_clamp_get_maximum_size(gtk_widget_get_parent(title).opaque))"
            )
            try await stage.end()
        }
    }
}
#endif
