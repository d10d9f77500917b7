package import DoorstepRegistry

extension Policy {
    /// Names the policy files that can't be used on standard error.
    package func warn() {
        for problem in problems {
            for line in problem.error.description.split(separator: "\n") {
                Console.warn("warning: policy ignored: \(line)")
            }
        }
    }
}
