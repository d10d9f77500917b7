internal import Doorstep

extension StorageConformance {
    static let answers: [Case] = [
        Case("An empty store has no records and no inputs") { store in
            let storage = try store(prefix)
            try expect(storage.records(), [:], "records")
            try expect(storage.inputs(), [:], "inputs")
        },
        Case("An answer is read back with its revision, origin and evidence") { store in
            let storage = try store(prefix)
            for (origin, value) in zip(OnboardingOrigin.allCases, [true, false, true, false, true, false]) {
                let step = OnboardingStepID("com.example.aurora.\(origin.rawValue)")
                let committed = try storage.commit([
                    record(step, value, revision: 7, origin: origin, evidence: "what the check said: 100 %")
                ])
                let kept = try storage.records()[step]
                try expect(kept, committed[step], "the record read and the record returned")
                try expect(kept?.value, value, "value")
                try expect(kept?.revision, 7, "revision")
                try expect(kept?.origin, origin, "origin")
                try expect(kept?.evidence, "what the check said: 100 %", "evidence")
            }
            try expect(storage.records().count, OnboardingOrigin.allCases.count, "count of records")
        },
        Case("An answer without evidence keeps none, and empty evidence stays empty") { store in
            let storage = try store(prefix)
            _ = try storage.commit([record(step), record("com.example.aurora.other", evidence: "")])
            let records = try storage.records()
            try expect(records[step]?.evidence, nil, "no evidence")
            try expect(records["com.example.aurora.other"]?.evidence, "", "empty evidence")
        },
        Case("A later answer stands in the place of an earlier one") { store in
            let storage = try store(prefix)
            _ = try storage.commit([record(step, true, origin: .user, evidence: "old")])
            _ = try storage.commit([record(step, false, revision: 2, origin: .admin)])
            let kept = try storage.records()
            try expect(kept.count, 1, "count of records")
            try expect(kept[step]?.value, false, "value")
            try expect(kept[step]?.revision, 2, "revision")
            try expect(kept[step]?.origin, .admin, "origin")
            try expect(kept[step]?.evidence, nil, "evidence")
        },
        Case("A clear brings a record back to absent, and clearing again does nothing") { store in
            let storage = try store(prefix)
            _ = try storage.commit([record(step)])
            try expect(storage.commit([clear(step)]), [:], "what the clear returns")
            try expect(storage.records(), [:], "records")
            try expect(storage.commit([clear(step)]), [:], "what the second clear returns")
        },
        Case("Changes apply in order, also several of one step") { store in
            let storage = try store(prefix)
            let committed = try storage.commit([
                record(step, true), clear(step), record(step, false, condition: .unanswered),
                record(step, true, condition: .unanswered), record("com.example.aurora.b"),
                clear("com.example.aurora.b"),
            ])
            try expect(committed.mapValues(\.value), [step: false], "what the commit returns")
            try expect(storage.records().mapValues(\.value), [step: false], "records")
        },
        Case("A commit returns the steps of its changes alone, also those that didn't apply") { store in
            let storage = try store(prefix)
            _ = try storage.commit([record("com.example.aurora.a", false), record("com.example.aurora.b")])
            let committed = try storage.commit([
                record("com.example.aurora.a", true, condition: .unanswered), record("com.example.aurora.c"),
                clear("com.example.aurora.d"),
            ])
            try expect(
                committed.mapValues(\.value), ["com.example.aurora.a": false, "com.example.aurora.c": true],
                "what the commit returns")
        },
        Case("An empty commit changes nothing") { store in
            let storage = try store(prefix)
            try expect(storage.commit([]), [:], "what the commit returns")
            try expect(storage.records(), [:], "records")
        },
        Case("A commit that fails changes nothing, whichever of its changes is at fault") { store in
            let storage = try store(prefix)
            _ = try storage.commit([record(step, inputs: ["name": .text("Ada")])])
            let (records, inputs) = (try storage.records(), try storage.inputs())
            for faulty in [record(""), record("com.example.aurora.b", revision: 0), record("a\u{7}b")] {
                try expect(.invalid, "a change with a fault") { () throws(OnboardingStorageError) in
                    _ = try storage.commit(
                        [record(step, false, inputs: [:]), record("com.example.aurora.new"), faulty], eraseInputs: true)
                }
                try expect(storage.records(), records, "records after the failure")
                try expect(storage.inputs(), inputs, "inputs after the failure")
            }
        },
    ]

    static let conditions: [Case] = [
        Case("An answer only for an unanswered step never overwrites") { store in
            let storage = try store(prefix)
            _ = try storage.commit([record(step, false)])
            let committed = try storage.commit([
                record(step, true, condition: .unanswered, inputs: ["name": .text("Ada")])
            ])
            try expect(committed[step]?.value, false, "value")
            try expect(storage.inputs(), [:], "inputs of a change that didn't apply")
        },
        Case("An answer to an earlier revision counts as none") { store in
            let storage = try store(prefix)
            _ = try storage.commit([record(step, false, revision: 1)])
            _ = try storage.commit([record(step, true, revision: 2, condition: .unanswered)])
            try expect(storage.records()[step]?.value, true, "the answer at revision 2")
            _ = try storage.commit([record(step, false, revision: 1, condition: .unanswered)])
            try expect(storage.records()[step]?.value, true, "an answer at revision 1 afterwards")
        },
        Case("A declined step can be granted on that condition, a granted one stays") { store in
            let storage = try store(prefix)
            _ = try storage.commit([record(step, true, condition: .unansweredOrDeclined, evidence: "first")])
            _ = try storage.commit([record(step, false, condition: .unansweredOrDeclined)])
            try expect(storage.records()[step]?.evidence, "first", "a granted step")
            _ = try storage.commit([record(step, false)])
            _ = try storage.commit([record(step, true, condition: .unansweredOrDeclined)])
            try expect(storage.records()[step]?.value, true, "a declined step")
        },
        Case("A clear with a condition follows it") { store in
            let storage = try store(prefix)
            _ = try storage.commit([record(step, true)])
            for condition in [OnboardingChange.Condition.unanswered, .unansweredOrDeclined] {
                _ = try storage.commit([
                    OnboardingChange(step: step, action: .clear, condition: condition, origin: .admin)
                ])
                try expect(storage.records()[step]?.value, true, "a granted step, cleared if \(condition)")
            }
            _ = try storage.commit([record(step, false)])
            _ = try storage.commit([
                OnboardingChange(step: step, action: .clear, condition: .unansweredOrDeclined, origin: .admin)
            ])
            try expect(storage.records(), [:], "a declined step, cleared if declined")
        },
    ]
}
