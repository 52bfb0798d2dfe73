import Logging
import PhoneDomain
import ServiceLifecycle

/// Deletes what nobody needs any more, every hour, a little at a time.
struct MaintenanceService: Service {
    let store: any StoreMaintenance
    let retention: Duration
    let clock: any WallClock
    let logger: Logger

    /// Rows of each table in one transaction: a few milliseconds' work, between which requests get their turn.
    private static let slice = 500

    func run() async {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    while try await store.purge(before: clock.now() - retention, limit: Self.slice) > 0 {
                        try await Task.sleep(for: .milliseconds(50))
                    }
                } catch is CancellationError {
                    return
                } catch {
                    logger.warning(
                        "old rows could not be deleted; trying again in an hour",
                        metadata: ["error": "\(error)"]
                    )
                }
                try? await Task.sleep(for: .seconds(3600))
            }
        }
    }
}
