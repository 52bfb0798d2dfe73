import Logging
public import PhoneAdministration
public import PhoneDomain
import Telemetry

/// Sends the messages in the outbox.
///
/// A message is claimed for the length of a lease, sent by the first gateway that accepts it, and settled. Several
/// dispatchers, in one process or many, may share a store. Each message is sent once, unless a process crashes between
/// the gateway's response and its record: then it is sent again when the lease expires, with the same dedupe key. A
/// claimed message is never lost. A clock that is put forward ends leases early: this dispatcher then knows what it has
/// claimed, another one on the same store does not.
///
/// A message that is being sent takes a slot. No more are claimed than there are slots, so that no lease runs down in a
/// queue. What is queued in this process need not be claimed: it arrives claimed (``leaseOfNewMessage()``), as long as
/// the outbox has nothing older.
public final class OutboxDispatcher: Sendable {
    private let outbox: any OutboxStore
    private let gateways: [any MessageGateway]
    private let sender: MessageSender
    private let results: ResultRecorder
    private let receipts: ReceiptRecorder
    private let poller: ReceiptPoller
    private let configuration: DispatcherConfiguration
    private let authenticator: any RequestAuthenticator
    let logger: Logger
    private let store: StoreRetry
    private let signal = WakeSignal()
    private let inFlight = InFlightMessages()
    private let inProcess: InProcessQueue

    /// - Parameters:
    ///   - store: its errors are logged, so they must not quote what it contains.
    ///   - overrides: somebody else reads them.
    ///   - gateways: in the order in which they are asked where there are no routes; with none, every message fails.
    ///   - routes: nil for all gateways, each for what it serves.
    ///   - authenticator: makes digests of gateways' IDs for messages.
    public init(
        store: any OutboxStore,
        composer: MessageComposer,
        gateways: [any MessageGateway],
        routes: Routes? = nil,
        overrides: OverridesInForce = OverridesInForce(),
        configuration: DispatcherConfiguration = .standard,
        authenticator: any RequestAuthenticator,
        environment: DeliveryEnvironment
    ) {
        (outbox, self.authenticator) = (store, authenticator)
        self.gateways = gateways
        self.configuration = configuration
        // Without a look into the outbox nothing would open it.
        inProcess = InProcessQueue(
            limit: configuration.maxMessagesInMemory,
            isOpen: configuration.sendsOwnMessagesOnly,
            inFlight: inFlight
        )
        logger = environment.logger
        let retry = StoreRetry(
            health: StoreHealth(logger: logger),
            backoff: configuration.backoff,
            wallClock: environment.wallClock,
            clock: environment.clock
        )
        self.store = retry
        sender = MessageSender(
            composer: composer,
            gateways: Dictionary(
                gateways.map { ($0.name, GuardedGateway($0, limits: configuration.breakerLimits, environment)) }
            ) { first, _ in first },
            routes: routes ?? Routes(gateways.map { Routes.Gateway($0.name, serves: $0.channels) }),
            overrides: overrides,
            configuration: configuration,
            authenticator: authenticator,
            environment: environment
        )
        receipts = ReceiptRecorder(
            outbox: store,
            gateways: gateways,
            store: retry,
            authenticator: authenticator,
            logger: logger,
            metrics: MessageMetrics(gateways: gateways.map(\.name), environment.metrics)
        )
        results = ResultRecorder(inFlight: inFlight, receipts: receipts, limits: configuration.limits)
        let schedule = configuration.receiptSchedule
        poller = ReceiptPoller(
            gateways: schedule == nil ? [] : gateways.compactMap { $0 as? any ReceiptSource },
            schedule: schedule ?? .standard,
            timeout: configuration.sendTimeout,
            recorder: receipts
        )
    }

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

    /// The lease with which a message that is about to be queued is to be claimed for this dispatcher; nil if it is to
    /// wait in the outbox. From any thread.
    public func leaseOfNewMessage() -> Duration? { inProcess.admit() ? configuration.lease : nil }

    /// Call when a message was queued, with its claim if it has one, so that it is sent before the next poll. From any
    /// thread.
    public func messageQueued(_ claim: OutboxClaim? = nil) {
        if let claim { inProcess.add(claim) } else { signal.wake() }
    }

    /// Sends what is due, whenever it is due, and records receipts, until the task is cancelled.
    ///
    /// No error ends it. When it is cancelled it claims nothing more, waits for the gateways' responses to running
    /// requests, records them, and returns: within ``DispatcherConfiguration/lease``.
    public func run() async {
        let worker = LeasedQueueWorker(
            queue: self,
            limiter: ConcurrencyLimiter(limit: configuration.maxConcurrentSends),
            signal: signal,
            store: store,
            pollInterval: configuration.pollInterval
        )
        await withDiscardingTaskGroup { group in
            group.addTask { await self.receipts.run() }
            group.addTask { await self.poller.run() }
            _ = await withGracefulCancellation(stopping: worker.limiter, wakeAll) {
                async let sending: Void = self.sendInProcessMessages(worker.limiter)
                if !self.configuration.sendsOwnMessagesOnly { await worker.run() }
                await sending
                await self.giveBack(self.inProcess.stop())
            }
        }
    }

    /// Sends what is due, until nothing is. A message whose next attempt is later is left for then.
    ///
    /// - Throws: what the store throws, and `CancellationError` when the task is cancelled, both after running requests
    ///   have ended.
    public func drain() async throws {
        let limiter = ConcurrencyLimiter(limit: configuration.maxConcurrentSends)
        try await withGracefulCancellation(stopping: limiter, wakeAll) { [self] in
            while case let claims = try await claimMessages(upTo: limiter.available), !claims.isEmpty {
                // The children throw nothing, since the first to throw would cancel the others.
                let results = await withTaskGroup { tasks in
                    for claim in inFlight.add(claims) {
                        tasks.addTask { await self.results.record([(claim, await self.send(claim))]) }
                    }
                    return await tasks.reduce(into: []) { $0 += $1 }
                }
                for result in results { _ = try result.get() }
            }
        }.get()
        if limiter.isStopping { throw CancellationError() }
    }

    private func sendInProcessMessages(_ limiter: ConcurrencyLimiter) async {
        await withDiscardingTaskGroup { tasks in
            while true {
                let seen = inProcess.signal.count
                if limiter.isStopping { return }
                let slots = limiter.acquire(upTo: inProcess.count)
                let claims = inProcess.take(upTo: slots)
                _ = limiter.release(slots - claims.count)
                if claims.isEmpty {
                    await inProcess.signal.wait(beyond: seen)
                    continue
                }
                // What is sent at once is sent in one task, since another one would cost more than the sending.
                for batch in await areGatewaysImmediate() ? [claims] : claims.map({ [$0] }) {
                    tasks.addTask { await self.process(batch, limiter) }
                }
            }
        }
    }

    private func areGatewaysImmediate() async -> Bool {
        for gateway in gateways where await !gateway.isImmediate { return false }
        return true
    }

    /// Makes messages due at once that no gateway was asked to send.
    private func giveBack(_ claims: [OutboxClaim]) async {
        let now = store.wallClock.now()
        _ = await results.record(claims.map { ($0, .postponed(until: now)) })
    }

    private func claimMessages(upTo limit: Int) async throws -> [OutboxClaim] {
        guard limit > 0 else { return [] }
        let now = store.wallClock.now()
        return try await outbox.claim(limit: limit, at: now, until: now + configuration.lease)
    }

    /// Sends a message as a part of the trace that asked for it.
    private func send(_ claim: OutboxClaim) async -> DeliveryResult {
        if let known = inFlight.result(of: claim) { return known }
        return await TraceParent.$current.withValue(claim.message.traceParent) {
            let result = await sender.send(claim, MessageLog(claim: claim, logger: logger))
            inFlight.setResult(result, of: claim)
            return result
        }
    }

    private func process(_ claims: [OutboxClaim], _ limiter: ConcurrencyLimiter) async {
        var results: [ResultRecorder.Unrecorded] = []
        for claim in claims { results.append((claim, await send(claim))) }
        // Released before the results are recorded: the gateway is free for the next messages by then.
        if limiter.release(claims.count) { slotReleased() }
        for result in await self.results.record(results) {
            switch result {
            case .success(.retry), .success(.postponed): signal.wake()
            case .success, .failure: break
            }
        }
    }

    private func wakeAll() {
        signal.wake()
        inProcess.signal.wake()
    }
}

extension OutboxDispatcher: LeasedQueue {
    func acquireSlots(of limiter: ConcurrencyLimiter) -> Int {
        // In-process messages need slots meanwhile, and those that wait come first: their leases have begun.
        let share = inProcess.isOpen ? (limiter.available + 1) / 2 : .max
        return limiter.acquire(upTo: share, leaving: inProcess.count)
    }

    func claim(upTo limit: Int) async throws -> ClaimedBatch<OutboxClaim> {
        if limit == 0 {
            guard inProcess.isOpen, let next = try await nextDue() else { return ClaimedBatch(next: .unknown) }
            guard next <= store.wallClock.now() else { return ClaimedBatch(next: .at(next)) }
            // It is older than what is queued from now on.
            inProcess.setOpen(false)
            return ClaimedBatch(next: .now)
        }
        let claims = try await claimMessages(upTo: limit)
        let isEmptied = claims.count < limit
        inProcess.setOpen(isEmptied)
        return ClaimedBatch(items: inFlight.add(claims), next: isEmptied ? .unknown : .now)
    }

    func nextDue() async throws -> Timestamp? { try await outbox.nextAttempt() }

    func process(_ claim: OutboxClaim, _ limiter: ConcurrencyLimiter) async {
        await process([claim], limiter)
    }

    func slotReleased() {
        inProcess.signal.wake()
        // While the queue is open, nothing in the outbox waits for a slot.
        if !inProcess.isOpen { signal.wake() }
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
        guard let gateway = sender.gateways[name] else { return .rejected("what the gateway needs is not configured") }
        guard !configuration.testNumbers.contains(number, at: store.wallClock.now()) else {
            return .rejected("nothing is sent to a test number")
        }
        let channels = gateway.gateway.channels
        let other = Routes.standardOrder.first(where: channels.contains)
        let channel: Channel = channels.contains(.sms) ? .sms : other ?? .sms
        do {
            let message = try sender.composer.test(to: number, by: channel, language, key: key)
            var response = Result<GatewayReceipt, GatewayFailure>.failure(.ambiguous("no response in time"))
            let time = await store.clock.measure {
                response = await sender.send(message, by: gateway, MessageLog(claim: nil, logger: logger))
            }
            switch response {
            case .success(let receipt):
                let id = try? GatewayMessageID(receipt.messageID).name(for: number, authenticator)
                return .accepted(id: id, after: time)
            case .failure(let failure): return .rejected(failure.text)
            }
        } catch {
            return .rejected("the text cannot be rendered")
        }
    }
}
