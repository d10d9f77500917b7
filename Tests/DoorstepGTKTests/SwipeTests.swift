#if GTK
import CAdwaita
import DoorstepTestSupport
import Testing

@testable import DoorstepGTK

extension WindowTests {
    @Suite("The pager's rules by pointer and keyboard")
    @MainActor
    struct SwipeTests {
        @Test func `A swipe past a page backfills it, back and forward again writes nothing`() async throws {
            let scene = try Scene()
            let stage = try await shown(scene, from: Scene.number)
            try await swipe(stage, -0.7, to: Scene.choice)
            // Skippable, so moving past it is a decline.
            #expect(try scene.records()[Scene.number] == false)
            let records = try scene.storage.records()
            try await swipe(stage, 0.7, to: Scene.number)
            try await swipe(stage, -0.7, to: Scene.choice)
            #expect(try scene.storage.records() == records)
            try await stage.end()
        }

        @Test func `A swipe from the welcome records it, and a page that must be filled in springs back`() async throws
        {
            let scene = try Scene()
            let stage = try await shown(scene, from: Scene.welcome)
            try await swipe(stage, -0.7, to: Scene.name)
            #expect(try scene.records() == [Scene.welcome: true])
            try await stage.swipe(-0.7, until: "the fault is said") {
                stage.widget?.texts.contains("Please fill this in.") == true
            }
            try await arrived(stage, at: Scene.name)
            #expect(try scene.records() == [Scene.welcome: true])
            #expect(try stage.field("name").control.hasFocus)
            try await stage.end()
        }

        @Test func `What was filled in is recorded by a swipe as by the button`() async throws {
            let scene = try Scene()
            let stage = try await shown(scene, from: Scene.name)
            stage.fill(try stage.field("name"), "Ada")
            try await swipe(stage, -0.7, to: Scene.number)
            #expect(try scene.storage.inputs()[Scene.name] == ["name": .text("Ada"), "age": .integer(50)])
            try await stage.end()
        }

        @Test func `A short drag turns no page`() async throws {
            let scene = try Scene()
            let stage = try await shown(scene, from: Scene.number)
            var farthest = 0.0
            for _ in 0..<20 where farthest < 0.1 { farthest = try await stage.drag(-0.2) }
            #expect((0.1...0.3).contains(farthest), "the page was dragged \(farthest) of its width")
            try await arrived(stage, at: Scene.number)
            #expect(try scene.records()[Scene.number] == nil)
            try await stage.end()
        }

        @Test func `From right to left, pages are swiped the other way`() async throws {
            let scene = try Scene(language: "ar")
            let stage = try await shown(scene, from: Scene.number)
            #expect(stage.widget.map { gtk_widget_get_direction($0) } == GTK_TEXT_DIR_RTL)
            try await swipe(stage, 0.7, to: Scene.choice)
            try await stage.end()
        }

        @Test func `Clicks do what the buttons say`() async throws {
            let scene = try Scene()
            let stage = try await shown(scene, from: Scene.choice)
            try await stage.click("Skip", until: "the page is skipped") { Self.step(of: stage) == Scene.permission }
            #expect(try scene.records()[Scene.choice] == false)
            try await stage.click("Back", until: "the page before is shown") { Self.step(of: stage) == Scene.choice }
            try await stage.end()
        }

        @Test func `The last page is left by its button alone, and only then the flow is finished`() async throws {
            let scene = try Scene()
            let stage = try await shown(scene, from: Scene.permission)
            try await stage.press("Skip")
            try await arrived(stage, at: Scene.notice)
            // There is nothing to drag it to, so that the carousel never moves; a drag the other way shows that drags arrive.
            try await stage.drag(-0.7)
            var farthest = 0.0
            for _ in 0..<20 where farthest < 0.1 { farthest = try await stage.drag(0.2) }
            #expect((0.1...0.3).contains(farthest), "the page was dragged \(farthest) of its width")
            try await stage.drag(-0.7)
            try await arrived(stage, at: Scene.notice)
            #expect(stage.outcome == nil)
            try await stage.click("Finish", until: "the window is closed") { stage.outcome == .finished }
            #expect(try scene.records()[Scene.notice] == true)
            try await stage.end()
        }

        @Test func `Keys do everything: typing, Enter, Tab, Escape, and Alt with an arrow`() async throws {
            let scene = try Scene()
            let stage = try await shown(scene, from: Scene.welcome)
            try await stage.focusWindow()
            try await stage.type("Return")
            try await arrived(stage, at: Scene.name)
            try await stage.type("A", "d", "a", "Tab", "Right", "Return")
            try await arrived(stage, at: Scene.number)
            #expect(try scene.storage.inputs()[Scene.name] == ["name": .text("Ada"), "age": .integer(51)])
            try await stage.type("alt+Right")
            try await arrived(stage, at: Scene.choice)
            try await stage.type("Escape")
            try await arrived(stage, at: Scene.number)
            try await stage.type("ctrl+w")
            try await stage.until("the window is closed") { stage.outcome == .left }
            #expect(
                try scene.records() == [Scene.welcome: true, Scene.name: true, Scene.number: false])
            try await stage.end()
        }

        @Test func `Coming back to the window looks again at what the pages are about`() async throws {
            let scene = try Scene()
            let pager = try scene.pager(from: Scene.permission)
            var passes = 0
            let session = PresenterSession(becameActive: { () async throws(OnboardingStorageError) in passes += 1 })
            let stage = try Stage(pager, session: session)
            try await stage.open()
            try await stage.focusWindow()
            #expect(passes == 0)
            let other: Widget = gtk_window_new()
            gtk_window_set_title(other.cast(), "Another")
            gtk_window_present(other.cast())
            try await stage.until("the other window is there") { gtk_widget_get_mapped(other) != 0 }
            try await stage.focus(other)
            try await stage.focusWindow()
            try await stage.until("the checks were asked") { passes == 1 }
            gtk_window_destroy(other.cast())
            try await stage.end()
        }

        private func shown(_ scene: Scene, from first: OnboardingStepID) async throws -> Stage {
            let stage = try Stage(try scene.pager(from: first), allowsMotion: true)
            try await stage.open()
            return stage
        }

        /// Turns a page by a drag.
        private func swipe(_ stage: Stage, _ share: Double, to step: OnboardingStepID) async throws {
            try await stage.swipe(share, until: "the page of \(step) is shown") { Self.step(of: stage) == step }
        }

        /// The step of the page that is shown.
        private static func step(of stage: Stage) -> OnboardingStepID? { stage.window.pager.page?.step.id }

        private func arrived(_ stage: Stage, at step: OnboardingStepID) async throws {
            try await stage.until("the page of \(step) is shown") { stage.window.pager.page?.step.id == step }
            try await stage.settle()
        }
    }
}
#endif
