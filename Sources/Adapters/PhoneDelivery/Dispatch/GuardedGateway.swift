import CoreMetrics
import Logging
import PhoneAdministration
import PhoneDomain
import PhoneNumbers
import PhoneSignup
import Synchronization
import Telemetry

/// A gateway with its circuit breaker and its metrics, shared by all messages.
final class GuardedGateway: Sendable {
    private struct State {
        var breaker: CircuitBreaker
        var requests = 0
        var accepted = 0
        var trouble: GatewayHealth.Trouble?

        mutating func record(_ response: Result<GatewayReceipt, GatewayFailure>, at now: Timestamp) {
            requests += 1
            switch response {
            case .success:
                accepted += 1
                trouble = nil
            // About the number, and not the gateway.
            case .failure(let failure) where failure.kind == .refused: break
            case .failure(let failure):
                trouble = trouble ?? GatewayHealth.Trouble(since: now)
                trouble?.record(failure.text, isFault: failure.isFault, at: now)
            }
        }
    }

    let gateway: any MessageGateway
    /// The microseconds between two messages of each sender; empty where nothing limits them.
    let intervals: [Int64]
    private let state: Mutex<State>
    private let requests: [String: Counter]
    private let durations: Timer
    private let circuit: Meter
    private let logger: Logger

    init(_ gateway: any MessageGateway, limits: CircuitBreaker.Limits, _ environment: DeliveryEnvironment) {
        self.gateway = gateway
        intervals = gateway.messagesPerSecond.map { Int64((1_000_000 / $0).rounded(.up)) }
        state = Mutex(State(breaker: CircuitBreaker(limits: limits)))
        var logger = environment.logger
        logger[metadataKey: "gateway.name"] = "\(gateway.name)"
        self.logger = logger
        let (factory, name) = (environment.metrics, ("gateway", gateway.name))
        durations = Timer(label: "phoneproof_gateway_request_duration_seconds", dimensions: [name], factory: factory)
        circuit = Meter(label: "phoneproof_gateway_circuit_open", dimensions: [name], factory: factory)
        circuit.set(0)
        let outcomes = ["accepted"] + GatewayFailure.Kind.allCases.map(\.rawValue)
        requests = factory.counters("phoneproof_gateway_requests_total", of: gateway.name, outcomes)
    }

    func admit(at now: Timestamp) -> CircuitBreaker.Admission {
        let admission = state.withLock { $0.breaker.admit(at: now) }
        if case .admitted(let permit) = admission, permit.isProbe {
            logger.notice("A gateway is probed with one message")
        }
        return admission
    }

    /// The turn of a message to this number at one of the gateway's senders.
    ///
    /// - Parameter end: a turn at this time or later is none.
    func turn(
        _ purpose: TakeTurn.Purpose,
        to number: PhoneNumber,
        in outbox: any OutboxStore,
        at now: Timestamp,
        before end: Timestamp
    ) async throws -> TakeTurn.Turn {
        guard !intervals.isEmpty else { return .now(sender: 0) }
        // The sender of a number, the same in every process, as `Hasher` is not (FNV-1a).
        let hash = number.e164.utf8.reduce(2_166_136_261 as UInt32) { ($0 ^ UInt32($1)) &* 16_777_619 }
        let own = Int(hash) % intervals.count
        // While it is down a message tries it now and then; what is refused meanwhile must use up no turns.
        if case .send = purpose, state.withLock({ $0.breaker.shownState != .closed }) { return .now(sender: own) }
        // A vendor that knows the message's ID refuses a repetition that differs, and one that does not gets none.
        let order = gateway.isIdempotent ? [own] : intervals.indices.map { (own + $0) % intervals.count }
        return try await outbox.take(
            TakeTurn(purpose, gateway: gateway.name, intervals: intervals, order: order, before: end, now: now)
        )
    }

    var health: GatewayHealth {
        state.withLock {
            GatewayHealth(
                breaker: $0.breaker.shownState,
                nextTry: $0.breaker.nextTry,
                requests: $0.requests,
                accepted: $0.accepted,
                reportsDelivery: gateway.reportsDelivery,
                trouble: $0.trouble
            )
        }
    }

    /// Asks it to send a message, and measures that.
    ///
    /// - Parameter timeout: of a gateway that is not immediate.
    func send(
        _ message: GatewayMessage,
        timeout: Duration,
        on clock: any Clock<Duration>
    ) async -> Result<GatewayReceipt, GatewayFailure> {
        var response: Result<GatewayReceipt, GatewayFailure>
        let duration: Duration
        if gateway.isImmediate {
            let start = ContinuousClock.now
            response = await gateway.response(to: message)
            duration = .now - start
        } else {
            response = .failure(.ambiguous("no response in time"))
            duration = await clock.measure {
                response = await withOwnLimit({ try await clock.sleep(for: timeout) }) { [gateway] in
                    await gateway.response(to: message)
                }
            }
        }
        let outcome = if case .failure(let failure) = response { failure.kind.rawValue } else { "accepted" }
        requests[outcome]?.increment()
        durations.record(duration)
        return response
    }

    func record(
        _ response: Result<GatewayReceipt, GatewayFailure>,
        of permit: CircuitBreaker.Permit,
        at now: Timestamp
    ) {
        // A clear response about this message is none of the gateway's faults, even a refusal: a country that is not
        // served is no reason to delay the other messages.
        let isFault = if case .failure(let failure) = response { failure.isFault } else { false }
        let change = state.withLock { state in
            state.record(response, at: now)
            let change = state.breaker.record(isFault: isFault, of: permit, at: now)
            // Under the lock, so that of two simultaneous changes the later one is shown.
            if let change { circuit.set(change == .closed ? 0 : 1) }
            return change
        }
        log(change)
    }

    /// An operator's message was accepted: the gateway works.
    func recordAcceptedTest() {
        let change = state.withLock { state in
            state.trouble = nil
            let change = state.breaker.close()
            if change != nil { circuit.set(0) }
            return change
        }
        log(change)
    }

    private func log(_ change: CircuitBreaker.Change?) {
        switch change {
        case .opened(let length):
            logger.warning("A gateway's circuit breaker opened", metadata: ["gateway.open_for": "\(length)"])
        case .closed: logger.notice("A gateway's circuit breaker closed")
        case nil: break
        }
    }
}

extension MessageGateway {
    fileprivate func response(to message: GatewayMessage) async -> Result<GatewayReceipt, GatewayFailure> {
        do throws(GatewayFailure) { return .success(try await send(message)) } catch { return .failure(error) }
    }
}
