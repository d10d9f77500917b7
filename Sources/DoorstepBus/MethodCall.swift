/// What is asked of whom: one method call, before it is a message.
struct MethodCall: Sendable, Hashable {
    let destination: String
    let path: String
    let interface: String
    let member: String
    var arguments: [BusValue] = []
    /// The signature that the answer must have, or nil for any.
    var expected: String?
    /// Whether one answer serves every caller of a pass: the same question is sent once and its answer kept.
    var isShared = false
    /// Whether the answer is whom the reply was addressed to instead of what is in it: our own name on the bus, which
    /// sd-bus only tells after waiting for the connection.
    var asksForOwnName = false
}

extension MethodCall {
    /// Of what tells most calls of a pass apart, and nothing else: every check comes by here.
    func hash(into hasher: inout Hasher) {
        hasher.combine(member)
        hasher.combine(destination)
        hasher.combine(arguments)
    }
}
