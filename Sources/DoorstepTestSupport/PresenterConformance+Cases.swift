internal import Doorstep

/// The rules.
extension PresenterConformance {
    /// Every rule.
    public static let cases: [Case] = [
        Case(
            name: "A flow is finished by going through its pages, and is asked for no more", mode: .eachStep,
            visits: [Visit(), Visit(["Ada", "36"]), Visit(["Dark"])]
        ) { outcome throws(Failure) in
            try expect(outcome.shown.isFinished, true, "finished")
            try expect(outcome.pages, ["a.welcome", "a.name", "a.look"], "the pages shown")
            try expect(outcome.finishes, 1, "onFinished")
            try expect(outcome.records, ["a.welcome": true, "a.name": true, "a.look": true], "the records")
            try expect(outcome.inputs["a.name"], ["name": .text("Ada"), "age": .integer(36)], "the inputs")
            try expect(outcome.inputs["a.look"], ["theme": .text("dark")], "the inputs")
        },
        Case(
            name: "Everything on a page can be read, and nothing in it acts on the terminal", mode: .eachStep,
            visits: [Visit(), Visit(["Ada", "36"]), Visit(["Dark"])]
        ) { outcome throws(Failure) in
            for text in [
                "Hello there", "One headline.", "A paragraph.", "Sign Up", "Who are you?", "Name", "Age", "Next",
                "Back",
                "Look", "Theme", "Light", "Dark", "Finish", "Skip",
            ] where !outcome.shown.text.contains(text) {
                throw Failure(description: "\"\(text)\" was never shown")
            }
            try expect(outcome.shown.text.contains("\u{1B}"), false, "an escape sequence")
        },
        Case(
            name: "Leaving midway keeps exactly what was answered", mode: .eachStep,
            visits: [Visit(), Visit(["Ada", "36"]), Visit([], .quit)]
        ) { outcome throws(Failure) in
            try expect(outcome.shown.isFinished, false, "finished")
            try expect(outcome.finishes, 0, "onFinished")
            try expect(outcome.records, ["a.welcome": true, "a.name": true], "the records")
        },
        Case(
            name: "Somebody who is gone has left", mode: .eachStep, visits: [Visit()]
        ) { outcome throws(Failure) in
            try expect(outcome.shown.isFinished, false, "finished")
            try expect(outcome.records, ["a.welcome": true], "the records")
        },
        Case(
            name: "A flow that is written at its finish leaves nothing before it", mode: .onFinish,
            visits: [Visit(), Visit(["Ada", "36"]), Visit([], .quit)]
        ) { outcome throws(Failure) in
            try expect(outcome.records, [:], "the records")
            try expect(outcome.inputs, [:], "the inputs")
        },
        Case(
            name: "A flow that is written at its finish is written whole", mode: .onFinish,
            visits: [Visit(), Visit(["Ada", "36"]), Visit(["Light"])]
        ) { outcome throws(Failure) in
            try expect(outcome.records, ["a.welcome": true, "a.name": true, "a.look": true], "the records")
        },
        Case(
            name: "Skip records a decline and keeps no input", mode: .eachStep,
            visits: [Visit(), Visit(["Ada", "36"]), Visit(["Dark"], .skip)]
        ) { outcome throws(Failure) in
            try expect(outcome.shown.isFinished, true, "finished")
            try expect(outcome.records["a.look"], false, "the record")
            try expect(outcome.inputs["a.look"] ?? [:], [:], "the inputs")
        },
        Case(
            name: "What isn't accepted keeps its page until it is right", mode: .eachStep,
            visits: [Visit(), Visit(["Al", "Ada", "36"]), Visit([], .quit)]
        ) { outcome throws(Failure) in
            try expect(outcome.shown.text.contains("Please use at least 3 characters."), true, "the message")
            try expect(outcome.inputs["a.name"]?["name"], .text("Ada"), "the input")
        },
        Case(
            name: "Back shows an answer, which can be changed there", mode: .eachStep,
            visits: [Visit(), Visit(["Ada", "36"]), Visit(["Dark"], .back), Visit(["Grace", "36"]), Visit([], .quit)]
        ) { outcome throws(Failure) in
            try expect(outcome.pages, ["a.welcome", "a.name", "a.look", "a.name", "a.look"], "the pages shown")
            try expect(outcome.inputs["a.name"]?["name"], .text("Grace"), "the input")
            try expect(outcome.records, ["a.welcome": true, "a.name": true], "the records")
        },
    ]
}
