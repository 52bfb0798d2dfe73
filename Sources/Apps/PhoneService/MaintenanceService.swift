import CJemalloc
import Glibc
package import Logging
import PhoneAccounts
import PhoneAdministration
package import PhoneDomain
import PhoneSignup
package import PhoneStore
import ServiceLifecycle

/// Deletes expired rows, a few at a time, and reads new keys, every minute.
///
/// The SQLite file does not shrink: its free pages are for new rows
/// (https://www.sqlite.org/pragma.html#pragma_auto_vacuum). To release them would cost as much again as deleting, while
/// others wait. After a flood an operator stops the service and runs VACUUM. PostgreSQL does the same by autovacuum.
///
/// Every instance does this. With a server they share the work: each skips rows that another has locked.
package struct MaintenanceService: Service {
    package let store: any SQLStore
    /// Digests the numbers of deleted accounts in the audit log.
    package let digester: any NumberDigester
    /// Returns those that are in force.
    package let settings: @Sendable () -> Settings
    package let clock: any WallClock
    /// Makes a rotation take effect here within a minute.
    package let reloadKeys: @Sendable () throws -> Void
    /// Called with the number of verifications that expired.
    package let didClose: @Sendable (Int) -> Void
    package let logger: Logger

    private func purge() async throws {
        let (retention, auditRetention) = (settings().retention, settings().auditRetention)
        try await inSlices { limit in
            var count = try await store.purgeExpired(at: clock.now(), limit: limit)
            count += try await store.purge(before: clock.now() - retention, limit: limit)
            count += try await store.purgeEvents(before: clock.now() - retention, limit: limit)
            count += try await store.purgeTraffic(at: clock.now(), limit: limit)
            count += try await store.purgeSessions(before: clock.now(), limit: limit)
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
                let start = ContinuousClock.now
                let command = DeleteAccount(id, digester: digester, now: clock.now())
                do {
                    isAnyDeleted = try await store.delete(command) || isAnyDeleted
                } catch {
                    // An unreadable one must not prevent the deletion of the others.
                    logger.error(
                        "an account that is due could not be deleted; retrying in a minute",
                        metadata: ["account.id": "\(id)", "error": "\(error)"]
                    )
                }
                // Half of the time is for everybody else: in SQLite all other changes wait for this one.
                try await Task.sleep(for: .now - start)
            }
            // Another instance may delete them, and one that cannot be deleted must not be tried forever.
            if !isAnyDeleted { return }
        } while !due.isEmpty
    }

    private func rollUp() async throws {
        try await inSlices { limit in
            try await store.rollUp(RollUp(now: clock.now(), limit: limit, maxChecks: settings().policy.maxChecks))
        }
    }

    private func hastenQueues() async throws {
        var total = 0
        try await inSlices { limit in
            let count = try await store.hasten(at: clock.now(), limit: limit)
            total += count
            return count
        }
        guard total > 0 else { return }
        logger.warning(
            "messages or events were queued by a clock that was ahead; they are due now",
            metadata: ["count": .stringConvertible(total)]
        )
    }

    private func closeExpired() async throws {
        try await inSlices { limit in
            let count = try await store.close(at: clock.now(), limit: limit)
            didClose(count)
            return count
        }
    }

    /// Runs a task, whatever the result of those before it.
    private func attempt(_ task: () async throws -> Void) async {
        do {
            try await task()
        } catch is CancellationError {
            return
        } catch {
            logger.warning("maintenance failed; retrying in a minute", metadata: ["error": "\(error)"])
        }
    }

    package func run() async {
        await cancelWhenGracefulShutdown {
            var isDoubtful = false
            while !Task.isCancelled {
                do {
                    try reloadKeys()
                } catch {
                    logger.error(
                        "the keys could not be read; still using the previous ones",
                        metadata: ["error": "\(error)"]
                    )
                }
                await attempt {
                    let doubt = try await store.doubtAboutClock(at: clock.now())
                    if let doubt, !isDoubtful { logger.warning("\(doubt)") }
                    isDoubtful = doubt != nil
                }
                await attempt(hastenQueues)
                // Before the purge: what is deleted has been counted.
                await attempt(rollUp)
                await attempt(purge)
                // After the purge, since a deleted row need not be closed.
                await attempt(closeExpired)
                await attempt(deleteDueAccounts)
                try? await Task.sleep(for: .seconds(60))
            }
        }
    }
}

/// Releases unused memory to the system.
///
/// Memory is jemalloc's: glibc's heaps, for which threads wait and which give back nothing but their ends by
/// themselves, made a fifth fewer starts a second. jemalloc releases what was not used for a while, but looks for it
/// when memory is asked for (https://jemalloc.net/jemalloc.3.html, "dirty_decay_ms"): after a flood the process would
/// stay at its largest size.
package struct MemoryService: Service {
    /// After this time the service has started.
    private static let startTime: Duration = .seconds(1)
    /// A flood's memory is released within a minute. With little to release it takes less than a millisecond.
    private static let interval: Duration = .seconds(20)

    package func run() async {
        await cancelWhenGracefulShutdown {
            var pause = Self.startTime
            while (try? await Task.sleep(for: pause)) != nil {
                // Of all arenas, by the number that stands for them.
                mallctl("arena.4096.purge", nil, nil, nil, 0)
                Self.releaseCode()
                pause = Self.interval
            }
        }
    }

    /// Gives back the code that is in memory, most of which only the start or a flood has run: two thirds of what an
    /// idle service has. What is called again is mapped again, from the system's cache of the program's file.
    private static func releaseCode() {
        guard let maps = fopen("/proc/self/maps", "r") else { return }
        defer { fclose(maps) }
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(line) }
        while getline(&line, &capacity, maps) > 0, let line {
            // Most of the lines are about data, and not worth taking apart.
            guard strstr(line, " r-xp ") != nil else { continue }
            // `start-end permissions offset device inode path`, the first two in hexadecimal (proc_pid_maps(5)).
            let fields = String(cString: line).split(whereSeparator: { $0 == " " || $0 == "-" })
            // Nothing but code: it is as in its file, since nobody may have written to it.
            guard fields.count > 7, fields[2] == "r", fields[3] == "xp", fields[6] != "0",
                let start = UInt(fields[0], radix: 16), let end = UInt(fields[1], radix: 16)
            else { continue }
            madvise(UnsafeMutableRawPointer(bitPattern: start), Int(end - start), MADV_DONTNEED)
        }
    }
}

/// How many rows of each table to delete in one transaction, adapted to the duration of the last one: requests that
/// write wait for that long, and a million rows should take minutes and not days.
package struct PurgeSlice {
    /// How long a transaction should take: a tenth of what a person notices.
    package static let aim: Duration = .milliseconds(20)
    package static let limits = 50...5000

    package private(set) var rows = 500

    /// Adapts the number to how long it took.
    ///
    /// - Returns: how long to leave the database to others: at least as long as they waited.
    package mutating func adapt(to took: Duration) -> Duration {
        // No more than twice as many at a time, since one quick transaction proves little.
        let factor = min(2, max(0.25, Self.aim / max(took, .microseconds(100))))
        rows = min(max(Int(Double(rows) * factor), Self.limits.lowerBound), Self.limits.upperBound)
        return max(took, .milliseconds(10))
    }
}
