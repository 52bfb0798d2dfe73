import Logging
import Synchronization

/// Knows whether a part of the store can be reached, and logs when that changes rather than at every failure.
final class StoreHealth: Sendable {
    private let isDown = Mutex(false)
    private let part: String
    private let logger: Logger

    /// - Parameter part: what is to be reached.
    init(of part: String = "outbox", logger: Logger) {
        self.part = part
        self.logger = logger
    }

    func recordSuccess() {
        guard replace(with: false) else { return }
        logger.notice("The \(part) can be reached again")
    }

    func record(_ error: any Error) {
        guard !replace(with: true) else { return }
        logger.error("The \(part) cannot be reached", metadata: ["error": "\(error)"])
    }

    /// - Returns: what was known before.
    private func replace(with isDown: Bool) -> Bool {
        self.isDown.withLock { known in
            defer { known = isDown }
            return known
        }
    }
}
