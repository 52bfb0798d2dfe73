import Logging
import PhoneDomain
import ServiceLifecycle

/// Deletes what nobody needs any more, every minute, a little at a time.
struct MaintenanceService: Service {
    let store: any StoreMaintenance
    let retention: Duration
    let clock: any WallClock
    let logger: Logger

    /// Rows of each table in one transaction: a few milliseconds' work, between which requests get their turn.
    private static let slice = 500

    private func purge() async throws {
        var count: Int
        repeat {
            count = try await store.purgeSignups(before: clock.now(), limit: Self.slice)
            count += try await store.purgeTraffic(at: clock.now(), limit: Self.slice)
            count += try await store.purge(before: clock.now() - retention, limit: Self.slice)
            if count > 0 { try await Task.sleep(for: .milliseconds(50)) }
        } while count > 0
    }

    func run() async {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    try await purge()
                } catch is CancellationError {
                    return
                } catch {
                    logger.warning(
                        "old rows could not be deleted; trying again in a minute",
                        metadata: ["error": "\(error)"]
                    )
                }
                try? await Task.sleep(for: .seconds(60))
            }
        }
    }
}
