import Logging
public import PhoneDomain
import Synchronization

/// Delivers the events in a store to one endpoint.
///
/// An event is claimed for the length of a lease, posted, and settled. Several dispatchers, in one process or many, may
/// share a store. Each event is delivered at least once; more than once where a response was lost, or a process crashed
/// between the response and its record, and then with the same ID. The order is not guaranteed.
///
/// While the receiver is down nothing is claimed but one probe now and then (``CircuitBreaker``): so a backlog
/// loses no attempts to an outage, and causes no load on the store.
public final class WebhookDispatcher: Sendable {
    private let events: any EventStore
    private let poster: WebhookPoster
    private let configuration: WebhookConfiguration
    private let store: StoreRetry
    private let signal: WakeSignal
    private let breaker: Mutex<CircuitBreaker>

    /// - Parameters:
    ///   - store: its errors are logged, so they must not quote what it contains.
    ///   - signal: woken when an event was queued.
    public init(
        store: any EventStore,
        poster: WebhookPoster,
        configuration: WebhookConfiguration = WebhookConfiguration(),
        signal: WakeSignal
    ) {
        events = store
        (self.poster, self.configuration, self.signal) = (poster, configuration, signal)
        self.store = StoreRetry(
            health: StoreHealth(of: "events", logger: poster.environment.logger),
            backoff: configuration.storeBackoff,
            wallClock: poster.environment.wallClock,
            clock: poster.environment.clock
        )
        breaker = Mutex(CircuitBreaker(limits: configuration.breakerLimits))
    }

    private var logger: Logger { poster.environment.logger }

    /// Delivers what is due, whenever it is due, until the task is cancelled.
    ///
    /// No error ends it. When it is cancelled it claims nothing more, waits half a second for responses to running
    /// requests, records them, and returns. Other events are delivered again.
    public func run() async {
        let limiter = ConcurrencyLimiter(limit: configuration.maxConcurrentPosts)
        let worker = LeasedQueueWorker(
            queue: self,
            limiter: limiter,
            signal: signal,
            store: store,
            pollInterval: configuration.pollInterval
        )
        _ = await withGracefulCancellation(stopping: limiter, signal.wake) { await worker.run() }
    }

    private func record(isFault: Bool, of permit: CircuitBreaker.Permit) {
        let now = store.wallClock.now()
        switch breaker.withLock({ $0.record(isFault: isFault, of: permit, at: now) }) {
        case .opened(let length):
            logger.warning(
                "The webhook receiver's circuit breaker opened",
                metadata: ["webhook.open_for": "\(length)"]
            )
        case .closed: logger.notice("The webhook receiver's circuit breaker closed")
        case nil: break
        }
    }

    /// - Returns: whether the event will be retried.
    private func deliver(_ item: Item, until stop: WakeSignal) async -> Bool {
        let event = item.claim.event
        var logger = logger
        logger[metadataKey: "event.id"] = "\(event.id)"
        logger[metadataKey: "event.kind"] = "\(event.kind.rawValue)"
        logger[metadataKey: "event.attempt"] = "\(event.attempts)"
        let response: WebhookResult
        do {
            response = try await poster.post(item.claim, until: stop)
        } catch {
            // The type alone: the error's own words may quote the number.
            logger.error("An event cannot be signed", metadata: ["error.type": "\(type(of: error))"])
            response = .failed("it cannot be signed")
        }
        record(isFault: response.isFault, of: item.permit)
        let result = result(of: response, for: event)
        guard await settle(event, result, logger) else { return false }
        switch result {
        case .delivered: logger.info("An event was delivered")
        case .retry(let moment, let failure):
            logger.info(
                "An event will be retried",
                metadata: ["event.failure": "\(failure)", "event.next_attempt_at": "\(moment)"]
            )
            return true
        case .failed(let failure): logger.warning("An event failed", metadata: ["event.failure": "\(failure)"])
        }
        return false
    }

    private func result(of response: WebhookResult, for event: Event) -> EventResult {
        if response.isSuccess { return .delivered }
        let failure = response.failure
        if case .answered(410, _) = response { return .failed(failure) }
        let attempt = event.countedAttempts
        guard attempt < configuration.maxAttempts else { return .failed(failure) }
        // At least the half, or the last attempt would come long before the end of an outage.
        let backoff = configuration.backoff.wait(after: attempt, jitter: (1 + poster.environment.jitter()) / 2)
        let retryAfter = if case .answered(_, let wait?) = response { wait } else { Duration.zero }
        let wait = max(backoff, min(retryAfter, configuration.longestRetryAfter))
        return .retry(at: store.wallClock.now() + wait, failure: failure)
    }

    private func settle(_ event: Event, _ result: EventResult, _ logger: Logger) async -> Bool {
        do {
            let counted = try await store.duringLease(until: { event.nextAttemptAt }) {
                try await events.settle(SettleEvent(id: event.id, attempt: event.attempts, result: result))
            }
            if !counted { logger.debug("An event was claimed again or erased before its attempt ended") }
            return counted
        } catch {
            logger.error("The result of an event could not be recorded", metadata: ["error": "\(error)"])
            return false
        }
    }
}

extension WebhookDispatcher: LeasedQueue {
    struct Item: Sendable {
        let claim: EventClaim
        let permit: CircuitBreaker.Permit
    }

    func claim(upTo limit: Int) async throws -> ClaimedBatch<Item> {
        // First: it costs less than a claim, and the breaker must admit a probe only if there is an event.
        guard limit > 0, let next = try await nextDue() else { return ClaimedBatch(next: .at(nil)) }
        let now = store.wallClock.now()
        guard next <= now else { return ClaimedBatch(next: .at(next)) }
        switch breaker.withLock({ $0.admit(at: now) }) {
        case .refused(let probe): return ClaimedBatch(next: .at(probe))
        case .admitted(let permit):
            let items = try await claim(upTo: permit.isProbe ? 1 : limit, permit, at: now)
            return items.isEmpty ? ClaimedBatch(next: .at(now)) : ClaimedBatch(items: items, next: .now)
        }
    }

    private func claim(upTo limit: Int, _ permit: CircuitBreaker.Permit, at now: Timestamp) async throws -> [Item] {
        do {
            let claims = try await events.claimEvents(limit: limit, at: now, until: now + configuration.lease)
            // Its event is gone or another process's: that says nothing of the receiver.
            if claims.isEmpty { breaker.withLock { $0.release(permit, at: now) } }
            return claims.map { Item(claim: $0, permit: permit) }
        } catch {
            // Nothing else ends a probe.
            if permit.isProbe { record(isFault: true, of: permit) }
            throw error
        }
    }

    func nextDue() async throws -> Timestamp? { try await events.nextEvent() }

    func process(_ item: Item, _ limiter: ConcurrencyLimiter) async {
        // The attempt is a part of the trace that the event was queued in.
        let isRetried = await TraceParent.$current.withValue(item.claim.event.traceParent) {
            await deliver(item, until: limiter.stopped)
        }
        if limiter.release() || isRetried || item.permit.isProbe { signal.wake() }
    }

    func slotReleased() { signal.wake() }
}

/// The pace of a ``WebhookDispatcher``.
public struct WebhookConfiguration: Hashable, Sendable {
    var maxConcurrentPosts = 16
    /// The receiver's timeout: the least that Standard Webhooks recommends.
    public var timeout: Duration = .seconds(15)
    /// The attempts per event, at least 1. The standard is about two days with the waits between.
    public var maxAttempts = 20
    /// The longest wait after the first failed attempt; it doubles with every further one, and the wait is between the
    /// half and the whole of it.
    var firstRetry: Duration = .seconds(5)
    var longestRetry: Duration = Event.longestWait
    /// The limit of a receiver's `Retry-After`: it may recover long before.
    var longestRetryAfter: Duration = .seconds(3600)
    /// The longest sleep: an event that another process queued in the same store causes no wake-up.
    var pollInterval: Duration = .seconds(2)
    /// The failures in a row that open the circuit breaker: being down, silent or overloaded is one, and a 500 for an
    /// event is none.
    var breakerFailures = 5
    /// How long it stays open before one event probes the receiver; it doubles as long as that fails.
    var breakerOpenTime: Duration = .seconds(10)
    var longestBreakerOpenTime: Duration = .seconds(300)

    public init() {}

    var lease: Duration { timeout + .seconds(5) }

    var backoff: Backoff { Backoff(first: firstRetry, longest: longestRetry) }
    var storeBackoff: Backoff { Backoff(first: .seconds(1), longest: .seconds(30)) }

    var breakerLimits: CircuitBreaker.Limits {
        CircuitBreaker.Limits(
            failures: breakerFailures,
            openTimes: Backoff(first: breakerOpenTime, longest: longestBreakerOpenTime),
            probeWait: pollInterval
        )
    }
}
