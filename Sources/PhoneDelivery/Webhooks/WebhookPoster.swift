public import CoreMetrics
public import PhoneDomain
import TraceContext
public import Tracing

/// Signs what is told and posts it, once.
public struct WebhookPoster: Sendable {
    let transport: any WebhookTransport
    let signer: any EventSigner
    let timeout: Duration
    let wallClock: any WallClock
    let clock: any Clock<Duration>
    private let measures: WebhookMeasures
    private let tracer: (any Tracer)?

    /// A poster to one endpoint.
    ///
    /// - Parameters:
    ///   - transport: to the endpoint.
    ///   - signer: signs.
    ///   - timeout: how long the receiver may take.
    ///   - wallClock: says what time it is.
    ///   - clock: measures the timeout.
    ///   - metrics: keeps what is counted. Standard: nothing.
    ///   - tracer: keeps spans; nil, the standard, for none.
    public init(
        transport: any WebhookTransport,
        signer: any EventSigner,
        timeout: Duration,
        wallClock: any WallClock,
        clock: any Clock<Duration> = ContinuousClock(),
        metrics: any MetricsFactory = NOOPMetricsHandler.instance,
        tracer: (any Tracer)? = nil
    ) {
        self.transport = transport
        self.signer = signer
        self.timeout = timeout
        self.wallClock = wallClock
        self.clock = clock
        measures = WebhookMeasures(metrics)
        self.tracer = tracer
    }

    /// Posts an example of a kind of event, which bears a name of its own and says that it is one.
    ///
    /// - Parameter identifiers: makes the name.
    /// - Throws: what the signer and the identifiers throw.
    public func postExample(of kind: Event.Kind, identifiers: some IdentifierSource) async throws -> WebhookAnswer {
        let now = wallClock.now()
        let content = try EventContent.example(of: kind, at: now)
        let payload = WebhookPayload(kind, occurredAt: now, content, isExample: true)
        return await post(try request(EventID(exampleOf: identifiers.makeBits()), try payload.body()))
    }

    /// Posts what is told of an event.
    ///
    /// - Throws: what the signer throws.
    /// - Parameters:
    ///   - claim: the event.
    ///   - stop: once it is woken, the receiver has ``patience`` left.
    func post(_ claim: EventClaim, until stop: WakeSignal) async throws -> WebhookAnswer {
        let event = claim.event
        let payload = WebhookPayload(event.kind, occurredAt: event.occurredAt, claim.content)
        let body = try payload.body()
        return try await tracer.span("phoneproof.webhook", ofKind: .client) { span in
            span?.attributes["event.kind"] = event.kind.rawValue
            // In here, so that it names the very span.
            let request = try request(event.id, body)
            let (answer, duration) = await time(on: clock) { await post(request, until: stop) }
            measures.count(answer, to: event.kind, took: duration)
            if case .answered(let status, _) = answer { span?.attributes["http.response.status_code"] = status }
            if !answer.isSuccess { span?.setStatus(SpanStatus(code: .error)) }
            return answer
        }
    }

    private func time<C: Clock<Duration>>(
        on clock: C,
        _ work: () async -> WebhookAnswer
    ) async -> (WebhookAnswer, Duration) {
        let start = clock.now
        let answer = await work()
        return (answer, start.duration(to: clock.now))
    }

    /// How long a receiver may take when the program is to end: whoever told it to end kills it after some ten seconds, and
    /// nine of them may be gone by the time that it is this one's turn. An event that is cut off is told again.
    private static let patience: Duration = .milliseconds(500)

    /// The name is the event's, the time that of the attempt: by the one a receiver tells a repetition, by the other a
    /// request that somebody else repeats.
    private func request(_ id: EventID, _ body: [UInt8]) throws -> WebhookRequest {
        let seconds = wallClock.now().milliseconds / 1000
        var headers = [
            "content-type": "application/json",
            "user-agent": "PhoneProof",
            "webhook-id": id.description,
            "webhook-timestamp": "\(seconds)",
            "webhook-signature": try signer.signatures(id: id, seconds: seconds, body: body),
        ]
        if let place = TraceParent.current { headers["traceparent"] = place.description }
        return WebhookRequest(headers: headers, body: body)
    }

    private func post(_ request: WebhookRequest, until stop: WakeSignal = WakeSignal()) async -> WebhookAnswer {
        // A task of its own: only the limits below end it, and not that of whoever waits for the answer.
        let posting = Task { await transport.post(request) }
        let limit = Task {
            await stop.wait(beyond: 0, atMost: timeout, on: clock)
            if stop.count > 0 { try await clock.sleep(for: min(timeout, Self.patience)) }
            posting.cancel()
        }
        defer { limit.cancel() }
        return await posting.value
    }
}
