import CoreEncodings
public import Logging
public import PhoneDelivery
public import PhoneDomain
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
    private let waiting = Mutex<[String: [StubChange]]>([:])

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
    public func run(_ changes: AsyncStream<StubChange>) async {
        await withDiscardingTaskGroup { group in
            for await change in changes where enqueue(change) {
                group.addTask { await self.postChanges(of: change.message.sid) }
            }
            group.cancelAll()
        }
    }

    /// - Returns: whether it is the first of its message, so that posting must begin.
    private func enqueue(_ change: StubChange) -> Bool {
        let isFirst = waiting.withLock { waiting -> Bool? in
            if waiting[change.message.sid] != nil {
                waiting[change.message.sid]?.append(change)
                return false
            }
            guard waiting.count < Self.maxConcurrent else { return nil }
            waiting[change.message.sid] = [change]
            return true
        }
        if isFirst == nil { warn(change, "too many receivers do not answer") }
        return isFirst ?? false
    }

    private func postChanges(of sid: String) async {
        while let change = waiting.withLock({ $0[sid]?.first }) {
            await post(change)
            waiting.withLock { waiting in
                waiting[sid]?.removeFirst()
                if waiting[sid]?.isEmpty ?? false { waiting[sid] = nil }
            }
        }
    }

    private func post(_ change: StubChange) async {
        let headers: [GatewayClient.Header]
        do {
            headers = try self.headers(of: change)
        } catch {
            return warn(change, "it could not be signed")
        }
        let form = URLEncodedForm(change.fields)
        for attempt in 1... {
            let status = await status(of: form, to: change.callback.url, headers)
            if let status, 200..<300 ~= status { return }
            guard attempt < Self.maxAttempts, status.map(Self.isTransient) ?? true else {
                return warn(change, status.map { "the receiver rejected it (\($0))" } ?? "there was no response")
            }
            do { try await clock.sleep(for: .seconds(attempt)) } catch { return }
        }
    }

    private func headers(of change: StubChange) throws -> [GatewayClient.Header] {
        let (high, low) = try identifiers.makeBits()
        var headers: [GatewayClient.Header] = [
            ("User-Agent", "PhoneProof"),
            ("I-Twilio-Idempotency-Token", Identifier<OutboxMessage>(bits: high, low).hexadecimal),
        ]
        if let token = change.callback.authToken {
            let text = try signature.text(url: change.callback.url, fields: change.fields, token: token)
            headers.append((TwilioSignature.header, text))
        }
        return headers
    }

    /// The response's status; nil without a response in time.
    private func status(of form: URLEncodedForm, to url: String, _ headers: [GatewayClient.Header]) async -> Int? {
        await withTimeout(Self.timeout, on: clock) { [client] in
            try? await client.post(form, to: url, headers: headers).status
        } ?? nil
    }

    private static func isTransient(_ status: Int) -> Bool {
        [408, 425, 429].contains(status) || (500..<600).contains(status)
    }

    private func warn(_ change: StubChange, _ reason: String) {
        logger.warning(
            "a callback of the SMS stub was not delivered: \(reason)",
            metadata: [
                "gateway.message_id": "\(change.message.sid)", "message.status": "\(change.message.status.rawValue)",
            ]
        )
    }
}

/// The status callback of a message that the SMS stub accepts. It contains a secret, so nothing that prints, logs or
/// reflects it shows that, nor the URL, which may contain another.
public struct StubCallback: Hashable, Sendable, ConcealsSecrets {
    /// The longest accepted URL, in bytes. Twilio documents none; browsers and servers accept no longer ones.
    private static let longestURL = 2048

    /// Where to post, as it was written: it is part of what is signed.
    public let url: String
    /// `AC` and 32 hexadecimal digits.
    public let account: String
    /// The sender's token, by which the receiver recognizes the stub; if nil, nothing is signed.
    public let authToken: String?

    /// Nil unless the URL is `http` or `https` with a host of letters, digits, hyphens and dots (or an IPv6 address),
    /// in printable ASCII, without a user and without a fragment.
    public init?(url: String, account: String, authToken: String?) {
        guard url.utf8.count <= Self.longestURL, let endpoint = EndpointURL(url), Self.isNameOrIPv6(endpoint.host),
            endpoint.port.map({ 1...65_535 ~= $0 }) ?? !url.dropFirst(endpoint.origin.count).hasPrefix(":")
        else { return nil }
        (self.url, self.account, self.authToken) = (url, account, authToken)
    }

    private static func isNameOrIPv6(_ host: String) -> Bool {
        if host.hasPrefix("[") { return host.contains(":") && IPAddress(String(host.dropFirst().dropLast())) != nil }
        return !host.hasPrefix(".") && host.utf8.allSatisfy { $0.isASCIIAlphanumeric || "-.".utf8.contains($0) }
    }

    public var description: String { "callback of \(account)" }
}

/// A change of a message in the SMS stub, to be posted to its sender.
public struct StubChange: Hashable, Sendable {
    let message: StubMessage
    let callback: StubCallback

    /// The form that Twilio posts.
    /// Source: https://www.twilio.com/docs/messaging/guides/track-outbound-message-status.
    var fields: [(name: String, value: String)] {
        let status = message.status.rawValue
        var fields = [
            ("MessageSid", message.sid), ("MessageStatus", status), ("SmsSid", message.sid), ("SmsStatus", status),
            ("AccountSid", callback.account), ("To", message.to), ("ApiVersion", "2010-04-01"),
        ]
        if let from = message.from { fields.append(("From", from)) }
        if let service = message.messagingService { fields.append(("MessagingServiceSid", service)) }
        if let code = message.errorCode { fields.append(("ErrorCode", "\(code)")) }
        if [.delivered, .undelivered].contains(message.status) {
            fields.append(("RawDlrDoneDate", message.updatedAt.carrierDate))
        }
        return fields
    }
}

extension Timestamp {
    /// As carriers write it into receipts, to the minute, in UTC: `2601010000` (SMPP 3.4, appendix B).
    var carrierDate: String { String(description.filter(\.isNumber).dropFirst(2).prefix(10)) }
}
