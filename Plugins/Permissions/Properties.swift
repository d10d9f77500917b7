internal import DoorstepBus

extension [String: BusValue] {
    /// One property of an object, or nil where the object lacks it.
    ///
    /// - Throws: `BusError.invalidReply` for a value of another type, which says nothing about what was asked.
    func value(_ name: String, _ signature: String) throws(BusError) -> BusValue? {
        guard let value = self[name]?.unwrapped else { return nil }
        guard value.signature == signature else { throw .invalidReply(expected: signature, found: value.signature) }
        return value
    }
}
