public import Logging
public import PhoneDomain
import Synchronization

/// Tells those who sent messages to the SMS stub what became of them, as Twilio does: it posts a form for each change, the
/// changes of one message in order, signed under the token that its sender showed.
///
/// A receiver that does not answer, or answers that it cannot now, is asked three times altogether; each time under the same
/// `I-Twilio-Idempotency-Token`. No redirect is followed, and nobody waits for another message's receiver.
public final class StubCallbacks: Sendable {
    /// How many messages are told of at the same time; of further ones nobody is told.
    static let mostAtATime = 1000
    /// How often a receiver is asked.
    static let attempts = 3
    /// How long a receiver may take, as with Twilio (https://www.twilio.com/docs/usage/webhooks/webhooks-connection-overrides).
    static let timeout: Duration = .seconds(15)
    /// How long to wait for a connection.
    static let connectTimeout: Duration = .seconds(5)
    private static let backOff = BackOff(first: .seconds(1), longest: .seconds(10))

    private let signature: TwilioSignature
    private let identifiers: any IdentifierSource
    private let clock: any Clock<Duration>
    private let logger: Logger
    private let client = GatewayClient(connectTimeout: connectTimeout)
    /// By the message's name: what is still to be told of those that are being told of.
    private let waiting = Mutex<[String: [StubChange]]>([:])

    /// Callbacks that nobody waits for yet.
    ///
    /// - Parameters:
    ///   - authenticator: makes the signatures.
    ///   - identifiers: names each callback.
    ///   - clock: measures how long receivers take.
    ///   - logger: gets no number and no address.
    public init(
        authenticator: any RequestAuthenticator,
        identifiers: any IdentifierSource,
        clock: any Clock<Duration> = ContinuousClock(),
        logger: Logger
    ) {
        signature = TwilioSignature(authenticator: authenticator)
        self.identifiers = identifiers
        self.clock = clock
        self.logger = logger
    }

    /// Tells of these changes until the task is cancelled. What is not told by then never is.
    public func run(_ changes: AsyncStream<StubChange>) async {
        await withDiscardingTaskGroup { group in
            for await change in changes where take(change) {
                group.addTask { await self.tell(of: change.message.sid) }
            }
            group.cancelAll()
        }
    }

    /// Puts a change behind those of its message that are not told yet.
    ///
    /// - Returns: whether it is the first, so that somebody must begin to tell.
    private func take(_ change: StubChange) -> Bool {
        let isTaken = waiting.withLock { waiting -> Bool? in
            if waiting[change.message.sid] != nil {
                waiting[change.message.sid]?.append(change)
                return false
            }
            guard waiting.count < Self.mostAtATime else { return nil }
            waiting[change.message.sid] = [change]
            return true
        }
        if isTaken == nil { warn(change, "too many receivers do not answer") }
        return isTaken ?? false
    }

    private func tell(of sid: String) async {
        while let change = waiting.withLock({ $0[sid]?.first }) {
            await tell(change)
            waiting.withLock { waiting in
                waiting[sid]?.removeFirst()
                if waiting[sid]?.isEmpty ?? false { waiting[sid] = nil }
            }
        }
    }

    private func tell(_ change: StubChange) async {
        let headers: [GatewayClient.Header]
        do {
            headers = try self.headers(of: change)
        } catch {
            return warn(change, "it could not be signed")
        }
        let form = URLEncodedForm(change.fields).bytes
        for attempt in 1...Self.attempts {
            switch await status(of: form, to: change.callback.url, headers) {
            case .some(200..<300): return
            case nil where attempt == Self.attempts: warn(change, "there was no answer")
            case nil: break
            case .some(let status) where attempt == Self.attempts || !Self.isTransient(status):
                return warn(change, "the receiver refused it (\(status))")
            case .some: break
            }
            guard attempt < Self.attempts else { return }
            do { try await clock.sleep(for: Self.backOff.wait(after: attempt)) } catch { return }
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

    /// The status of the answer; nil if there is none, or none in time.
    private func status(of form: [UInt8], to url: String, _ headers: [GatewayClient.Header]) async -> Int? {
        await withTaskGroup(of: Int?.self) { group in
            group.addTask { [client] in
                let type = URLEncodedForm.contentType
                return try? await client.post(form, contentType: type, to: url, headers: headers).status
            }
            group.addTask { [clock] in
                try? await clock.sleep(for: Self.timeout)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    private static func isTransient(_ status: Int) -> Bool {
        [408, 425, 429].contains(status) || (500..<600).contains(status)
    }

    private func warn(_ change: StubChange, _ reason: String) {
        logger.warning(
            "nobody was told what became of a message in the SMS stub: \(reason)",
            metadata: [
                "gateway.message_id": "\(change.message.sid)", "message.status": "\(change.message.status.rawValue)",
            ]
        )
    }
}
