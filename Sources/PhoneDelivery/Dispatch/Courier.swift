import Logging
import PhoneDomain
import TraceContext
import Tracing

/// Carries one claimed message to the gateways. It knows no store: what comes of the attempt is its result.
///
/// | a gateway says | what follows |
/// |---|---|
/// | receipt | sent |
/// | refused | failed: no other gateway is asked |
/// | ambiguous | a retry at this gateway alone if it is idempotent, else unknown |
/// | retry, failover | the next gateway is asked |
///
/// When all have been asked: a retry if one of them said so, else failed. The wait before it is the back-off's, or what
/// the least busy gateway asked for if that is more; if the message is not worth sending by then, failed.
///
/// Once a message is at an idempotent gateway that gave no answer, that gateway has it until it takes or refuses it; when the
/// code has expired or the message was tried too often, it is unknown.
///
/// A gateway whose circuit breaker is open is passed over, and asked for a retry when the breaker lets one through. With
/// no gateway to ask, the message is postponed till then and has lost nothing.
///
/// A message that was claimed too often is handed to nobody: it may be what ended the program each time.
///
/// An unknown message goes to no other gateway and is not tried later: that would make two messages of one, and
/// the person who waits in vain can ask for the code again.
///
/// Every attempt has the same text: a vendor that knows the message by its key refuses one that differs. So the text depends
/// on nothing that changes between attempts, the time among it.
struct Courier: Sendable {
    let vault: any CodeVault
    let undoTokens: UndoTokens
    /// Nothing is sent to these.
    let testNumbers: TestNumbers
    let renderer: any MessageRendering
    let gateways: [GuardedGateway]
    let maxAttempts: Int
    let sendTimeout: Duration
    /// Of ``sendTimeout``; somebody must watch over it.
    let timeLimit: TimeLimit
    let backOff: BackOff
    let noticeBackOff: BackOff
    let wallClock: any WallClock
    let jitter: @Sendable () -> Double
    let tracer: (any Tracer)?

    /// Makes one attempt.
    ///
    /// - Parameter log: tells of this message.
    func deliver(_ claim: OutboxClaim, _ log: MessageLog) async -> DeliveryResult {
        let now = wallClock.now()
        guard claim.isWorthSending(at: now), let recipient = claim.recipient else { return ended(claim) }
        // Another code has replaced the one that it was queued with, and has a message of its own.
        if claim.verification.hasCustomCode, claim.verification.sentAt > claim.message.createdAt { return ended(claim) }
        // The code of a test number needs no message, so one for such a number can only be a notice.
        if claim.message.isNotice, testNumbers.contains(recipient, at: now) { return .dropped }
        guard claim.message.countedAttempts <= maxAttempts else { return failed("tried too often", claim) }
        let message: GatewayMessage
        switch compose(claim, to: recipient, log) {
        case .success(let composed): message = composed
        case .failure(let problem): return failed(problem.rawValue, claim)
        }
        // Not before: it takes as much work, or requests that come meanwhile would tell it by their time.
        if claim.message.isWithheld { return .withheld }
        var waits: [Duration] = []
        var lastFailure: GatewayFailure?
        for gateway in gateways where claim.message.gateway.map({ $0 == gateway.gateway.name }) ?? true {
            let moment = wallClock.now()
            guard claim.isWorthSending(at: moment) else { return ended(claim) }
            guard leaves(claim, timeFor: sendTimeout) else {
                waits.append(.zero)
                break
            }
            let pass: CircuitBreaker.Pass
            switch gateway.admit(at: moment) {
            case .admitted(let admitted): pass = admitted
            case .refused(let probe):
                waits.append(probe - moment)
                continue
            }
            let answer = await send(message, through: gateway, log)
            gateway.record(answer, of: pass, at: wallClock.now())
            let name = gateway.gateway.name
            switch answer {
            case .success(let receipt):
                // A message's name goes into logs; one that is made of the number does not, and nothing is told under it.
                if receipt.quotes(recipient) { return .sent(gateway: name, gatewayMessageID: nil) }
                return .sent(gateway: name, gatewayMessageID: receipt.messageID, outcome: receipt.outcome)
            case .failure(let failure):
                lastFailure = failure
                let isKnown = gateway.gateway.isIdempotent && claim.message.attempts > 1 && failure.meansKnownKey
                if isKnown, failure.code == 422 { return .unknown(gateway: name, failure: failure.text) }
                switch isKnown ? .ambiguous : failure.kind {
                case .refused: return .failed(failure.text)
                case .ambiguous where gateway.gateway.isIdempotent:
                    return result(for: claim, leastWait: .zero, failure, mayBeAt: name)
                case .ambiguous: return .unknown(gateway: name, failure: failure.text)
                case .retry(let wait): waits.append(wait ?? .zero)
                // That it does not take the message now says nothing of the time before.
                case .failover where claim.message.gateway != nil: waits.append(.zero)
                case .failover: break
                }
            }
        }
        return result(for: claim, leastWait: waits.min(), lastFailure, mayBeAt: claim.message.gateway)
    }

    /// The result for a message that is not worth sending any more.
    private func ended(_ claim: OutboxClaim) -> DeliveryResult {
        claim.message.gateway.map { .unknown(gateway: $0, failure: claim.message.failure ?? "no answer") } ?? .dropped
    }

    /// The result for a message that is not tried again.
    private func failed(
        _ reason: String,
        _ claim: OutboxClaim,
        mayBeAt gateway: String? = nil
    ) -> DeliveryResult {
        (gateway ?? claim.message.gateway).map { .unknown(gateway: $0, failure: reason) } ?? .failed(reason)
    }

    /// What follows when no gateway took the message or refused it.
    ///
    /// - Parameters:
    ///   - leastWait: how long the first gateway wants to be left alone that may take it later; nil if none will.
    ///   - failure: what the last gateway said; nil if none was asked.
    ///   - gateway: the idempotent gateway that may have taken it; nil if none did.
    private func result(
        for claim: OutboxClaim,
        leastWait: Duration?,
        _ failure: GatewayFailure?,
        mayBeAt gateway: String?
    ) -> DeliveryResult {
        guard let leastWait else {
            return failed(failure?.text ?? "no gateway would take it", claim, mayBeAt: gateway)
        }
        let now = wallClock.now()
        let remaining = claim.end - now
        guard let failure else {
            let wait = max(leastWait, .zero)
            return wait < remaining ? .postponed(until: now + wait) : failed("no gateway can be reached", claim)
        }
        let attempt = claim.message.countedAttempts
        let backOff = claim.message.isNotice ? noticeBackOff : backOff
        let wait = max(leastWait, backOff.wait(after: attempt, jitter: jitter()))
        guard attempt < maxAttempts, wait < remaining else { return failed(failure.text, claim, mayBeAt: gateway) }
        return .retry(at: now + wait, failure: failure.text, gateway: gateway)
    }

    /// Why there is nothing to hand over.
    private enum CompositionProblem: String, Error {
        case sealedCode = "the code cannot be opened"
        case undoToken = "the link cannot be made"
        case text = "the text cannot be made"
    }

    private func compose(
        _ claim: OutboxClaim,
        to recipient: PhoneNumber,
        _ log: MessageLog
    ) -> Result<GatewayMessage, CompositionProblem> {
        let language = claim.change?.language ?? claim.verification.language
        func message(_ body: String, _ variables: MessageVariables? = nil) -> GatewayMessage {
            GatewayMessage(
                dedupeKey: claim.message.id.description,
                to: recipient,
                body: body,
                language: language,
                variables: variables
            )
        }
        if claim.message.isNotice {
            return undoToken(of: claim.change, log).flatMap { token in
                text(log) { try renderer.notice(undoneBy: token, language: language) }.map { message($0) }
            }
        }
        return code(of: claim.verification, log).flatMap { code in
            let remaining = claim.verification.life(ifAcceptedAt: claim.message.createdAt)
            let wording = claim.message.wording
            return text(log) {
                let rendered = try renderer.message(
                    bearing: code,
                    language: language,
                    remaining: remaining,
                    wording: wording
                )
                if let fault = rendered.fault { log.warn(of: fault, in: wording) }
                return rendered.body
            }
            .map {
                message(
                    $0,
                    renderer.variables(for: code, language: language, remaining: remaining, wording: wording)
                )
            }
        }
    }

    private func code(of verification: Verification, _ log: MessageLog) -> Result<VerificationCode, CompositionProblem>
    {
        do {
            return .success(try vault.open(verification.code, for: verification.codeContext))
        } catch {
            log.log(
                .error,
                "The code cannot be opened",
                ["code.key_id": "\(verification.code.keyID)", "error": "\(error)"]
            )
            return .failure(.sealedCode)
        }
    }

    private func undoToken(of change: NumberChange?, _ log: MessageLog) -> Result<SecretToken, CompositionProblem> {
        let error: String
        do {
            if let token = try change.flatMap({ try undoTokens.token(of: $0) }) { return .success(token) }
            error = "the key is gone under which its secret was made"
        } catch let failure {
            error = "\(failure)"
        }
        log.log(.error, "The link cannot be made", ["error": "\(error)"])
        return .failure(.undoToken)
    }

    private func text(_ log: MessageLog, _ make: () throws -> String) -> Result<String, CompositionProblem> {
        do {
            return .success(try make())
        } catch {
            // The type alone: whoever failed here had the code or the secret in hand, and may have quoted it.
            log.log(.error, "The text cannot be made", ["error.type": "\(type(of: error))"])
            return .failure(.text)
        }
    }

    private func send(
        _ message: GatewayMessage,
        through gateway: GuardedGateway,
        _ log: MessageLog
    ) async -> Result<GatewayReceipt, GatewayFailure> {
        let answer = await tracer.span("phoneproof.send", ofKind: .client) { span in
            let (answer, duration) = await timeLimit.run { [gateway = gateway.gateway] in
                do throws(GatewayFailure) {
                    return Result<GatewayReceipt, GatewayFailure>.success(try await gateway.send(message))
                } catch {
                    return .failure(error)
                }
            }
            gateway.measures.count(answer, took: duration)
            span?.attributes["gateway.name"] = gateway.gateway.name
            if case .failure(let failure) = answer {
                span?.attributes["failure.kind"] = failure.kind.description
                span?.attributes["failure.reason"] = failure.reason
                if let code = failure.code { span?.attributes["failure.code"] = code }
                span?.setStatus(SpanStatus(code: .error))
            }
            return answer
        }
        if case .failure(let failure) = answer {
            log.log(.warning, "A gateway gave no receipt", Self.metadata(gateway.gateway, failure))
        }
        return answer
    }

    private static func metadata(_ gateway: any MessageGateway, _ failure: GatewayFailure) -> Logger.Metadata {
        var metadata: Logger.Metadata = [
            "gateway.name": "\(gateway.name)",
            "failure.kind": "\(failure.kind)",
            "failure.reason": "\(failure.reason)",
        ]
        if let code = failure.code { metadata["failure.code"] = "\(code)" }
        return metadata
    }

    private func leaves(_ claim: OutboxClaim, timeFor duration: Duration) -> Bool {
        wallClock.now() + duration <= claim.leaseEnd
    }
}

extension GatewayFailure {
    /// Whether an idempotent gateway says by this that it has had a request of this key before: it still works on it (409), or
    /// that one had another content (422), as after a change of templates. Source: draft-ietf-httpapi-idempotency-key-header,
    /// section 2.7.
    fileprivate var meansKnownKey: Bool {
        switch kind {
        case .refused, .failover: code == 409 || code == 422
        case .retry, .ambiguous: false
        }
    }
}

extension OutboxClaim {
    /// Until when nobody else takes the message.
    var leaseEnd: Timestamp { message.nextAttemptAt }
}
