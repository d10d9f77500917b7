internal import DoorstepPluginKit

extension PluginExchange {
    /// Gives an answer to whom it belongs.
    ///
    /// - Returns: How the message breaks the protocol, which ends the plugin; nil for a good one.
    func take(_ message: PluginMessage) -> String? {
        if case .hello(let hello) = message.answer, message.id == 0, self.hello == nil { return greet(hello) }
        if hello == nil { return "it broke the protocol: it answered request \(message.id) before hello" }
        if let request = pending.removeValue(forKey: message.id) {
            request.completion(.success(message.answer))
            return nil
        }
        // An answer that crossed its cancellation is nobody's fault; it is dropped, once.
        if expired.remove(message.id) != nil { return nil }
        return asked.contains(message.id) || message.id == 0
            ? "it broke the protocol: it answered request \(message.id) twice"
            : "it broke the protocol: it answered request \(message.id), which nobody asked"
    }

    private func greet(_ hello: PluginHello) -> String? {
        if let mismatch = hello.mismatch(with: connection.plugin.description.kind) { return mismatch }
        self.hello = hello
        releaseHeld()
        return nil
    }
}

extension PluginHello {
    /// How many kinds are named in a sentence.
    private static var namedKinds: Int { 3 }

    /// Why a plugin that says this is of no use as one of a kind, or nil where it fits.
    func mismatch(with kind: String) -> String? {
        if version != PluginProtocol.version {
            return "it speaks protocol \(version), and this doorstep \(PluginProtocol.version); "
                + "install versions that match"
        }
        if !kinds.contains(kind) {
            let named = kinds.prefix(Self.namedKinds).joined(separator: ", ")
            let more = kinds.count > Self.namedKinds ? " and \(kinds.count - Self.namedKinds) more" : ""
            return "it serves \(kinds.isEmpty ? "no kind" : named + more), not \"\(kind)\" as its description says"
        }
        return nil
    }
}
