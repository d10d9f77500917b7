internal import DoorstepJSON

extension JSONValue {
    /// Mistakes in the order in which their places stand in this document, so that an author goes through the file once.
    /// What is missing comes after what is there.
    func inDocumentOrder(_ faults: [JSONFault]) -> [JSONFault] {
        let places = faults.enumerated().map { (place: position(of: $1.path), offset: $0, fault: $1) }
        return places.sorted { one, other in
            if one.place == other.place { return one.offset < other.offset }
            return one.place.lexicographicallyPrecedes(other.place)
        }.map(\.fault)
    }

    private func position(of path: JSONPath) -> [Int] {
        var value: JSONValue? = self
        return path.elements.map { element in
            switch element {
            case .index(let index):
                let list = value?.array ?? []
                value = list.indices.contains(index) ? list[index] : nil
                return index
            case .key(let key):
                let object = value?.object
                value = object?[key]
                return object?.keys.firstIndex(of: key) ?? .max
            }
        }
    }
}
