import Glibc
import Logging
import PhoneDomain
import ServiceLifecycle

/// Deletes what nobody needs any more, a little at a time, and looks for new keys, every minute.
///
/// The file does not shrink: SQLite keeps the pages for the rows to come (https://www.sqlite.org/pragma.html#pragma_auto_vacuum),
/// which is right for a database whose size is that of its traffic. Moving pages to give them back would cost as much
/// again as deleting, while others wait. After a flood an operator stops the service and runs VACUUM. PostgreSQL does the
/// same by autovacuum.
///
/// Every instance does this. Over a server they share the work: what one has locked the others pass over.
struct MaintenanceService: Service {
    let store:
        any StoreMaintenance & AuditStore & IdempotencyStore & EventStore & AccountStore
            & SigningKeyStore
    /// Makes the digests by which the audit trail knows the numbers of accounts that are deleted.
    let digester: any NumberDigester
    let retention: Duration
    let auditRetention: Duration
    let clock: any WallClock
    /// Reads the keys anew, so that a rotation takes effect here within a minute.
    let reloadKeys: @Sendable () throws -> Void
    /// Is told how many verifications were closed because their time had run out.
    let didClose: @Sendable (Int) -> Void
    let logger: Logger

    private func purge() async throws {
        try await inSlices { limit in
            var count = try await store.purgeSignups(before: clock.now(), limit: limit)
            count += try await store.purge(before: clock.now() - retention, limit: limit)
            count += try await store.purgeEvents(before: clock.now() - retention, limit: limit)
            count += try await store.purgeTraffic(at: clock.now(), limit: limit)
            count += try await store.purgeRequests(before: clock.now(), limit: limit)
            count += try await store.purgeSessions(before: clock.now(), limit: limit)
            count += try await store.purgeSigningKeys(at: clock.now(), limit: limit)
            return count + (try await store.purgeAudit(before: clock.now() - auditRetention, limit: limit))
        }
    }

    private func inSlices(_ work: (_ limit: Int) async throws -> Int) async throws {
        var slice = PurgeSlice()
        var count: Int
        repeat {
            let start = ContinuousClock.now
            count = try await work(slice.rows)
            if count > 0 { try await Task.sleep(for: slice.adapt(to: .now - start)) }
        } while count > 0
    }

    /// One account at a time: each may have thousands of rows.
    private func deleteDueAccounts() async throws {
        var due: [Account.ID]
        repeat {
            due = try await store.dueAccounts(at: clock.now(), limit: 100)
            var isAnyDeleted = false
            for id in due {
                let command = DeleteAccount(id, digester: digester, now: clock.now())
                do {
                    isAnyDeleted = try await store.delete(command) || isAnyDeleted
                } catch {
                    // One that cannot be read must not keep the others from being deleted.
                    logger.error(
                        "an account that is due could not be deleted; trying again in a minute",
                        metadata: ["account.id": "\(id)", "error": "\(error)"]
                    )
                }
            }
            // Of several instances one deletes; and one that cannot be deleted must not be asked for forever.
            if !isAnyDeleted { return }
        } while !due.isEmpty
    }

    private func closeWhatIsOver() async throws {
        try await inSlices { limit in
            let count = try await store.close(at: clock.now(), limit: limit)
            didClose(count)
            return count
        }
    }

    /// Does one of the tasks, whatever came of those before it.
    private func attempt(_ task: () async throws -> Void) async {
        do {
            try await task()
        } catch is CancellationError {
            return
        } catch {
            logger.warning(
                "old rows could not be seen to; trying again in a minute",
                metadata: ["error": "\(error)"]
            )
        }
    }

    func run() async {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    try reloadKeys()
                } catch {
                    logger.error(
                        "the keys could not be read; going on with those from before",
                        metadata: ["error": "\(error)"]
                    )
                }
                await attempt(purge)
                // Afterwards, since what is deleted need not be closed.
                await attempt(closeWhatIsOver)
                await attempt(deleteDueAccounts)
                try? await Task.sleep(for: .seconds(60))
            }
        }
    }
}

/// Gives memory back to the system that is not used any more.
///
/// glibc gives back by itself only what lies at the end of a heap; one small thing that is kept there keeps all of it. After
/// a flood of connections the process would stay as large as it was at its worst, for ever.
struct MemoryService: Service {
    /// Often enough that a flood is over for the machine within a minute. Where there is little to give back it takes less
    /// than a millisecond.
    private static let interval: Duration = .seconds(20)

    /// Not in Swift's module of glibc, and not there at all with another C library.
    private static let trim = dlsym(nil, "malloc_trim").map {
        unsafeBitCast($0, to: (@convention(c) (Int) -> CInt).self)
    }

    func run() async {
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: Self.interval)) != nil { _ = Self.trim?(0) }
        }
    }
}
