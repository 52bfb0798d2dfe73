public import Logging
public import PhoneDomain
import Synchronization

/// Tells the events that a store keeps to one endpoint.
///
/// An event is claimed for the length of a lease, posted, and settled. Several dispatchers, of one program or of many, may
/// work on one store. Each event is told at least once; more than once where an answer was lost, or a program ended between
/// the answer and its own record of it, and then under the same name. They come in no promised order.
///
/// While the receiver is down nothing is claimed but one event now and then to find out (``CircuitBreaker``): so a backlog
/// loses no attempts to an outage, and costs the store nothing.
public final class WebhookDispatcher: Sendable {
    private let store: any EventStore
    private let poster: WebhookPoster
    private let configuration: WebhookConfiguration
    private let jitter: @Sendable () -> Double
    private let logger: Logger
    private let storeHealth: StoreHealth
    private let signal: WakeSignal
    private let breaker: Mutex<CircuitBreaker>

    /// When the store says that an event is due which it does not hand out, do not ask it without pause.
    private static let shortestSleep: Duration = .milliseconds(10)

    /// A dispatcher that does nothing yet.
    ///
    /// - Parameters:
    ///   - store: where the events are. Its errors are logged, so they must not quote what it holds.
    ///   - poster: posts them.
    ///   - configuration: the pace.
    ///   - signal: wakes it; woken by whoever announces.
    ///   - jitter: a random number of 0 to 1 for each wait.
    ///   - logger: gets no code and no number.
    public init(
        store: any EventStore,
        poster: WebhookPoster,
        configuration: WebhookConfiguration = WebhookConfiguration(),
        signal: WakeSignal,
        jitter: @escaping @Sendable () -> Double = { .random(in: 0...1) },
        logger: Logger
    ) {
        self.store = store
        self.poster = poster
        self.configuration = configuration
        self.signal = signal
        self.jitter = jitter
        self.logger = logger
        storeHealth = StoreHealth(of: "events", logger: logger)
        breaker = Mutex(CircuitBreaker(limits: configuration.breakerLimits))
    }

    /// Tells what is due, whenever it is due, until the task is cancelled.
    ///
    /// No error ends it. When it is cancelled it takes no more events, lets the receiver answer about those on their way for
    /// half a second, records what it said, and returns. What it did not say by then is told again.
    public func run() async {
        let shift = Shift(limit: configuration.maxConcurrentPosts)
        let stop = WakeSignal()
        await withTaskCancellationHandler {
            // In a task that the cancellation does not reach, so that no request and no record is cut off.
            await Task { await work(shift, until: stop) }.value
        } onCancel: {
            shift.end()
            stop.wake()
            signal.wake()
        }
    }

    private func work(_ shift: Shift, until stop: WakeSignal) async {
        await withDiscardingTaskGroup { posts in
            var failures = 0
            while true {
                let seen = signal.count
                if shift.isEnding { return }
                let sleep: Duration
                do {
                    sleep = try await tellWhatIsDue(shift, until: stop, in: &posts)
                    storeHealth.recordSuccess()
                    failures = 0
                } catch {
                    storeHealth.record(error)
                    failures += 1
                    sleep = configuration.storeBackOff.wait(after: failures)
                }
                await signal.wait(beyond: seen, atMost: sleep, on: poster.clock)
            }
        }
    }

    /// - Returns: how long there is nothing to do.
    private func tellWhatIsDue(
        _ shift: Shift,
        until stop: WakeSignal,
        in posts: inout DiscardingTaskGroup
    ) async throws -> Duration {
        while true {
            let room = shift.room
            // Asked first: it costs less than a claim, and the breaker lets one through only if there is one.
            guard room > 0, let next = try await store.nextEvent() else { return configuration.pollInterval }
            let now = poster.wallClock.now()
            guard next <= now else { return sleep(until: next, from: now) }
            let pass: CircuitBreaker.Pass
            switch breaker.withLock({ $0.admit(at: now) }) {
            case .refused(let probe): return sleep(until: probe, from: now)
            case .admitted(let admitted): pass = admitted
            }
            let claims = try await claim(upTo: pass.isProbe ? 1 : room, pass, at: now)
            shift.begin(claims.count)
            for claim in claims {
                posts.addTask {
                    // As a part of the trace that it came to be in.
                    let isDueAnew = await TraceParent.$current.withValue(claim.event.traceParent) {
                        await self.tell(claim, pass, until: stop)
                    }
                    if shift.finish() || isDueAnew || pass.isProbe { self.signal.wake() }
                }
            }
            if claims.isEmpty { return Self.shortestSleep }
        }
    }

    private func sleep(until moment: Timestamp, from now: Timestamp) -> Duration {
        min(max(moment - now, Self.shortestSleep), configuration.pollInterval)
    }

    private func claim(upTo limit: Int, _ pass: CircuitBreaker.Pass, at now: Timestamp) async throws -> [EventClaim] {
        do {
            let claims = try await store.claimEvents(limit: limit, at: now, until: now + configuration.lease)
            if claims.isEmpty, pass.isProbe { record(isFault: false, of: pass) }
            return claims
        } catch {
            // Nothing was found out, and nothing else ends a probe.
            if pass.isProbe { record(isFault: true, of: pass) }
            throw error
        }
    }

    private func record(isFault: Bool, of pass: CircuitBreaker.Pass) {
        let now = poster.wallClock.now()
        switch breaker.withLock({ $0.record(isFault: isFault, of: pass, at: now) }) {
        case .opened(let length):
            logger.warning(
                "The receiver of events fails and is left alone",
                metadata: ["webhook.open_for": "\(length)"]
            )
        case .closed: logger.notice("The receiver takes events again")
        case nil: break
        }
    }

    /// - Returns: whether the event may be due again before what the loop sleeps for.
    private func tell(_ claim: EventClaim, _ pass: CircuitBreaker.Pass, until stop: WakeSignal) async -> Bool {
        var logger = logger
        logger[metadataKey: "event.id"] = "\(claim.event.id)"
        logger[metadataKey: "event.kind"] = "\(claim.event.kind.rawValue)"
        logger[metadataKey: "event.attempt"] = "\(claim.event.attempts)"
        let answer: WebhookAnswer
        do {
            answer = try await poster.post(claim, until: stop)
        } catch {
            // The type alone: whoever failed here had the number in hand.
            logger.error("What is told cannot be signed", metadata: ["error.type": "\(type(of: error))"])
            answer = .failed("it cannot be signed")
        }
        record(isFault: answer.isFault, of: pass)
        let result = result(of: answer, for: claim.event)
        guard await settle(claim, result, logger: logger) else { return false }
        log(result, logger)
        if case .retry = result { return true }
        return false
    }

    private func result(of answer: WebhookAnswer, for event: Event) -> EventResult {
        if answer.isSuccess { return .delivered }
        let failure = answer.failure
        if case .answered(410, _) = answer { return .failed(failure) }
        let attempt = event.countedAttempts
        guard attempt < configuration.maxAttempts else { return .failed(failure) }
        // Never much less than the whole, or the last attempt would come long before the end of an outage.
        let ownWait = configuration.backOff.wait(after: attempt, jitter: (1 + jitter()) / 2)
        let askedFor = if case .answered(_, let wait?) = answer { wait } else { Duration.zero }
        let wait = max(ownWait, min(askedFor, configuration.longestRetryAfter))
        return .retry(at: poster.wallClock.now() + wait, failure: failure)
    }

    /// Records the result. As long as nobody else can claim the event, a store that fails is asked again, so that an event
    /// is told once even then.
    ///
    /// - Returns: whether it is on record.
    private func settle(_ claim: EventClaim, _ result: EventResult, logger: Logger) async -> Bool {
        var failures = 0
        while true {
            do {
                let counted = try await store.settle(
                    SettleEvent(id: claim.event.id, attempt: claim.event.attempts, result: result)
                )
                storeHealth.recordSuccess()
                if !counted { logger.debug("An event was claimed anew or erased before its attempt ended") }
                return counted
            } catch {
                storeHealth.record(error)
                failures += 1
                let wait = configuration.storeBackOff.wait(after: failures)
                guard poster.wallClock.now() + wait < claim.event.nextAttemptAt else {
                    logger.error("What came of an event could not be recorded", metadata: ["error": "\(error)"])
                    return false
                }
                try? await poster.clock.sleep(for: wait)
            }
        }
    }

    private func log(_ result: EventResult, _ logger: Logger) {
        switch result {
        case .delivered: logger.info("An event was told")
        case .retry(let moment, let failure):
            logger.info(
                "An event will be told again",
                metadata: ["event.failure": "\(failure)", "event.next_attempt_at": "\(moment)"]
            )
        case .failed(let failure): logger.warning("An event was set aside", metadata: ["event.failure": "\(failure)"])
        }
    }
}
