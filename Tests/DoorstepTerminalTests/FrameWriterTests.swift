import Testing

@testable import DoorstepTerminal

@Suite("Frames")
struct FrameWriterTests {
    @Test("a frame that is shown already costs nothing, one changed cell a few bytes")
    func difference() {
        var writer = FrameWriter(depth: .direct)
        var buffer = CellBuffer(columns: 80, rows: 24)
        #expect(writer.bytes(for: buffer, cursor: nil).count > 80 * 24)
        #expect(writer.bytes(for: buffer, cursor: nil).isEmpty)
        buffer.put("x", width: 1, at: 40, 12, .plain)
        let changed = writer.bytes(for: buffer, cursor: nil)
        #expect(changed.count < 48, "\(String(decoding: changed, as: UTF8.self).debugDescription)")
        #expect(writer.bytes(for: buffer, cursor: ScreenPoint(column: 1, row: 1)).count < 16)
    }

    @Test("what is written turns one screen into the next, for any two")
    func anyTwo() {
        let letters: [(Character, Int)] = [("a", 1), ("日", 2), ("é", 1), (" ", 1), ("👍🏽", 2), ("─", 1)]
        let styles = [
            CellStyle.plain, CellStyle(isBold: true), CellStyle(front: Colour(1, 2, 3), back: Colour(9, 9, 9)),
        ]
        var writer = FrameWriter(depth: .indexed)
        var terminal = FakeTerminal(columns: 30, rows: 8)
        var buffer = CellBuffer(columns: 30, rows: 8)
        for _ in 0..<300 {
            for _ in 0..<Int.random(in: 0...40) {
                let (letter, width) = letters.randomElement() ?? ("a", 1)
                buffer.put(
                    letter, width: width, at: .random(in: 0..<30), .random(in: 0..<8), styles.randomElement() ?? .plain)
            }
            terminal.take(writer.bytes(for: buffer, cursor: nil))
            #expect(terminal.lines == buffer.lines)
        }
    }

    @Test("a slide begins as one screen, ends as the other, and cuts no wide character")
    func slide() {
        var one = CellBuffer(columns: 11, rows: 1)
        var two = one
        for column in stride(from: 0, to: 10, by: 2) {
            one.put("日", width: 2, at: column, 0, .plain)
            two.put("本", width: 2, at: column + 1, 0, .plain)
        }
        for fromRight in [true, false] {
            #expect(one.sliding(to: two, share: 0, fromRight: fromRight) == one)
            #expect(one.sliding(to: two, share: 1, fromRight: fromRight) == two)
            for step in 0...11 {
                let frame = one.sliding(to: two, share: Double(step) / 11, fromRight: fromRight)
                #expect(CellWidth.of((0..<11).map { frame[$0, 0].text }.joined()) == 11)
            }
        }
    }
}
