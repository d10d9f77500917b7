import Doorstep
import DoorstepTestSupport
import Testing

@testable import DoorstepTerminal

@Suite("Every presenter keeps the rules of a showing")
struct PresenterConformanceTests {
    @Test("line by line", arguments: PresenterConformance.cases)
    func plain(_ rule: PresenterConformance.Case) async throws {
        try await rule.check { pager, visits in
            var lines: [String] = []
            for visit in visits {
                lines += visit.lines
                switch visit.act {
                case .primary: lines.append("1")
                case .skip: lines.append(":skip")
                case .back: lines.append(":back")
                case .quit: lines.append(":quit")
                }
            }
            let typing = Typing(bytes: Array(lines.map { $0 + "\n" }.joined().utf8))
            let (outcome, output) = try await typing.at(pager)
            return .init(isFinished: outcome == .finished, text: output)
        }
    }

    @Test("on a screen", arguments: PresenterConformance.cases)
    func screen(_ rule: PresenterConformance.Case) async throws {
        try await rule.check { pager, visits in
            var keys: [Key] = []
            for visit in visits {
                for (index, line) in visit.lines.enumerated() {
                    let isLast = index == visit.lines.count - 1
                    keys += [.control("u")] + Key.typing(line) + [isLast ? .tab : .enter]
                }
                switch visit.act {
                case .primary: keys.append(.enter)
                case .skip: keys += [.right, .enter]
                case .back: keys.append(.escape)
                case .quit: keys.append(.control("c"))
                }
            }
            let port = ScriptedPort(keys: keys)
            let outcome = try await port.show(pager)
            return .init(isFinished: outcome == .finished, text: port.frames.map(\.text).joined(separator: "\n"))
        }
    }
}
