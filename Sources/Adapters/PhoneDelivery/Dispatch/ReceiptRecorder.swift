import Logging
import PhoneDomain
import PhoneSignup

/// Records the delivery receipts of messages that gateways accepted.
///
/// A receipt may come before the outbox knows that the message was sent, so one without a matching message is tried
/// again a few times. A store that is down is retried until it is up again.
struct ReceiptRecorder: Sendable {
    /// With the standard backoff the last attempt is after 15 seconds.
    private static let maxAttempts = 5
    /// How many unmatched receipts are tried again at the same time; the others wait.
    private static let maxConcurrent = 1000
    /// Of unmatched receipts, the newest are dropped: most are repetitions, or of messages that are not ours.
    private static let maxUnmatched = 1000

    let outbox: any OutboxStore
    let store: StoreRetry
    let authenticator: any RequestAuthenticator
    let logger: Logger
    let metrics: MessageMetrics
    private let unmatched = AsyncStream<(gateway: String, receipt: DeliveryReceipt)>
        .makeStream(bufferingPolicy: .bufferingOldest(maxUnmatched))

    /// Tries unmatched receipts again until the task is cancelled.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            var count = 0
            for await (gateway, receipt) in unmatched.stream {
                if count == Self.maxConcurrent { await group.next() } else { count += 1 }
                group.addTask { await self.persist(receipt, of: gateway) }
            }
        }
    }

    /// Has ``run()`` try a receipt again that matched no message.
    func retryLater(_ receipt: DeliveryReceipt, of gateway: String) {
        unmatched.continuation.yield((gateway, receipt))
    }

    /// Records a receipt, without a retry. Returns whether it changed a message.
    func record(_ receipt: DeliveryReceipt, of gateway: String) async throws -> Bool {
        let id = GatewayMessageID(receipt.messageID)
        // Whose number the ID may contain is not known: only a message of its name shows that it is fit for logs.
        if id.isPlain, try await record(receipt.outcome, of: id.text, by: gateway) { return true }
        return try await record(receipt.outcome, of: id.digest(authenticator), by: gateway)
    }

    private func record(_ outcome: RecordReceipt.Outcome, of id: String, by gateway: String) async throws -> Bool {
        let now = store.wallClock.now()
        let command = RecordReceipt(gateway: gateway, gatewayMessageID: id, outcome: outcome, now: now)
        let isRecorded = try await store.attempt { try await outbox.record(command) }
        if isRecorded { report(outcome, of: id, by: gateway) }
        return isRecorded
    }

    /// - Parameter id: as it is in the store.
    func report(_ outcome: RecordReceipt.Outcome, of id: String, by gateway: String) {
        metrics.count(outcome, by: gateway)
        guard logger.logLevel <= (outcome == .delivered ? .debug : .warning) else { return }
        var metadata: Logger.Metadata = ["gateway.name": "\(gateway)", "gateway.message_id": "\(id)"]
        switch outcome {
        case .delivered: logger.debug("A message was delivered", metadata: metadata)
        case .undelivered(let code):
            if let code { metadata["failure.code"] = "\(code)" }
            logger.warning("A message was lost in transit", metadata: metadata)
        }
    }

    private func persist(_ receipt: DeliveryReceipt, of gateway: String) async {
        var outages = 0
        var attempts = 0
        while !Task.isCancelled {
            do {
                if try await record(receipt, of: gateway) { return }
                outages = 0
                attempts += 1
                guard attempts < Self.maxAttempts else {
                    let digest = try GatewayMessageID(receipt.messageID).digest(authenticator)
                    let metadata: Logger.Metadata = ["gateway.name": "\(gateway)", "gateway.message_id": "\(digest)"]
                    return logger.debug("A receipt matched no message", metadata: metadata)
                }
                try? await store.clock.sleep(for: store.backoff.wait(after: attempts))
            } catch {
                outages += 1
                try? await store.clock.sleep(for: store.backoff.wait(after: outages))
            }
        }
    }
}

/// Polls those of the gateways that can be polled for receipts.
///
/// Each gateway is polled separately, and one that hangs, fails or returns nonsense affects only its own receipts: a
/// request has a timeout, failures have a backoff, and receipts count only for the messages that were asked for.
/// Several processes on one store ask for the same messages; the first receipt counts.
struct ReceiptPoller: Sendable {
    private static let maxConcurrent = 8
    private static let backoff = Backoff(first: .seconds(5), longest: .seconds(300))

    let gateways: [any MessageGateway]
    let schedule: ReceiptSchedule
    let timeout: Duration
    let recorder: ReceiptRecorder

    private var store: StoreRetry { recorder.store }

    func run() async {
        await withDiscardingTaskGroup { group in
            for gateway in gateways {
                guard let size = gateway.receiptsPerRequest else { continue }
                group.addTask { await self.poll(gateway, size) }
            }
        }
    }

    /// - Parameter size: the most messages in one request, here and below.
    private func poll(_ gateway: any MessageGateway, _ size: Int) async {
        var last: Timestamp?
        var failures = 0
        while !Task.isCancelled {
            let now = store.wallClock.now()
            var sleep = schedule.interval
            do {
                try await poll(gateway, size, schedule.due(since: last, at: now))
                let metadata: Logger.Metadata = ["gateway.name": "\(gateway.name)"]
                if failures > 0 { recorder.logger.notice("A gateway returns receipts again", metadata: metadata) }
                (last, failures) = (now, 0)
            } catch {
                if Task.isCancelled { return }
                failures += 1
                // The store's errors are logged by ``StoreHealth``.
                let failure = error as? GatewayFailure
                if failures == 1, let failure { report(failure, of: gateway) }
                // No longer than our own longest wait, whatever the gateway asks for.
                let retryAfter = min(failure?.retryAfter ?? .zero, Self.backoff.longest)
                sleep = max(sleep, Self.backoff.wait(after: failures), retryAfter)
            }
            try? await store.clock.sleep(for: sleep)
        }
    }

    private func poll(
        _ gateway: any MessageGateway,
        _ size: Int,
        _ intervals: [ReceiptSchedule.Interval]
    ) async throws {
        let limit = size * Self.maxConcurrent
        var firstFailure: GatewayFailure?
        for interval in intervals {
            var last: SentMessage?
            while !Task.isCancelled {
                let question = AwaitedReceipts(
                    gateway: gateway.name,
                    after: interval.after,
                    through: interval.through,
                    behind: last,
                    limit: limit
                )
                let page = try await store.attempt { try await recorder.outbox.awaitingReceipts(question) }
                let failure = try await poll(gateway, size, for: page.map(\.gatewayMessageID))
                firstFailure = firstFailure ?? failure
                guard page.count == limit else { break }
                last = page.last
            }
        }
        if let firstFailure { throw firstFailure }
    }

    /// - Returns: the first failure if other requests succeeded, so that a message which always fails keeps no later
    ///   one from being asked for.
    /// - Throws: the first error, after all requests have ended, if none succeeded or it is the store's.
    private func poll(_ gateway: any MessageGateway, _ size: Int, for ids: [String]) async throws -> GatewayFailure? {
        let errors = await withTaskGroup(of: (any Error)?.self) { group in
            for start in stride(from: 0, to: ids.count, by: size) {
                let part = Array(ids[start..<min(start + size, ids.count)])
                group.addTask {
                    do {
                        try await self.recordReceipts(for: part, of: gateway)
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            return await group.reduce(into: [(any Error)?]()) { $0.append($1) }
        }
        let found = errors.compactMap(\.self)
        if let error = found.first(where: { !($0 is GatewayFailure) }) { throw error }
        if let error = found.first, found.count == errors.count { throw error }
        return found.first as? GatewayFailure
    }

    private func recordReceipts(for ids: [String], of gateway: any MessageGateway) async throws {
        let receipts = try await withTimeout(timeout, on: store.clock) { () async throws(GatewayFailure) in
            try await gateway.receipts(for: ids)
        }
        guard let receipts else { throw GatewayFailure.retry("no response in time") }
        for receipt in receipts where ids.contains(receipt.messageID) {
            _ = try await recorder.record(receipt, of: gateway.name)
        }
    }

    private func report(_ failure: GatewayFailure, of gateway: any MessageGateway) {
        var metadata: Logger.Metadata = ["gateway.name": "\(gateway.name)", "failure.reason": "\(failure.reason)"]
        if let code = failure.code { metadata["failure.code"] = "\(code)" }
        recorder.logger.warning("A gateway returns no receipts", metadata: metadata)
    }
}

/// When a gateway is polled for a message: at ages that double, so that most receipts come soon and polling does not
/// last long.
///
/// It has no state per message: due are the messages that have reached one of the ages since the last poll. So nothing
/// is stored, and a process that restarts, or one of several, polls for all that are young enough and goes on from
/// there.
public struct ReceiptSchedule: Hashable, Sendable {
    /// Moments at which messages were queued: later than the one, up to the other.
    struct Interval: Hashable {
        var after: Timestamp
        var through: Timestamp
    }

    public static let standard = ReceiptSchedule(from: .seconds(5), to: .seconds(86_400))

    /// Youngest first.
    let ages: [Duration]
    let longest: Duration

    /// Polls by a message's ages at the first poll, at least a second, and at the last.
    public init(from first: Duration, to longest: Duration) {
        let first = max(first, .seconds(1))
        var ages = [first]
        while let last = ages.last, last * 2 <= longest { ages.append(last * 2) }
        self.ages = ages
        self.longest = max(longest, first)
    }

    var interval: Duration { ages[0] }

    /// What is due, oldest first; nothing is due twice, nor at more than twice the last age, however long polling
    /// failed.
    ///
    /// - Parameter last: the last poll; nil for none.
    func due(since last: Timestamp?, at now: Timestamp) -> [Interval] {
        guard let last, last <= now else { return [Interval(after: now - longest, through: now - ages[0])] }
        return ages.reversed().reduce(into: []) { intervals, age in
            let (after, through) = (max(last - age, now - longest * 2), now - age)
            guard after < through else { return }
            if let previous = intervals.last, after <= previous.through {
                intervals[intervals.count - 1].through = through
            } else {
                intervals.append(Interval(after: after, through: through))
            }
        }
    }
}
