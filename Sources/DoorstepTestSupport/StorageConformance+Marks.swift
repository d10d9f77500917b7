internal import Doorstep

/// What a mark of a storage tells, where it has one.
extension StorageConformance {
    static let marks: [Case] = [
        Case("A mark stays while nothing is written, and is another after every commit, whoever makes it") { store in
            let storage = try store(prefix)
            _ = try storage.commit([record(step)])
            guard let first = try storage.mark() else { return }
            _ = try storage.records()
            try expect(try storage.mark(), first, "the mark without a change")
            _ = try storage.commit([record(step, false)])
            let second = try storage.mark()
            try expect(second == first, false, "the mark after a commit is the one of before")
            _ = try store(prefix).commit([clear(step)])
            let third = try storage.mark()
            try expect(third == second || third == first, false, "the mark after another's commit is one of before")
        }
    ]
}
