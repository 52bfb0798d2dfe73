import CoreMetrics
import Logging
public import PhoneDomain
import PhoneSignup
import Synchronization

/// Reports to vendors that the code of a message was entered, which their routes and their filters learn from.
///
/// An approval announces it (``Event/Kind/messageFeedback``) while a gateway wants to know. Here it is claimed for the
/// length of a lease, reported, and deleted. What fails is tried again for six hours, and given up with a warning:
/// nothing depends on it. A report is repeated only where its response was lost, or a process crashed before it was
/// recorded, which changes nothing at the vendors.
public final class FeedbackReporter: Sendable {
    private static let pollInterval: Duration = .seconds(2)
    private static let mostAtOnce = 64
    private static let timeout: Duration = .seconds(10)
    private static let lease: Duration = .seconds(30)
    private static let backoff = Backoff(first: .seconds(5), longest: .seconds(3600))
    /// No vendor learns from what was later; Amazon takes a message without feedback for lost after an hour.
    private static let longestAge: Duration = .seconds(6 * 3600)

    private let events: any EventStore
    private let gateways: [String: any MessageGateway]
    private let vault: any CodeVault
    private let retry: StoreRetry
    private let signal: WakeSignal
    private let environment: DeliveryEnvironment
    private let counters: [String: [String: Counter]]
    /// Until when gateways that did not respond, or could not be reached, are not asked, so that others need not wait
    /// for them.
    private let silent = Mutex<[String: Timestamp]>([:])

    /// - Parameters:
    ///   - store: its errors are logged, so they must not quote what it contains.
    ///   - signal: woken when an event was queued.
    public init(
        store: any EventStore,
        gateways: [any MessageGateway],
        vault: any CodeVault,
        signal: WakeSignal,
        environment: DeliveryEnvironment
    ) {
        (events, self.vault, self.signal, self.environment) = (store, vault, signal, environment)
        self.gateways = Dictionary(gateways.map { ($0.name, $0) }) { first, _ in first }
        retry = StoreRetry(
            health: StoreHealth(of: "feedback", logger: environment.logger),
            backoff: Backoff(first: .seconds(1), longest: .seconds(30)),
            wallClock: environment.wallClock,
            clock: environment.clock
        )
        let notified = self.gateways.values.filter { $0.channels.contains(where: $0.takesFeedback) }.map(\.name)
        counters = environment.metrics.counters(
            "phoneproof_gateway_feedback_total",
            of: notified,
            ["accepted", "retried", "failed"]
        )
    }

    /// Reports what is due until the task is cancelled. No error ends it.
    public func run() async {
        await retry.poll(signal, atMost: Self.pollInterval, until: { Task.isCancelled }, reportDue)
    }

    /// - Returns: when the next is due; nil if none is before it is woken.
    func reportDue() async throws -> Timestamp? {
        while !Task.isCancelled {
            let now = retry.wallClock.now()
            // First, since it costs less than a claim.
            guard let next = try await events.nextEvent(for: .gateways), next <= now else { break }
            let limit = Self.mostAtOnce
            let claims = try await events.claimEvents(for: .gateways, limit: limit, at: now, until: now + Self.lease)
            await withDiscardingTaskGroup { tasks in
                for claim in claims { tasks.addTask { await self.report(claim) } }
            }
        }
        return try await events.nextEvent(for: .gateways)
    }

    private func report(_ claim: EventClaim) async {
        let (result, answer) = await TraceParent.$current.withValue(claim.event.traceParent) {
            await self.result(of: claim)
        }
        let command = SettleEvent(id: claim.event.id, attempt: claim.event.attempts, result: result)
        // What cannot be recorded is reported again when the lease ends.
        _ = try? await retry.attempt { try await events.settle(command, answer) }
    }

    /// - Returns: ``EventResult/delivered`` also for what is not to be reported any more, and the gateway's answer.
    private func result(of claim: EventClaim) async -> (EventResult, RecordFeedback?) {
        let (event, clock, vault) = (claim.event, environment.clock, vault)
        guard case .message(let message, let verification) = claim.content,
            retry.wallClock.now() - event.occurredAt < Self.longestAge
        else { return (.delivered, nil) }
        // The code arrived before the gateway's answer did.
        if message.status == .queued { return (retry(event, "the message is on its way") ?? .delivered, nil) }
        guard let gateway = message.gateway.flatMap({ gateways[$0] }), gateway.takesFeedback(by: message.channel),
            let id = message.pollingID ?? message.gatewayMessageID,
            message.pollingID != nil || GatewayMessageID(id).isPlain
        else { return (.delivered, nil) }
        if let end = silent.withLock({ $0[gateway.name] }), retry.wallClock.now() < end {
            return (retry(event, "the gateway does not respond") ?? .delivered, nil)
        }
        let entry = CodeEntry(messageID: id, moment: event.occurredAt) {
            try? vault.open(verification.code, for: verification.codeContext)
        }
        let failure: GatewayFailure
        do throws(GatewayFailure) {
            let answer: Void? = try await withTimeout(Self.timeout, on: clock) { () async throws(GatewayFailure) in
                try await gateway.report(entry)
            }
            if answer != nil {
                counters[gateway.name]?["accepted"]?.increment()
                silent.withLock { $0[gateway.name] = nil }
                return (.delivered, RecordFeedback(OutboxMessage.acceptedFeedback, of: message.id))
            }
            failure = .retry("no response in time")
        } catch {
            failure = error
        }
        if failure.kind == .retry, failure.isFault, failure.code == nil {
            silent.withLock { $0[gateway.name] = retry.wallClock.now() + Self.lease }
        }
        let mayPass = failure.kind == .retry || failure.kind == .ambiguous
        let result = mayPass ? retry(event, failure.text, after: failure.retryAfter ?? .zero) : nil
        counters[gateway.name]?[result == nil ? "failed" : "retried"]?.increment()
        environment.logger.log(
            level: result == nil ? .warning : .info,
            result == nil
                ? "A gateway was not notified that a code was entered" : "A gateway's feedback will be reported again",
            metadata: [
                "message.id": "\(message.id)", "gateway.name": "\(gateway.name)", "failure.reason": "\(failure.text)",
            ]
        )
        return (result ?? .delivered, RecordFeedback(failure.text, of: message.id))
    }

    /// Nil once it is too late.
    private func retry(_ event: Event, _ failure: String, after wait: Duration = .zero) -> EventResult? {
        let backoff = Self.backoff.wait(after: event.attempts, jitter: (1 + environment.jitter()) / 2)
        let moment = retry.wallClock.now() + max(backoff, wait)
        return moment - event.occurredAt < Self.longestAge ? .retry(at: moment, failure: failure) : nil
    }
}
