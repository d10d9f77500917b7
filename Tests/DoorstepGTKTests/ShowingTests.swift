#if GTK
import CAdwaita
import DoorstepTestSupport
import Testing

@testable import DoorstepGTK

extension WindowTests {
    @Suite("A showing")
    @MainActor
    struct ShowingTests {
        @Test func `A plan without pages finishes at once, and no window comes up`() async throws {
            let scene = try Scene()
            let pager = try scene.pager()
            for id in Scene.all { try scene.flow.record(true, for: id) }
            let empty = try OnboardingPager(flow: scene.flow) { scene.page($0.id) }
            let stage = try Stage(empty)
            try await stage.open()
            #expect(stage.outcome == .finished)
            #expect(stage.widget == nil)
            #expect(pager.phase == .ready)
        }

        @Test func `Closing tells the app once, and leaves exactly what was answered`() async throws {
            let scene = try Scene()
            let stage = try Stage(scene.pager())
            var pages: [OnboardingStepID] = []
            var finishes = 0
            stage.window.onPageShown = { pages.append($0) }
            stage.window.onFinished = { finishes += 1 }
            try await stage.open()
            try await stage.press("Sign Up")
            stage.fill(try stage.field("name"), "Ada")
            gtk_window_close(try #require(stage.widget).cast())
            try await stage.until("the window is closed") { stage.outcome != nil }
            #expect(stage.outcome == .left)
            #expect(pages == [Scene.welcome, Scene.name])
            #expect(finishes == 0)
            #expect(try scene.records() == [Scene.welcome: true])
            #expect(try scene.storage.inputs() == [:])
            try await stage.end()
        }

        @Test func `A page of a permission is live: its plugin is asked, and what became true goes on by itself`()
            async throws
        {
            let scene = try Scene()
            let pager = try scene.pager(from: Scene.permission)
            var isGranted = false
            let (changes, news) = AsyncStream.makeStream(of: Void.self)
            let session = PresenterSession(
                perform: { _, step in
                    pager.update(scene.page(step), for: step)
                    return "The desktop said no."
                },
                becameActive: { () async throws(OnboardingStorageError) in
                    if isGranted { try pager.reconcile(satisfied: [Scene.permission: "granted"]) }
                },
                changes: { $0 == Scene.permission ? changes : AsyncStream { $0.finish() } })
            let stage = try Stage(pager, session: session)
            try await stage.open()
            #expect(stage.actions == ["Allow", "Skip"])
            try await stage.press("Allow")
            try await stage.until("the plugin has said why not") {
                stage.widget?.texts.contains("The desktop said no.") == true
            }
            #expect(stage.window.pager.page?.step.id == Scene.permission)
            isGranted = true
            news.yield()
            try await stage.until("the page has gone on") { stage.window.pager.page?.step.id == Scene.notice }
            #expect(stage.actions == ["Finish"])
            #expect(try scene.records()[Scene.permission] == true)
            try await stage.end()
        }

        @Test func `A new page from outside changes the actions and keeps what is typed elsewhere`() async throws {
            let scene = try Scene()
            let pager = try scene.pager(from: Scene.permission)
            let (changes, news) = AsyncStream.makeStream(of: Void.self)
            let session = PresenterSession(
                becameActive: { () async throws(OnboardingStorageError) in
                    pager.update(scene.page(Scene.permission, isAllowed: true), for: Scene.permission)
                },
                changes: { $0 == Scene.permission ? changes : AsyncStream { $0.finish() } })
            let stage = try Stage(pager, session: session)
            try await stage.open()
            news.yield()
            try await stage.until("the page says so") { stage.widget?.texts.contains("Allowed.") == true }
            #expect(stage.actions == ["Next", "Skip"])
            try await stage.end()
        }

        @Test func `What can't be written is said, keeps the page, and is what the showing ends with`() async throws {
            let storage = FullStorage()
            let flow = try OnboardingFlow(
                welcome: nil, steps: [OnboardingStepConfig(id: "a.one"), OnboardingStepConfig(id: "a.two")],
                storage: storage)
            let stage = try Stage(try OnboardingPager(flow: flow) { StepPage(title: $0.id.rawValue) })
            try await stage.open()
            try await stage.press("Next")
            #expect(stage.widget?.texts.contains("no space is left") == true)
            #expect(stage.window.pager.page?.step.id == "a.one")
            stage.window.close()
            #expect(stage.outcome == .left)
            #expect(stage.failure?.code == .full)
            try await stage.end()
        }

        @Test func `After the last page what was stored is shown, and signing out takes it back`() async throws {
            let scene = try Scene()
            let pager = try scene.pager(from: Scene.notice)
            var isSignedOut = false
            let profile = PresenterProfile(
                entries: { [.init(label: "Name", value: "Ada <b>"), .init(label: "Age", value: "36")] },
                signOut: { isSignedOut = true })
            let stage = try Stage(pager, session: PresenterSession(profile: profile))
            var finishes = 0
            stage.window.onFinished = { finishes += 1 }
            try await stage.open()
            try await stage.press("Finish")
            #expect(finishes == 1)
            #expect(stage.outcome == nil)
            for text in ["Your profile", "Name", "Ada <b>", "Age", "36"] {
                #expect(stage.widget?.texts.contains(text) == true, "\(text)")
            }
            let carousel = try #require(stage.window.carousel)
            try await stage.until("what was stored is in view") {
                adw_carousel_get_position(carousel) == Double(stage.window.pages.count)
            }
            #expect(stage.actions == ["Done", "Sign Out"])
            try await stage.press("Sign Out")
            try Self.answer("Cancel")
            try await stage.until("the question is gone") { Self.dialog == nil }
            #expect(!isSignedOut)
            try await stage.press("Sign Out")
            try Self.answer("Sign Out and Erase")
            try await stage.until("the window is closed") { stage.outcome != nil }
            #expect(isSignedOut)
            #expect(stage.outcome == .signedOut)
            #expect(finishes == 1)
            try await stage.end()
        }

        @Test func `A closed profile is a finished flow`() async throws {
            let scene = try Scene()
            let profile = PresenterProfile(entries: { [.init(label: "Name", value: "Ada")] }, signOut: {})
            let stage = try Stage(try scene.pager(from: Scene.notice), session: PresenterSession(profile: profile))
            try await stage.open()
            try await stage.press("Finish")
            gtk_window_close(try #require(stage.widget).cast())
            try await stage.until("the window is closed") { stage.outcome != nil }
            #expect(stage.outcome == .finished)
            try await stage.end()
        }

        /// Answers the question that is open by a button.
        private static func answer(_ title: String) throws {
            let button = dialog?.descendants.first { widget in
                g_type_check_instance_is_a(widget.cast(), gtk_button_get_type()) != 0
                    && gtk_button_get_label(widget.cast()).map { String(cString: $0) } == title
            }
            let found: Widget = try #require(button, "the question has no \"\(title)\"")
            gtk_widget_activate(found)
        }

        /// The question that is open.
        private static var dialog: Widget? {
            let windows: OpaquePointer = gtk_window_get_toplevels()
            for index in 0..<g_list_model_get_n_items(windows) {
                let found = g_list_model_get_item(windows, index)!
                g_object_unref(found)
                let widget = found.assumingMemoryBound(to: GtkWidget.self)
                if g_type_check_instance_is_a(widget.cast(), adw_message_dialog_get_type()) != 0,
                    gtk_widget_get_visible(widget) != 0
                {
                    return widget
                }
            }
            return nil
        }
    }
}

/// A storage that has no space left.
private final class FullStorage: OnboardingStorage {
    func records() throws(OnboardingStorageError) -> [OnboardingStepID: OnboardingRecord] { [:] }

    func inputs() throws(OnboardingStorageError) -> [OnboardingStepID: [String: OnboardingInputValue]] { [:] }

    func commit(_ changes: [OnboardingChange], eraseInputs: Bool) throws(OnboardingStorageError)
        -> [OnboardingStepID: OnboardingRecord]
    {
        throw OnboardingStorageError(.full, "no space is left")
    }
}
#endif
