import Foundation

/// Holds threads back until enough of them have come, or until it is opened.
///
/// `@unchecked Sendable`: every access to the counts is under the condition's lock.
final class Latch: @unchecked Sendable {
    private let condition = NSCondition()
    private let count: Int
    private var arrived = 0
    private var isOpen = false

    init(count: Int = .max) { self.count = count }

    /// How many have come so far.
    var arrivals: Int {
        condition.lock()
        defer { condition.unlock() }
        return arrived
    }

    /// Blocks this thread until the latch opens, and answers whether it did within the time that a broken test is given.
    @discardableResult
    func wait() -> Bool {
        condition.lock()
        defer { condition.unlock() }
        arrived += 1
        if arrived >= count { isOpen = true }
        condition.broadcast()
        let end = Date(timeIntervalSinceNow: 60)
        while !isOpen {
            if !condition.wait(until: end) { return false }
        }
        return true
    }

    /// Blocks this thread until so many have come.
    func waitForArrivals(_ wanted: Int) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        let end = Date(timeIntervalSinceNow: 60)
        while arrived < wanted {
            if !condition.wait(until: end) { return false }
        }
        return true
    }

    func open() {
        condition.lock()
        defer { condition.unlock() }
        isOpen = true
        condition.broadcast()
    }
}
