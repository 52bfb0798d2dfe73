public import CoreMetrics
public import Logging
public import PhoneDomain
public import Tracing

/// Sends the messages that the outbox owes.
///
/// A message is claimed for the length of a lease, handed to the gateways in order, and settled. Several dispatchers,
/// of one program or of many, may work on one store. Each message is sent once, save where one program ends without
/// warning between the gateway's answer and its own record of it: then it is sent again when the lease is over, under
/// the same dedupe key. A message that was claimed is never forgotten. A clock that is put forward ends leases early:
/// this dispatcher then knows what it has in hand, another one on the same store does not.
///
/// No more is claimed out of the store than can be sent at once, so that no lease runs down in a queue. What is queued in this
/// process is not looked for at all: it comes claimed (``placeForMessage()``), as long as the outbox holds nothing older.
public final class OutboxDispatcher: Sendable {
    private let store: any OutboxStore
    private let courier: Courier
    private let results: ResultRecorder
    private let receipts: ReceiptRecorder
    private let poller: ReceiptPoller
    private let configuration: DispatcherConfiguration
    private let wallClock: any WallClock
    private let clock: any Clock<Duration>
    private let logger: Logger
    private let storeHealth: StoreHealth
    private let signal = WakeSignal()
    private let inHand = MessagesInHand()
    private let handOver: HandOver
    private let sendsOwnMessagesOnly: Bool

    /// When the store says that a message is due which it does not hand out, do not ask it without pause.
    private static let shortestSleep: Duration = .milliseconds(10)

    /// A dispatcher that does nothing yet.
    ///
    /// - Parameters:
    ///   - store: where the messages are. Its errors are logged, so they must not quote what it holds.
    ///   - vault: opens codes.
    ///   - undoTokens: makes the secrets of links once more.
    ///   - testNumbers: numbers that nothing is sent to. Standard: none.
    ///   - renderer: makes the texts.
    ///   - gateways: who sends them, in the order in which they are asked; with none, every message fails.
    ///   - configuration: the pace.
    ///   - sendsOwnMessagesOnly: whether nothing is taken out of the store, so that only messages are sent that were queued in this
    ///     process: for one that shares its store with a service of other gateways. Standard: false.
    ///   - receiptSchedule: when gateways that say nothing by themselves are asked how messages fared; nil for never.
    ///   - wallClock: says what time it is.
    ///   - clock: measures waits.
    ///   - jitter: a random number of 0 to 1 for each wait.
    ///   - metrics: keeps what is counted. Standard: nothing.
    ///   - tracer: keeps spans of what gateways are asked; nil, the standard, for none.
    ///   - logger: gets no code, no secret, no text and no number but masked.
    public init(
        store: any OutboxStore,
        vault: any CodeVault,
        undoTokens: UndoTokens,
        testNumbers: TestNumbers = .none,
        renderer: any MessageRendering,
        gateways: [any MessageGateway],
        configuration: DispatcherConfiguration = .standard,
        sendsOwnMessagesOnly: Bool = false,
        receiptSchedule: ReceiptSchedule? = .standard,
        wallClock: any WallClock,
        clock: any Clock<Duration> = ContinuousClock(),
        jitter: @escaping @Sendable () -> Double = { .random(in: 0...1) },
        metrics: any MetricsFactory = NOOPMetricsHandler.instance,
        tracer: (any Tracer)? = nil,
        logger: Logger
    ) {
        self.store = store
        self.configuration = configuration
        self.sendsOwnMessagesOnly = sendsOwnMessagesOnly
        // Open from the start where nothing else brings messages here: one that found no place would be left to others.
        handOver = HandOver(limit: configuration.maxWaitingSends, isOpen: sendsOwnMessagesOnly)
        self.wallClock = wallClock
        self.clock = clock
        self.logger = logger
        storeHealth = StoreHealth(logger: logger)
        let measures = DeliveryMeasures(gateways: gateways.map(\.name), metrics)
        courier = Courier(
            vault: vault,
            undoTokens: undoTokens,
            testNumbers: testNumbers,
            renderer: renderer,
            gateways: gateways.map {
                GuardedGateway($0, limits: configuration.breakerLimits, metrics: metrics, logger: logger)
            },
            maxAttempts: configuration.maxAttempts,
            sendTimeout: configuration.sendTimeout,
            timeLimit: TimeLimit(configuration.sendTimeout, on: clock),
            backOff: configuration.backOff,
            noticeBackOff: configuration.noticeBackOff,
            wallClock: wallClock,
            jitter: jitter,
            tracer: tracer
        )
        receipts = ReceiptRecorder(
            store: store,
            gateways: gateways,
            backOff: configuration.backOff,
            wallClock: wallClock,
            clock: clock,
            logger: logger,
            storeHealth: storeHealth,
            measures: measures,
            late: LateReceipts()
        )
        results = ResultRecorder(
            store: store,
            inHand: inHand,
            receipts: receipts,
            backOff: configuration.backOff,
            wallClock: wallClock,
            clock: clock,
            logger: logger,
            storeHealth: storeHealth,
            measures: measures
        )
        poller = ReceiptPoller(
            store: store,
            gateways: receiptSchedule == nil ? [] : gateways.compactMap { $0 as? any ReceiptSource },
            schedule: receiptSchedule ?? .standard,
            timeout: configuration.sendTimeout,
            recorder: receipts,
            wallClock: wallClock,
            clock: clock,
            logger: logger,
            storeHealth: storeHealth
        )
    }

    /// Records what a gateway said, by calling, of a message that it took. It may say so before the outbox knows that the
    /// message was sent: then it is tried a few times more while ``run()`` does its work.
    ///
    /// - Throws: what the store throws; nothing is recorded then, and nothing tried again.
    public func take(_ receipt: DeliveryReceipt, of gateway: String) async throws {
        if try await !receipts.record(receipt, of: gateway) { receipts.late.put(receipt, of: gateway) }
    }

    /// Keeps a place for a message that is about to be queued, while ``run()`` does its work. From any thread.
    ///
    /// - Returns: nil if there is none; then the message waits in the outbox.
    public func placeForMessage() -> MessagePlace? {
        guard handOver.give() else { return nil }
        return MessagePlace(lease: configuration.lease) { [handOver, inHand] claim in
            let mine = claim.flatMap { inHand.take([$0]).first }
            // Too late, it is for whoever looks when the lease is over.
            if !handOver.fill(with: mine), let mine { inHand.release(mine) }
        }
    }

    /// Call when a message was queued without a place, so that it is sent without waiting for the next look. From any thread.
    public func wake() {
        signal.wake()
    }

    /// Sends what is due, whenever it is due, and records receipts, until the task is cancelled.
    ///
    /// No error ends it. When it is cancelled it takes no more messages, lets gateways answer about those on their way,
    /// records what they said, and returns: within ``DispatcherConfiguration/lease``.
    public func run() async {
        let shift = Shift(limit: configuration.maxConcurrentSends)
        await withDiscardingTaskGroup { group in
            group.addTask { await self.receipts.run() }
            group.addTask { await self.poller.run() }
            _ = await shielded(shift) {
                async let handedOver: Void = self.sendWhatIsHandedOver(shift)
                if !self.sendsOwnMessagesOnly { await self.work(shift) }
                await handedOver
                await self.giveBack(self.handOver.end())
            }
        }
    }

    /// Sends what is due, until nothing is. A message whose next attempt is later is left for then.
    ///
    /// - Throws: what the store throws, and `CancellationError` when the task is cancelled; messages on their way are
    ///   seen to their end first.
    public func drain() async throws {
        let shift = Shift(limit: configuration.maxConcurrentSends)
        try await shielded(shift) { try await self.sendWhatIsDue(shift) }.get()
        if shift.isEnding { throw CancellationError() }
    }

    /// Does the work in a task that the caller's cancellation does not reach; it ends the shift instead, so that no
    /// request to a gateway and no record in the store is cut off.
    private func shielded(
        _ shift: Shift,
        _ work: @escaping @Sendable () async throws -> Void
    ) async -> Result<Void, any Error> {
        await withTaskCancellationHandler {
            await Task {
                try await withThrowingTaskGroup { group in
                    group.addTask { await self.courier.timeLimit.watch() }
                    defer { group.cancelAll() }
                    try await work()
                }
            }.result
        } onCancel: {
            shift.end()
            wakeLoops()
        }
    }

    private func wakeLoops() {
        signal.wake()
        handOver.signal.wake()
    }

    private func sendWhatIsDue(_ shift: Shift) async throws {
        while true {
            let claims = try await claim(upTo: shift.room)
            if claims.isEmpty { return }
            // The children throw nothing, since the first to throw would cancel the others.
            let results = await withTaskGroup { sends in
                for claim in inHand.take(claims) { sends.addTask { await self.deliver(claim) {} } }
                return await sends.reduce(into: []) { $0.append($1) }
            }
            for result in results { _ = try result.get() }
        }
    }

    private func work(_ shift: Shift) async {
        await withDiscardingTaskGroup { sends in
            var failures = 0
            while true {
                let seen = signal.count
                if shift.isEnding { return }
                let sleep: Duration
                do {
                    try await claimWhatIsDue(shift, for: &sends)
                    sleep = try await timeToSleep(shift)
                    storeHealth.recordSuccess()
                    failures = 0
                } catch {
                    storeHealth.record(error)
                    failures += 1
                    sleep = configuration.backOff.wait(after: failures)
                }
                await signal.wait(beyond: seen, atMost: sleep, on: clock)
            }
        }
    }

    private func claimWhatIsDue(_ shift: Shift, for sends: inout DiscardingTaskGroup) async throws {
        while true {
            // What is handed over meanwhile finds room as well, and what waits goes first: its lease has begun.
            let share = handOver.isOpen ? (shift.room + 1) / 2 : .max
            let room = shift.take(upTo: share, leaving: handOver.count)
            var mine: [OutboxClaim] = []
            defer { if shift.finish(room - mine.count) { wakeLoops() } }
            let claims = try await claim(upTo: room)
            mine = inHand.take(claims)
            for claim in mine { sends.addTask { await self.send(claim, shift) } }
            let isDone = claims.count < room
            handOver.setOpen(isDone)
            if isDone || room == 0 { return }
        }
    }

    private func sendWhatIsHandedOver(_ shift: Shift) async {
        await withDiscardingTaskGroup { sends in
            while true {
                let seen = handOver.signal.count
                if shift.isEnding { return }
                let room = shift.take(upTo: handOver.count)
                let claims = handOver.take(upTo: room)
                _ = shift.finish(room - claims.count)
                for claim in claims { sends.addTask { await self.send(claim, shift) } }
                if claims.isEmpty { await handOver.signal.wait(beyond: seen) }
            }
        }
    }

    /// Leaves messages that no gateway was asked to take to whoever comes next, due at once.
    private func giveBack(_ claims: [OutboxClaim]) async {
        await withDiscardingTaskGroup { group in
            for claim in claims {
                group.addTask { _ = await self.results.record(.postponed(until: self.wallClock.now()), of: claim) }
            }
        }
    }

    private func send(_ claim: OutboxClaim, _ shift: Shift) async {
        // Not when it is on record: the gateway is free for the next message by then.
        let result = await deliver(claim) { if shift.finish() { wakeLoops() } }
        // It may be due again before what the loop sleeps for.
        switch result {
        case .success(.retry), .success(.postponed): signal.wake()
        case .success, .failure: break
        }
    }

    private func claim(upTo limit: Int) async throws -> [OutboxClaim] {
        guard limit > 0 else { return [] }
        let now = wallClock.now()
        return try await store.claim(limit: limit, at: now, until: now + configuration.lease)
    }

    private func timeToSleep(_ shift: Shift) async throws -> Duration {
        guard shift.room > 0, let next = try await store.nextAttempt() else { return configuration.pollInterval }
        return min(max(next - wallClock.now(), Self.shortestSleep), configuration.pollInterval)
    }

    /// Sends a message as a part of the trace that asked for it.
    ///
    /// - Parameter answered: called once, when no gateway is to be asked any more.
    /// - Returns: what came of the message, or the store's error if that could not be recorded.
    private func deliver(
        _ claim: OutboxClaim,
        _ answered: () -> Void
    ) async -> Result<DeliveryResult, any Error> {
        await TraceParent.$current.withValue(claim.message.traceParent) { await carry(claim, answered) }
    }

    private func carry(_ claim: OutboxClaim, _ answered: () -> Void) async -> Result<DeliveryResult, any Error> {
        let result: DeliveryResult
        if let known = inHand.result(of: claim) {
            result = known
        } else {
            result = await courier.deliver(claim, MessageLog(claim, logger))
            inHand.keep(result, of: claim)
        }
        answered()
        return await results.record(result, of: claim)
    }
}
