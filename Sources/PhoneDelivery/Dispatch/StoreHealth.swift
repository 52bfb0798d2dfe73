import Logging
import Synchronization

/// Knows whether the outbox can be reached, and logs when that changes rather than at every failure.
final class StoreHealth: Sendable {
    private let isDown = Mutex(false)
    private let logger: Logger

    init(logger: Logger) {
        self.logger = logger
    }

    func recordSuccess() {
        guard replace(with: false) else { return }
        logger.notice("The outbox can be reached again")
    }

    func record(_ error: any Error) {
        guard !replace(with: true) else { return }
        logger.error("The outbox cannot be reached", metadata: ["error": "\(error)"])
    }

    /// - Returns: what was known before.
    private func replace(with isDown: Bool) -> Bool {
        self.isDown.withLock { known in
            defer { known = isDown }
            return known
        }
    }
}
