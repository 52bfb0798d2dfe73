import CoreEncodings
public import Logging
import PhoneDelivery
public import PhoneDomain
import PhoneSignup
import Synchronization

/// Posts the status callbacks of messages in the SMS stub, as Twilio does: a form for each change, the changes of one
/// message in order, signed with the token that its sender used.
///
/// Redirects are not followed, nothing is posted twice, and no message waits for another one's receiver.
public final class StubCallbacks: Sendable {
    /// How many messages' callbacks are posted at the same time; those of further ones are dropped.
    static let maxConcurrent = 1000
    /// The receiver's, as with Twilio (https://www.twilio.com/docs/usage/webhooks/webhooks-connection-overrides).
    static let timeout: Duration = .seconds(15)
    static let connectTimeout: Duration = .seconds(5)

    private let signature: TwilioSignature
    private let clock: any Clock<Duration>
    private let logger: Logger
    private let client = GatewayClient(connectTimeout: connectTimeout)
    private let posting = Atomic(0)

    /// - Parameter logger: gets no number and no URL.
    public init(
        authenticator: any RequestAuthenticator,
        clock: any Clock<Duration> = ContinuousClock(),
        logger: Logger
    ) {
        signature = TwilioSignature(authenticator: authenticator)
        (self.clock, self.logger) = (clock, logger)
    }

    /// Posts the callbacks of these messages until the task is cancelled; the rest is dropped.
    public func run(_ messages: AsyncStream<StubMessage>) async {
        await withDiscardingTaskGroup { group in
            for await message in messages {
                guard posting.load(ordering: .relaxed) < Self.maxConcurrent else {
                    warn(message, "too many receivers do not answer")
                    continue
                }
                posting.add(1, ordering: .relaxed)
                group.addTask {
                    if let callback = message.request.callback {
                        for change in message.history.dropFirst() { await self.post(change, to: callback) }
                    }
                    self.posting.subtract(1, ordering: .relaxed)
                }
            }
            group.cancelAll()
        }
    }

    private func post(_ change: StubMessage, to callback: StubCallback) async {
        let fields = change.callbackFields(account: callback.account)
        var headers: [GatewayClient.Header] = [("User-Agent", "PhoneProof")]
        if let token = callback.authToken {
            guard let text = try? signature.text(url: callback.url, fields: fields, token: token) else {
                return warn(change, "it could not be signed")
            }
            headers.append((TwilioSignature.header, text))
        }
        let status = await withTimeout(Self.timeout, on: clock) { [client, headers] in
            try? await client.post(URLEncodedForm(fields), to: callback.url, headers: headers).status
        }
        // None without a response in time.
        let code = status.flatMap(\.self)
        if Task.isCancelled || code.map({ 200..<300 ~= $0 }) ?? false { return }
        warn(change, code.map { "the receiver rejected it (\($0))" } ?? "there was no response")
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
        if let from { fields.append(("From", from)) }
        if let service = request.messagingService { fields.append(("MessagingServiceSid", service)) }
        if let errorCode { fields.append(("ErrorCode", "\(errorCode)")) }
        if [.delivered, .undelivered].contains(status) {
            // As carriers write it into receipts, to the minute, in UTC: `2601010000` (SMPP 3.4, appendix B).
            let digits = createdAt.description.filter(\.isNumber)
            fields.append(("RawDlrDoneDate", String(digits.dropFirst(2).prefix(10))))
        }
        return fields
    }
}
