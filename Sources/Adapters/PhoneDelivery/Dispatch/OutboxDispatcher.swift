import Logging
public import PhoneAdministration
public import PhoneDomain
public import PhoneNumbers
import PhoneSignup
import Synchronization
import Telemetry

/// Sends the messages in the outbox.
///
/// A message is claimed for the length of a lease, sent by the first gateway that accepts it, and settled. Several
/// dispatchers, in one process or many, may share a store. Each message is sent once, unless a process crashes between
/// the gateway's response and its record: then it is sent again when the lease expires, with the same dedupe key. A
/// claimed message is never lost. A clock that is put forward ends leases early: this dispatcher then knows what it has
/// claimed, another one on the same store does not.
///
/// What waits is sent a batch at a time: by gateways in this process here and now, while the next batch gathers, else
/// each message in a task, since one gateway must not delay another's messages. One message is a batch of one.
public final class OutboxDispatcher: Sendable {
    private let outbox: any OutboxStore
    private let gateways: [any MessageGateway]
    private let senderInForce: Mutex<MessageSender>
    private var sender: MessageSender { senderInForce.withLock { $0 } }
    private let receipts: ReceiptRecorder
    private let poller: ReceiptPoller
    private let configuration: DispatcherConfiguration
    private let authenticator: any RequestAuthenticator
    let logger: Logger
    private let store: StoreRetry
    var now: Timestamp { store.wallClock.now() }
    var clock: any Clock<Duration> { store.clock }
    private let queue: DeliveryQueue
    /// Woken when a look into the outbox may find more, or more may be due sooner.
    private let signal = WakeSignal()

    /// - Parameters:
    ///   - store: its errors are logged, so they must not quote what it contains.
    ///   - overrides: somebody else reads them.
    ///   - gateways: in the order in which they are asked where there are no routes; with none, every message fails.
    ///   - routes: nil for all gateways, each for what it serves.
    ///   - odds: somebody else reads them, if the routes learn.
    ///   - authenticator: makes digests of gateways' IDs for messages.
    public init(
        store: any OutboxStore,
        composer: MessageComposer,
        gateways: [any MessageGateway],
        routes: Routes? = nil,
        odds: OddsInForce = OddsInForce(),
        overrides: OverridesInForce = OverridesInForce(),
        configuration: DispatcherConfiguration = .standard,
        authenticator: any RequestAuthenticator,
        environment: DeliveryEnvironment
    ) {
        (outbox, self.authenticator) = (store, authenticator)
        (self.gateways, self.configuration) = (gateways, configuration)
        logger = environment.logger
        queue = DeliveryQueue(
            slots: configuration.maxConcurrentSends,
            limit: configuration.maxMessagesInMemory,
            // Without a look into the outbox nothing would open it.
            isOpen: configuration.sendsOwnMessagesOnly
        )
        let retry = StoreRetry(
            health: StoreHealth(logger: logger),
            backoff: configuration.backoff,
            wallClock: environment.wallClock,
            clock: environment.clock
        )
        self.store = retry
        let sender = MessageSender(
            composer: composer,
            gateways: Dictionary(
                gateways.map { ($0.name, GuardedGateway($0, limits: configuration.breakerLimits, environment)) }
            ) { first, _ in first },
            hasRates: gateways.contains { !$0.messagesPerSecond.isEmpty },
            routes: routes ?? Routes(gateways.map { Routes.Gateway($0.name, serves: $0.channels) }),
            odds: odds,
            outbox: store,
            overrides: overrides,
            configuration: configuration,
            authenticator: authenticator,
            environment: environment,
            wake: { [signal] in signal.wake() }
        )
        senderInForce = Mutex(sender)
        receipts = ReceiptRecorder(
            outbox: store,
            store: retry,
            authenticator: authenticator,
            logger: logger,
            metrics: MessageMetrics(gateways: gateways.map(\.name), environment.metrics)
        )
        let schedule = configuration.receiptSchedule
        poller = ReceiptPoller(
            gateways: schedule == nil ? [] : gateways,
            schedule: schedule ?? .standard,
            timeout: configuration.sendTimeout,
            recorder: receipts
        )
    }

    /// Sends by these from the next message on, and gives messages that were not sent back to these limits.
    public func use(_ composer: MessageComposer, _ routes: Routes, _ limits: LimitPolicy, _ testNumbers: TestNumbers) {
        senderInForce.withLock { sender in
            (sender.composer, sender.routes) = (composer, routes)
            (sender.configuration.limits, sender.configuration.testNumbers) = (limits, testNumbers)
        }
    }

    /// The lease with which a message that is about to be queued is to be claimed for this dispatcher; nil if it is to
    /// wait in the outbox. From any thread.
    public func leaseOfNewMessage() -> Duration? { queue.admit() ? configuration.lease : nil }

    /// Call when a message was queued, with its claim if it has one, so that it is sent before the next poll. From any
    /// thread.
    public func messageQueued(_ claim: OutboxClaim? = nil) {
        if let claim { queue.add(claim) } else { signal.wake() }
    }

    /// Sends what is due, whenever it is due, and polls for receipts, until the task is cancelled.
    ///
    /// No error ends it. When it is cancelled it claims nothing more, gives back what still waits, waits for the
    /// gateways' responses to running requests, records them, and returns: within ``DispatcherConfiguration/lease``.
    public func run() async {
        queue.start()
        await withDiscardingTaskGroup { group in
            group.addTask { await self.receipts.run() }
            group.addTask { await self.poller.run() }
            await withGracefulCancellation {
                self.queue.stop()
                self.signal.wake()
            } _: {
                await self.sendMessages()
            }
        }
    }

    private func sendMessages() async {
        await withDiscardingTaskGroup { tasks in
            async let claiming: Void = claimMessages()
            while true {
                let seen = queue.signal.count
                if queue.isStopping { break }
                if await !startBatch(in: &tasks) { await queue.signal.wait(beyond: seen) }
            }
            await claiming
            let now = store.wallClock.now()
            // Due at once: no gateway was asked to send these.
            await record(queue.end().map { ($0.claim, $0.result ?? .postponed(until: now)) }, in: &tasks)
        }
    }

    /// Sends the oldest messages in memory, as far as there are slots.
    ///
    /// - Returns: whether there were any.
    func startBatch(in tasks: inout DiscardingTaskGroup) async -> Bool {
        let batch = queue.take()
        if gateways.allSatisfy(\.isImmediate) {
            await record(await send(batch), in: &tasks)
        } else {
            for job in batch {
                tasks.addTask {
                    for unrecorded in await self.record(await self.send([job])) { await self.retry(unrecorded) }
                }
            }
        }
        return !batch.isEmpty
    }

    private func claimMessages() async {
        if configuration.sendsOwnMessagesOnly { return }
        await store.poll(signal, atMost: configuration.pollInterval, until: { queue.isStopping }, claimDue)
    }

    /// Claims what is due in the outbox, as far as there are slots.
    ///
    /// - Returns: when the next message is due; nil if that does not matter before a slot is free.
    func claimDue() async throws -> Timestamp? {
        while true {
            let (room, now) = (queue.room, store.wallClock.now())
            if room == 0 {
                guard queue.isOpen, let next = try await outbox.nextAttempt() else { return nil }
                guard next <= now else { return next }
                // It is older than what is queued from now on.
                queue.add([], isOpen: false)
                return nil
            }
            let claims = try await outbox.claim(limit: room, at: now, until: now + configuration.lease)
            queue.add(claims, isOpen: claims.count < room)
            if claims.count < room { return try await outbox.nextAttempt() }
        }
    }

    /// Sends messages, each as a part of the trace that asked for it.
    private func send(_ batch: [DeliveryQueue.Job]) async -> [DeliveryQueue.Attempt] {
        let sender = sender
        var attempts: [DeliveryQueue.Attempt] = []
        attempts.reserveCapacity(batch.count)
        for (claim, known) in batch {
            if let known {
                attempts.append((claim, known))
            } else {
                let result = await TraceParent.$current.withValue(claim.message.traceParent) {
                    await sender.send(claim, MessageLog(claim: claim, logger: logger))
                }
                if sender.hasRates { await sender.leaveLine(claim, result) }
                attempts.append((claim, result))
            }
        }
        // Before the results are recorded: the gateway is free for the next messages by then.
        if queue.release(attempts) { signal.wake() }
        return attempts
    }

    private typealias Unrecorded = (attempt: DeliveryQueue.Attempt, error: (any Error)?)

    private func record(_ attempts: [DeliveryQueue.Attempt], in tasks: inout DiscardingTaskGroup) async {
        for unrecorded in await record(attempts) { tasks.addTask { await self.retry(unrecorded) } }
    }

    /// Records the results of a batch in one transaction.
    ///
    /// - Returns: those for which that failed, or whose messages this dispatcher itself claimed again meanwhile.
    private func record(_ attempts: [DeliveryQueue.Attempt]) async -> [Unrecorded] {
        if attempts.isEmpty { return [] }
        let (claims, now) = (queue.newest(attempts.map(\.claim)), store.wallClock.now())
        let limits = sender.configuration.limits
        let commands = zip(claims, attempts).map { claim, attempt in
            SettleMessage(
                id: claim.message.id,
                attempt: claim.message.attempts,
                result: attempt.result,
                limits: limits,
                now: now
            )
        }
        do {
            let counted = try await store.attempt { try await outbox.settle(commands) }
            let newest = queue.newest(claims)
            let ended = claims.indices.filter {
                counted[$0] || newest[$0].message.attempts == claims[$0].message.attempts
            }
            queue.remove(ended.map { claims[$0] })
            for index in ended { report(attempts[index], isCounted: counted[index], at: now) }
            return ended.count == claims.count ? [] : Set(claims.indices).subtracting(ended).map { (attempts[$0], nil) }
        } catch {
            return attempts.map { ($0, error) }
        }
    }

    /// Records a result by itself, as long as the lease lasts; then the message waits for its next claim.
    private func retry(_ unrecorded: Unrecorded) async {
        var (failures, last) = (1, unrecorded)
        while await store.waits(after: failures, until: queue.newest([last.attempt.claim])[0].leaseEnd) {
            guard let next = await record([last.attempt]).first else { return }
            (failures, last) = (failures + 1, next)
        }
        let claim = last.attempt.claim
        queue.suspend(claim, at: store.wallClock.now())
        let metadata: Logger.Metadata = last.error.map { ["error": "\($0)"] } ?? [:]
        TraceParent.$current.withValue(claim.message.traceParent) {
            let log = MessageLog(claim: claim, logger: logger)
            log.log(.error, "The result of a message could not be recorded", metadata)
        }
    }

    private func report(_ attempt: DeliveryQueue.Attempt, isCounted: Bool, at now: Timestamp) {
        let (claim, result) = attempt
        TraceParent.$current.withValue(claim.message.traceParent) {
            let log = MessageLog(claim: claim, logger: logger)
            guard isCounted else { return log.log(.warning, "A message was claimed again before its attempt ended") }
            receipts.metrics.count(result, delay: now - claim.message.createdAt)
            log.log(result)
            switch result {
            case .sent(let gateway, let messageID?, let outcome?, _, _, _, _):
                receipts.report(outcome, of: messageID, by: gateway)
            case .retry, .postponed, .waiting: signal.wake()
            default: break
            }
        }
    }
}

extension OutboxDispatcher {
    /// Records a receipt that a gateway posted. It may come before the message is recorded as sent: then it is tried
    /// again a few times while ``run()`` runs.
    ///
    /// - Throws: what the store throws; the receipt is then not recorded, and not tried again.
    public func record(_ receipt: DeliveryReceipt, of gateway: String) async throws {
        if try await !receipts.record(receipt, of: gateway) { receipts.retryLater(receipt, of: gateway) }
    }

    /// Records the receipts of one request at the same time: the store writes them together. The first of a message
    /// counts.
    ///
    /// - Throws: what the store throws; some may have been recorded, and all may be again.
    func record(_ list: [DeliveryReceipt], of gateway: String) async throws {
        var ids: Set<[UInt8]> = []
        let firsts = list.filter { ids.insert(Array($0.messageID.utf8)).inserted }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for receipt in firsts { group.addTask { try await self.record(receipt, of: gateway) } }
            try await group.waitForAll()
        }
    }
}

extension OutboxDispatcher: GatewayDesk {
    public var health: [String: GatewayHealth] { sender.gateways.mapValues(\.health) }

    public func sendTest(
        to number: PhoneNumber,
        by name: String,
        _ language: LanguageTag,
        key: String
    ) async -> TestResult {
        let sender = sender
        guard let gateway = sender.gateways[name] else { return .rejected("what the gateway needs is not configured") }
        guard !sender.configuration.testNumbers.contains(number, at: store.wallClock.now()) else {
            return .rejected("nothing is sent to a test number")
        }
        let channels = gateway.gateway.channels
        let channel = channels.contains(.sms) ? .sms : channels.min() ?? .sms
        let now = store.wallClock.now()
        let turn = try? await gateway.turn(.test, to: number, in: outbox, at: now, before: now + .seconds(3600))
        guard case .now(let index) = turn else {
            let wait = if case .later(let moment) = turn { (moment - now).wholeSecondsRoundedUp } else { Int64(3600) }
            return .rejected(turn == nil ? "the store gave no turn" : "its senders are busy; try again in \(wait) s")
        }
        do {
            var message = try sender.composer.test(to: number, by: channel, language, key: key)
            message.sender = index
            var response = Result<GatewayReceipt, GatewayFailure>.failure(.ambiguous("no response in time"))
            let time = await store.clock.measure {
                response = await sender.send(message, by: gateway, MessageLog(claim: nil, logger: logger))
            }
            switch response {
            case .success(let receipt):
                gateway.recordAcceptedTest()
                let id = try? GatewayMessageID(receipt.messageID).name(for: number, authenticator)
                return .accepted(id: id, after: time)
            case .failure(let failure): return .rejected(failure.text)
            }
        } catch {
            return .rejected("the text cannot be rendered")
        }
    }
}
