@testable import PhoneDelivery

extension WakeSignal {
    /// Waits until a condition holds whose every change wakes this signal.
    ///
    /// - Throws: `CancellationError`, which is how a test ends whose time is up.
    func until(_ condition: @Sendable () -> Bool) async throws {
        while true {
            let seen = count
            if condition() { return }
            try Task.checkCancellation()
            await wait(beyond: seen)
        }
    }
}
