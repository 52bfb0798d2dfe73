import CoreEncodings
public import Logging
import PhoneDelivery
public import PhoneDomain
import PhoneSignup
import Synchronization

/// Posts the status callbacks of messages in the SMS stub, as Twilio does: a form for each change, the changes of one
/// message in order, signed with the token that its sender used.
///
/// A receiver that does not respond, or cannot accept it now, gets three attempts altogether, each with the same
/// `I-Twilio-Idempotency-Token`. Redirects are not followed, and no message waits for another one's receiver.
public final class StubCallbacks: Sendable {
    /// How many messages' callbacks are posted at the same time; those of further ones are dropped.
    static let maxConcurrent = 1000
    static let maxAttempts = 3
    /// The receiver's, as with Twilio (https://www.twilio.com/docs/usage/webhooks/webhooks-connection-overrides).
    static let timeout: Duration = .seconds(15)
    static let connectTimeout: Duration = .seconds(5)

    private let signature: TwilioSignature
    private let identifiers: any IdentifierSource
    private let clock: any Clock<Duration>
    private let logger: Logger
    private let client = GatewayClient(connectTimeout: connectTimeout)
    /// The changes of status still to be called back, by the message's SID.
    private let waiting = Mutex<[String: [StubMessage]]>([:])

    /// - Parameters:
    ///   - identifiers: makes each callback's token.
    ///   - logger: gets no number and no URL.
    public init(
        authenticator: any RequestAuthenticator,
        identifiers: any IdentifierSource,
        clock: any Clock<Duration> = ContinuousClock(),
        logger: Logger
    ) {
        signature = TwilioSignature(authenticator: authenticator)
        (self.identifiers, self.clock, self.logger) = (identifiers, clock, logger)
    }

    /// Posts these changes until the task is cancelled; the rest is dropped.
    public func run(_ changes: AsyncStream<StubMessage>) async {
        await withDiscardingTaskGroup { group in
            for await change in changes {
                let place = waiting.withLock { waiting -> Int in
                    if waiting[change.sid] == nil, waiting.count == Self.maxConcurrent { return 0 }
                    waiting[change.sid, default: []].append(change)
                    return waiting[change.sid]?.count ?? 0
                }
                if place == 0 { warn(change, "too many receivers do not answer") }
                if place == 1 { group.addTask { await self.postChanges(of: change.sid) } }
            }
            group.cancelAll()
        }
    }

    private func postChanges(of sid: String) async {
        while let change = waiting.withLock({ $0[sid]?.first }) {
            if let callback = change.request.callback { await post(change, to: callback) }
            waiting.withLock { waiting in
                waiting[sid]?.removeFirst()
                if waiting[sid]?.isEmpty ?? false { waiting[sid] = nil }
            }
        }
    }

    private func post(_ change: StubMessage, to callback: StubCallback) async {
        let fields = change.callbackFields(account: callback.account)
        guard let headers = try? self.headers(of: fields, to: callback) else {
            return warn(change, "it could not be signed")
        }
        for attempt in 1... {
            let status = await withTimeout(Self.timeout, on: clock) { [client] in
                try? await client.post(URLEncodedForm(fields), to: callback.url, headers: headers).status
            }
            // None without a response in time.
            let code = status.flatMap(\.self)
            if let code, 200..<300 ~= code { return }
            let isTransient = code.map { [408, 425, 429].contains($0) || 500..<600 ~= $0 } ?? true
            guard attempt < Self.maxAttempts, isTransient else {
                return warn(change, code.map { "the receiver rejected it (\($0))" } ?? "there was no response")
            }
            do { try await clock.sleep(for: .seconds(attempt)) } catch { return }
        }
    }

    private func headers(
        of fields: [(name: String, value: String)],
        to callback: StubCallback
    ) throws -> [GatewayClient.Header] {
        let (high, low) = try identifiers.makeBits()
        var headers: [GatewayClient.Header] = [
            ("User-Agent", "PhoneProof"),
            ("I-Twilio-Idempotency-Token", Identifier<OutboxMessage>(bits: high, low).hexadecimal),
        ]
        if let token = callback.authToken {
            let text = try signature.text(url: callback.url, fields: fields, token: token)
            headers.append((TwilioSignature.header, text))
        }
        return headers
    }

    private func warn(_ change: StubMessage, _ reason: String) {
        logger.warning(
            "a callback of the SMS stub was not delivered: \(reason)",
            metadata: [
                "gateway.message_id": "\(change.sid)", "message.status": "\(change.status.rawValue)",
            ]
        )
    }
}

/// The status callback of a message that the SMS stub accepts. It contains a secret, so nothing that prints, logs or
/// reflects it shows that, nor the URL, which may contain another.
struct StubCallback: Hashable, Sendable, ConcealsSecrets {
    /// The longest accepted URL, in bytes. Twilio documents none; browsers and servers accept no longer ones.
    private static let longestURL = 2048

    /// Where to post, as it was written: it is part of what is signed.
    let url: String
    /// `AC` and 32 hexadecimal digits.
    let account: String
    /// The sender's token, by which the receiver recognizes the stub; if nil, nothing is signed.
    let authToken: String?

    init?(url: String, account: String, authToken: String?) {
        guard url.utf8.count <= Self.longestURL, EndpointURL(url) != nil else { return nil }
        (self.url, self.account, self.authToken) = (url, account, authToken)
    }

    var description: String { "callback of \(account)" }
}

extension StubMessage {
    /// The form that Twilio posts.
    /// Source: https://www.twilio.com/docs/messaging/guides/track-outbound-message-status.
    func callbackFields(account: String) -> [(name: String, value: String)] {
        var fields = [
            ("MessageSid", sid), ("MessageStatus", status.rawValue), ("SmsSid", sid), ("SmsStatus", status.rawValue),
            ("AccountSid", account), ("To", to), ("ApiVersion", "2010-04-01"),
        ]
        if let from = request.from { fields.append(("From", from)) }
        if let service = request.messagingService { fields.append(("MessagingServiceSid", service)) }
        if let errorCode { fields.append(("ErrorCode", "\(errorCode)")) }
        if [.delivered, .undelivered].contains(status) {
            // As carriers write it into receipts, to the minute, in UTC: `2601010000` (SMPP 3.4, appendix B).
            let digits = updatedAt.description.filter(\.isNumber)
            fields.append(("RawDlrDoneDate", String(digits.dropFirst(2).prefix(10))))
        }
        return fields
    }
}
