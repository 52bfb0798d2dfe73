import Logging
public import PhoneAdministration
public import PhoneDomain
import PhoneSignup
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
    private struct Receiver {
        var breaker: CircuitBreaker
        /// Since when it takes no event, how it failed last, and how many times in a row; nil once it took one.
        var failing: (since: Timestamp, failure: String, count: Int)?
    }

    private let receiver: Mutex<Receiver>
    /// How many events are being posted.
    private let running = Atomic(0)

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
        receiver = Mutex(Receiver(breaker: CircuitBreaker(limits: configuration.breakerLimits)))
    }

    private var logger: Logger { poster.environment.logger }

    /// That the receiver is down, or answers every event as if that were wrong; nil while neither is known.
    ///
    /// - Parameter address: the receiver's, for operators.
    public func finding(of address: String) -> Finding? {
        receiver.withLock { receiver in
            let (text, advice): (String, String)
            if receiver.breaker.shownState != .closed {
                text = receiver.failing.map { "the receiver is down: \($0.failure)" } ?? "the receiver is down"
                let next = receiver.breaker.nextTry.map {
                    "the next try is after \($0.description.dropFirst(11).prefix(8)) UTC, and they follow when it succeeds"
                }
                advice = "events wait; " + (next ?? "one of them is trying it")
            } else if let failing = receiver.failing, failing.count >= configuration.breakerFailures {
                text = "the receiver takes no event: \(failing.failure), \(failing.count) in a row"
                advice = "events wait, and each is tried again"
            } else {
                return nil
            }
            return Finding(
                "webhooks",
                .failed,
                text,
                kind: .webhooksDown,
                advice: "\(advice); see the receiver at \(address)",
                since: receiver.failing?.since
            )
        }
    }

    /// Delivers what is due, whenever it is due, until the task is cancelled.
    ///
    /// No error ends it. When it is cancelled it claims nothing more, waits half a second for responses to running
    /// requests, records them, and returns. Other events are delivered again.
    public func run() async {
        let stop = WakeSignal()
        await withGracefulCancellation { [signal] in
            stop.wake()
            signal.wake()
        } _: {
            await withDiscardingTaskGroup { tasks in
                let interval = self.configuration.pollInterval
                await self.store.poll(self.signal, atMost: interval, until: { stop.count > 0 }) {
                    try await self.startDue(in: &tasks, until: stop)
                }
            }
        }
    }

    /// Claims and posts what is due, as far as there are slots.
    ///
    /// - Returns: when the next event is due; nil if none is before it is woken.
    private func startDue(in tasks: inout DiscardingTaskGroup, until stop: WakeSignal) async throws -> Timestamp? {
        while stop.count == 0 {
            let free = configuration.maxConcurrentPosts - running.load(ordering: .sequentiallyConsistent)
            // First: it costs less than a claim, and the breaker must admit a probe only if there is an event.
            guard free > 0, let next = try await events.nextEvent() else { return nil }
            let now = store.wallClock.now()
            guard next <= now else { return next }
            switch receiver.withLock({ $0.breaker.admit(at: now) }) {
            case .refused(let probe): return probe
            case .admitted(let permit):
                let claims = try await claim(upTo: permit.isProbe ? 1 : free, permit, at: now)
                if claims.isEmpty { return now }
                running.add(claims.count, ordering: .sequentiallyConsistent)
                for claim in claims { tasks.addTask { await self.post(claim, permit, until: stop) } }
            }
        }
        return nil
    }

    private func claim(
        upTo limit: Int,
        _ permit: CircuitBreaker.Permit,
        at now: Timestamp
    ) async throws -> [EventClaim] {
        do {
            let claims = try await events.claimEvents(limit: limit, at: now, until: now + configuration.lease)
            // Its event is gone or another process's: that says nothing of the receiver.
            if claims.isEmpty { receiver.withLock { $0.breaker.release(permit, at: now) } }
            return claims
        } catch {
            // Nothing else ends a probe.
            if permit.isProbe { record("the events cannot be read", isFault: true, of: permit) }
            throw error
        }
    }

    private func post(_ claim: EventClaim, _ permit: CircuitBreaker.Permit, until stop: WakeSignal) async {
        // The attempt is a part of the trace that the event was queued in.
        let isRetried = await TraceParent.$current.withValue(claim.event.traceParent) {
            await deliver(claim, permit, until: stop)
        }
        let before = running.subtract(1, ordering: .sequentiallyConsistent).oldValue
        if before == configuration.maxConcurrentPosts || isRetried || permit.isProbe { signal.wake() }
    }

    /// - Parameters:
    ///   - failure: why the event was not taken; nil if it was.
    ///   - isFault: whether the receiver is to blame.
    private func record(_ failure: String?, isFault: Bool, of permit: CircuitBreaker.Permit) {
        let now = store.wallClock.now()
        let change = receiver.withLock { receiver in
            let before = receiver.failing
            receiver.failing = failure.map { (before?.since ?? now, $0, (before?.count ?? 0) + 1) }
            return receiver.breaker.record(isFault: isFault, of: permit, at: now)
        }
        switch change {
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
    private func deliver(_ claim: EventClaim, _ permit: CircuitBreaker.Permit, until stop: WakeSignal) async -> Bool {
        let event = claim.event
        var logger = logger
        logger[metadataKey: "event.id"] = "\(event.id)"
        logger[metadataKey: "event.kind"] = "\(event.kind.rawValue)"
        logger[metadataKey: "event.attempt"] = "\(event.attempts)"
        let response: WebhookResult
        do {
            response = try await poster.post(claim, until: stop)
        } catch {
            // The type alone: the error's own words may quote the number.
            logger.error("An event cannot be signed", metadata: ["error.type": "\(type(of: error))"])
            response = .failed("it cannot be signed")
        }
        record(response.isSuccess ? nil : response.failure, isFault: response.isFault, of: permit)
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
        let command = SettleEvent(id: event.id, attempt: event.attempts, result: result)
        for failures in 1... {
            do {
                let counted = try await store.attempt { try await events.settle(command) }
                if !counted { logger.debug("An event was claimed again or erased before its attempt ended") }
                return counted
            } catch {
                if await store.waits(after: failures, until: event.nextAttemptAt) { continue }
                logger.error("The result of an event could not be recorded", metadata: ["error": "\(error)"])
                return false
            }
        }
        return false
    }
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
