internal import Doorstep

extension StorageConformance {
    static let inputs: [Case] = [
        Case("Every value of an input is read back as it was") { store in
            let storage = try store(prefix)
            let values: [String: OnboardingInputValue] = [
                "smallest": .integer(.min), "largest": .integer(.max), "zero": .integer(0), "on": .toggle(true),
                "off": .toggle(false), "empty": .text(""), "nul": .text("a\u{0}b\u{0}"), "lines": .text("one\ntwo\r\n"),
                "number-like": .text("0012"), "emoji": .text("👩‍👩‍👧‍👦 🇨🇭"), "arabic": .text("مرحبا بالعالم"),
                "combining": .text("e\u{301}"), "quotes": .text("'; DROP TABLE inputs; --\""),
                "long": .text(String(repeating: "ü", count: 100_000)),
            ]
            _ = try storage.commit([record(step, inputs: values)])
            let kept = try storage.inputs()[step] ?? [:]
            for (key, value) in values { try expect(kept[key], value, "the input \(key)") }
            try expect(kept.count, values.count, "count of inputs")
            guard case .text(let text)? = kept["combining"] else { throw Failure(description: "no text was kept") }
            try expect(Array(text.utf8), Array("e\u{301}".utf8), "the bytes of a combining accent")
        },
        Case("A step's inputs stand in the place of its earlier ones, and other steps keep theirs") { store in
            let storage = try store(prefix)
            _ = try storage.commit([
                record(step, inputs: ["name": .text("Ada"), "age": .integer(36)]),
                record("com.example.aurora.b", inputs: ["name": .text("Bob")]),
            ])
            _ = try storage.commit([record(step, inputs: ["name": .text("Grace")])])
            try expect(
                storage.inputs(), [step: ["name": .text("Grace")], "com.example.aurora.b": ["name": .text("Bob")]],
                "inputs")
        },
        Case("Without inputs a change leaves the stored ones, with none it removes them") { store in
            let storage = try store(prefix)
            _ = try storage.commit([record(step, inputs: ["name": .text("Ada")])])
            _ = try storage.commit([record(step, false)])
            try expect(storage.inputs(), [step: ["name": .text("Ada")]], "after a change without inputs")
            _ = try storage.commit([clear(step)])
            try expect(storage.inputs(), [step: ["name": .text("Ada")]], "after a clear")
            _ = try storage.commit([record(step, inputs: [:])])
            try expect(storage.inputs(), [:], "after a change with none")
        },
        Case("Erasing removes every input of the app before the changes apply") { store in
            let storage = try store(prefix)
            _ = try storage.commit([
                record(step, inputs: ["name": .text("Ada")]),
                record("com.example.aurora.b", inputs: ["on": .toggle(true)]),
            ])
            _ = try storage.commit(
                [clear(step), record("com.example.aurora.c", inputs: ["n": .integer(1)])], eraseInputs: true)
            try expect(storage.inputs(), ["com.example.aurora.c": ["n": .integer(1)]], "inputs")
            _ = try storage.commit([], eraseInputs: true)
            try expect(storage.inputs(), [:], "inputs after erasing alone")
            try expect(
                Set(storage.records().keys), ["com.example.aurora.b", "com.example.aurora.c"], "records after erasing")
        },
        Case("An input needs a key of 1 to 255 bytes") { store in
            let storage = try store(prefix)
            for key in ["", String(repeating: "k", count: 256)] {
                try expect(.invalid, "a key of \(key.utf8.count) bytes") { () throws(OnboardingStorageError) in
                    _ = try storage.commit([record(step, inputs: [key: .integer(1)])])
                }
            }
            try expect(storage.records(), [:], "records")
        },
    ]

    static let names: [Case] = [
        Case("Two apps neither see nor change each other's, whatever IDs they use") { store in
            let one = try store("com.example.aurora.")
            let other = try store("com.example.borealis.")
            _ = try one.commit([record(step, true, inputs: ["name": .text("Ada")])])
            try expect(other.records(), [:], "the other app's records")
            try expect(other.inputs(), [:], "the other app's inputs")
            _ = try other.commit([record(step, false, condition: .unanswered, inputs: ["name": .text("Bob")])])
            try expect(one.records()[step]?.value, true, "the first app's answer")
            try expect(other.records()[step]?.value, false, "the other app's answer")
            _ = try other.commit([clear(step)], eraseInputs: true)
            try expect(one.records()[step]?.value, true, "the first app's answer after the other's clear")
            try expect(one.inputs(), [step: ["name": .text("Ada")]], "the first app's inputs after the other's erasing")
        },
        Case("Prefixes are text, not patterns") { store in
            let one = try store("com.example.a_b.")
            let other = try store("com.example.a%b.")
            let third = try store("com.example.axb.")
            _ = try one.commit([record(step)])
            try expect(other.records(), [:], "the records of a%b")
            try expect(third.records(), [:], "the records of axb")
        },
        Case("Any valid ID names a step") { store in
            let storage = try store(prefix)
            let ids: [OnboardingStepID] = [
                "a", "com.example.aurora.🎛️", "com.example.aurora.إشعارات", "com.example.aurora.通知",
                OnboardingStepID(String(repeating: "x", count: 255)),
                OnboardingStepID(String(repeating: "é", count: 127)),
                "with space", "'quoted'", "\"double\"", "per%cent", "under_score", "semi;colon", "-- dashes", "NULL",
                "0",
                "file:a?b=c", "com.example.borealis.profile", "Com.Example.Aurora.A",
            ]
            _ = try storage.commit(ids.map { record($0) })
            try expect(Set(storage.records().keys), Set(ids), "the IDs that have records")
            _ = try storage.commit(ids.map { clear($0) })
            try expect(storage.records(), [:], "records after clearing each")
        },
        Case("IDs are told apart byte by byte") { store in
            let storage = try store(prefix)
            let (composed, decomposed): (OnboardingStepID, OnboardingStepID) = ("caf\u{e9}", "cafe\u{301}")
            _ = try storage.commit([record(composed, true), record(decomposed, false)])
            try expect(storage.records().count, 2, "count of records")
            try expect(storage.records()[composed]?.value, true, "the composed ID's answer")
            try expect(storage.records()[decomposed]?.value, false, "the decomposed ID's answer")
        },
        Case("An ID that is empty, too long, or holds a control character is refused") { store in
            let storage = try store(prefix)
            for id in ["", String(repeating: "x", count: 256), "a\u{0}b", "a\nb", "a\u{7f}"] {
                try expect(.invalid, "an ID of \(id.utf8.count) bytes") { () throws(OnboardingStorageError) in
                    _ = try storage.commit([record(OnboardingStepID(id))])
                }
            }
            try expect(storage.records(), [:], "records")
        },
    ]
}
