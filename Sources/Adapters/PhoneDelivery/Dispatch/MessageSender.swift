import Logging
import PhoneAdministration
import PhoneDomain
import PhoneNumbers
import PhoneSignup
import Telemetry
import Tracing

/// Sends a claimed message by the first gateway that accepts it.
///
/// | a gateway's response | what follows |
/// |---|---|
/// | receipt | sent |
/// | refused | no other gateway of this channel is asked |
/// | ambiguous | a retry at this gateway alone if it is idempotent, else unknown |
/// | retry, failover | the next gateway is asked |
///
/// When all have been asked: a retry if one of them allows it, else failed. The wait before it is the longer of the
/// backoff and the shortest time that a gateway asked for; if the message is not worth sending by then, failed.
///
/// Once an idempotent gateway did not respond, only that gateway is asked until it accepts or refuses the message; when
/// the code has expired or the attempts are used up, the message is unknown.
///
/// A gateway with an open circuit breaker is skipped, and counts as a retry when the breaker admits a probe; so is one
/// that an operator has paused. With no gateway to ask, the message is postponed until then and loses no attempt.
///
/// At a gateway whose senders have rates it waits in line until its turn (`SenderQueue`), and is then offered to that
/// gateway first. One that would wait for longer than ``longestTurn`` goes to the next gateway, if there is one, and
/// else as late as the code's life allows.
///
/// A message that was claimed too often is not sent: it may be what crashed the process each time.
///
/// An unknown message is sent by no other gateway and not later: that could deliver it twice, and a person who waits in
/// vain can ask for the code again.
///
/// Every attempt has the same text, since a vendor with an idempotency key refuses one that differs. So the text
/// depends on nothing that changes between attempts, such as the time.
struct MessageSender: Sendable {
    var composer: MessageComposer
    /// Every gateway, by its name.
    let gateways: [String: GuardedGateway]
    /// Whether senders of any of them have rates. Where none has, nothing is done about turns.
    let hasRates: Bool
    var routes: Routes
    let odds: OddsInForce
    let outbox: any OutboxStore
    let overrides: OverridesInForce
    var configuration: DispatcherConfiguration
    let authenticator: any RequestAuthenticator
    let environment: DeliveryEnvironment
    /// Call when another message may be due sooner.
    let wake: @Sendable () -> Void

    private var wallClock: any WallClock { environment.wallClock }

    /// Call with the result of a message where senders have rates: one that needs no turn any more makes nobody wait.
    func leaveLine(_ claim: OutboxClaim, _ result: DeliveryResult) async {
        guard let gateway = gateways.values.first(where: { isWaiting(claim, at: $0) }), let number = claim.recipient
        else { return }
        switch result {
        case .retry, .postponed, .waiting, .sent(gateway.gateway.name, _, _, _, _, _, _): return
        case .sent, .unknown, .failed, .dropped, .withheld: break
        }
        // If that fails, the next in line has its own time.
        _ = try? await gateway.turn(.leave(claim), to: number, in: outbox, at: wallClock.now(), before: claim.end)
        wake()
    }

    private func isWaiting(_ claim: OutboxClaim, at gateway: GuardedGateway) -> Bool {
        !gateway.intervals.isEmpty && claim.message.failure == TakeTurn.reason(at: gateway.gateway.name)
    }

    func send(_ claim: OutboxClaim, _ log: MessageLog) async -> DeliveryResult {
        let now = wallClock.now()
        guard claim.isDeliverable(at: now), let recipient = claim.recipient else { return expired(claim) }
        // Another code has replaced the one that it was queued with, and has a message of its own.
        if claim.verification.hasCustomCode, claim.isSuperseded { return expired(claim) }
        // The code of a test number needs no message, so one for such a number can only be a notice.
        if claim.message.isNotice, configuration.testNumbers.contains(recipient, at: now) { return .dropped }
        guard claim.message.countedAttempts <= configuration.maxAttempts else {
            return failed("too many attempts", claim)
        }
        var message: GatewayMessage
        do throws(MessageComposer.Problem) {
            message = try composer.compose(claim, to: recipient, log)
        } catch {
            return failed(error.rawValue, claim)
        }
        // Not before: it takes as much work, or the time of concurrent requests would reveal it.
        if claim.message.isWithheld { return await withhold(claim, from: recipient) }
        var waits: [Duration] = []
        // What each gateway answered, and why others were not asked, as it is stored with the message.
        var (answers, hindrances): ([String], [String]) = ([], [])
        var route = await gateways(for: claim, to: recipient)
        // Those before it did not take the message, and may take their time to refuse it once more.
        if hasRates, let index = route.firstIndex(where: { isWaiting(claim, at: $0) }) {
            route.insert(route.remove(at: index), at: 0)
        }
        for (index, gateway) in route.enumerated() {
            let moment = wallClock.now()
            guard claim.isDeliverable(at: moment) else { return expired(claim) }
            // An attempt must end within the lease.
            guard wallClock.now() + configuration.sendTimeout <= claim.leaseEnd else {
                waits.append(.zero)
                break
            }
            let name = gateway.gateway.name
            if overrides.current.pausedGateways[name] != nil {
                waits.append(Self.pauseWait)
                hindrances.append("\(name): paused by an operator")
                continue
            }
            let isLast = index == route.count - 1
            let end = isLast ? claim.end : min(claim.end, moment + Self.longestTurn)
            if !gateway.intervals.isEmpty {
                // The code was asked for again: one message has it, in the same place.
                if claim.isSuperseded { return expired(claim) }
                switch try? await gateway.turn(.send(claim), to: recipient, in: outbox, at: moment, before: end) {
                case .now(let sender):
                    message.sender = sender
                    wake()
                case .later(let turn): return .waiting(until: turn)
                case .never:
                    waits.append(Self.longestTurn)
                    hindrances.append("\(name): its senders are busy for too long")
                    continue
                case nil:
                    waits.append(.seconds(1))
                    hindrances.append("\(name): the store gave no turn")
                    continue
                }
            }
            let permit: CircuitBreaker.Permit
            switch gateway.admit(at: moment) {
            case .admitted(let admitted): permit = admitted
            case .refused(let probe):
                waits.append(probe - moment)
                let cause = gateway.health.trouble?.causes.last.map { ", \($0.failure)" } ?? ""
                hindrances.append("\(name): not asked, since it is down\(cause)")
                continue
            }
            let response = await send(message, by: gateway, log)
            gateway.record(response, of: permit, at: wallClock.now())
            switch response {
            case .success(let receipt):
                let id = GatewayMessageID(receipt.messageID)
                let known = try? id.name(for: recipient, authenticator)
                let isAsked = gateway.gateway.receiptsPerRequest != nil && known != id.text
                if isAsked, !id.isStorable {
                    log.log(.warning, "A gateway's message ID is too long to ask for a receipt by")
                }
                return .sent(
                    gateway: name,
                    gatewayMessageID: known,
                    outcome: receipt.outcome,
                    awaitsReceipt: gateway.gateway.reportsDelivery && (!isAsked || id.isStorable),
                    cost: routes.prices.price(of: name, to: recipient, by: message.channel),
                    pollingID: isAsked && id.isStorable ? id.text : nil,
                    refusals: answers.isEmpty && hindrances.isEmpty
                        ? nil : (answers + hindrances).joined(separator: "; ")
                )
            case .failure(let failure):
                answers.append("\(name): \(failure.text)")
                let isKnown = gateway.gateway.isIdempotent && claim.message.attempts > 1 && failure.meansDuplicateKey
                if isKnown, failure.code == 422 { return .unknown(gateway: name, failure: failure.text) }
                switch isKnown ? .ambiguous : failure.kind {
                // Elsewhere too, by this channel.
                case .refused: return .failed(answers.joined(separator: "; "), gateway: name)
                case .ambiguous where gateway.gateway.isIdempotent:
                    return result(for: claim, shortestWait: .zero, [failure.text], [], mayBeAt: name)
                case .ambiguous: return .unknown(gateway: name, failure: failure.text)
                case .retry: waits.append(failure.retryAfter ?? .zero)
                // That it does not accept the message now does not mean that it did not before.
                case .failover where claim.message.gateway != nil: waits.append(.zero)
                case .failover: break
                }
            }
        }
        return result(for: claim, shortestWait: waits.min(), answers, hindrances, mayBeAt: claim.message.gateway)
    }

    /// A message that is withheld waits for as long as another would, or its verification would show that it is.
    private func withhold(_ claim: OutboxClaim, from number: PhoneNumber) async -> DeliveryResult {
        guard hasRates, claim.message.attempts == 1,
            let gateway = await gateways(for: claim, to: number).first,
            case .later(let turn) = try? await gateway.turn(
                .ask,
                to: number,
                in: outbox,
                at: wallClock.now(),
                before: claim.end
            )
        else { return .withheld }
        return .postponed(until: turn, failure: TakeTurn.reason(at: gateway.gateway.name))
    }

    /// The gateways of the route; once one may have the message, that one alone, whatever the routes are by now.
    private func gateways(for claim: OutboxClaim, to recipient: PhoneNumber) async -> [GuardedGateway] {
        let message = claim.message
        let purpose: Routes.Purpose = message.isNotice ? .notices : .codes(by: message.channel)
        var names = message.gateway.map { [$0] } ?? routes.gateways(to: recipient, for: purpose)
        if routes.learns, names.count > 1, !message.isNotice {
            names = odds.order(names, to: recipient, by: message.channel, for: message.id)
            // A code that is asked for again did not come, or came too late, by the last one. Without an answer of the
            // store it goes as any other.
            if message.createdAt > claim.verification.createdAt,
                let used = try? await outbox.gatewaysUsed(by: claim.verification.id)
            {
                let reversed = Array(used.reversed())
                let last = names.map { name in reversed.lastIndex(of: name) ?? -1 }
                names = names.indices.sorted { (last[$0], $0) < (last[$1], $1) }.map { names[$0] }
            }
        }
        return names.compactMap { gateways[$0] }
    }

    /// How long a message waits for a paused gateway before it is looked at again: each look costs a write.
    private static let pauseWait: Duration = .seconds(5)

    /// How long a message waits for its turn at a gateway while others are left: the time after which a person may ask
    /// for the code again.
    private static let longestTurn: Duration = .seconds(30)

    private func expired(_ claim: OutboxClaim) -> DeliveryResult {
        claim.message.gateway.map { .unknown(gateway: $0, failure: claim.message.failure ?? "no answer") } ?? .dropped
    }

    private func failed(_ reason: String, _ claim: OutboxClaim, mayBeAt gateway: String? = nil) -> DeliveryResult {
        if let gateway = gateway ?? claim.message.gateway { return .unknown(gateway: gateway, failure: reason) }
        return .failed(reason)
    }

    /// The result when no gateway accepted the message or refused it.
    ///
    /// - Parameters:
    ///   - shortestWait: how soon a gateway may accept it; nil if none will.
    ///   - answers: what the gateways answered that were asked.
    ///   - hindrances: why others were not asked.
    private func result(
        for claim: OutboxClaim,
        shortestWait: Duration?,
        _ answers: [String],
        _ hindrances: [String],
        mayBeAt gateway: String?
    ) -> DeliveryResult {
        let failure = (answers + hindrances).joined(separator: "; ")
        guard let shortestWait else {
            return failed(failure.isEmpty ? "no gateway accepted it" : failure, claim, mayBeAt: gateway)
        }
        let now = wallClock.now()
        let remaining = claim.end - now
        guard !answers.isEmpty else {
            let wait = max(shortestWait, .zero)
            return wait < remaining
                ? .postponed(until: now + wait, failure: failure.isEmpty ? nil : failure)
                : failed(failure.isEmpty ? "no gateway can be reached" : failure, claim)
        }
        let attempt = claim.message.countedAttempts
        let backoff = claim.message.isNotice ? configuration.noticeBackoff : configuration.backoff
        let wait = max(shortestWait, backoff.wait(after: attempt, jitter: environment.jitter()))
        guard attempt < configuration.maxAttempts, wait < remaining else {
            return failed(failure, claim, mayBeAt: gateway)
        }
        return .retry(at: now + wait, failure: failure, gateway: gateway)
    }

    func send(
        _ message: GatewayMessage,
        by gateway: GuardedGateway,
        _ log: MessageLog
    ) async -> Result<GatewayReceipt, GatewayFailure> {
        let (timeout, clock) = (configuration.sendTimeout, environment.clock)
        let response =
            if environment.tracer == nil {
                await gateway.send(message, timeout: timeout, on: clock)
            } else {
                await environment.tracer.span("phoneproof.send", ofKind: .client) { span in
                    let response = await gateway.send(message, timeout: timeout, on: clock)
                    span?.attributes["gateway.name"] = gateway.gateway.name
                    if case .failure(let failure) = response { span?.record(failure) }
                    return response
                }
            }
        if case .failure(let failure) = response {
            var metadata: Logger.Metadata = [
                "gateway.name": "\(gateway.gateway.name)",
                "failure.kind": "\(failure.kind)",
                "failure.reason": "\(failure.reason)",
            ]
            if let code = failure.code { metadata["failure.code"] = "\(code)" }
            if let detail = failure.detail { metadata["failure.detail"] = "\(detail)" }
            log.log(.warning, "A gateway did not accept a message", metadata)
        }
        return response
    }
}

extension Span {
    fileprivate func record(_ failure: GatewayFailure) {
        attributes["failure.kind"] = failure.kind.rawValue
        attributes["failure.reason"] = failure.reason
        if let code = failure.code { attributes["failure.code"] = code }
        setStatus(SpanStatus(code: .error))
    }
}

extension GatewayFailure {
    /// Whether it means that an idempotent gateway knows this key: it still works on the request (409), or the content
    /// of that one differs (422), as after a change of templates. Source: draft-ietf-httpapi-idempotency-key-header,
    /// section 2.7.
    fileprivate var meansDuplicateKey: Bool {
        switch kind {
        case .refused, .failover: code == 409 || code == 422
        case .retry, .ambiguous: false
        }
    }
}

extension OutboxClaim {
    /// Whether a later message has the code of this one, of which no gateway has heard.
    fileprivate var isSuperseded: Bool {
        !message.isNotice && message.gateway == nil && verification.sentAt > message.createdAt
    }

    var leaseEnd: Timestamp { message.nextAttemptAt }
}
