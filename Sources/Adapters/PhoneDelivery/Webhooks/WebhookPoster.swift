import AsyncHTTPClient
public import CoreEncodings
package import CoreMetrics
import NIOCore
import NIOHTTP1
public import PhoneDomain
import PhoneSignup
import Telemetry
import Tracing

/// Posts to one endpoint.
public protocol WebhookTransport: Sendable {
    /// Posts a request and waits for the response's head. Follows no redirect. It needs no timeout: the caller cancels
    /// the task.
    func post(_ request: WebhookRequest) async -> WebhookResult
}

public struct WebhookRequest: Hashable, Sendable {
    /// Names are in lower case.
    let headers: [String: String]
    let body: [UInt8]
}

public enum WebhookResult: Hashable, Sendable {
    case answered(status: Int, retryAfter: Duration?)
    /// There was no response. The reason is a fixed text.
    case failed(String)

    public var isSuccess: Bool {
        if case .answered(200..<300, _) = self { true } else { false }
    }

    static let late = WebhookResult.failed("no response in time")

    /// Whether the receiver is down, silent or overloaded, so that the circuit breaker counts it.
    ///
    /// Any other response is to this event, even a 500: a receiver that one event makes fail would else be sent
    /// that event again and again, since it is due the longest, and never the others.
    var isFault: Bool {
        switch self {
        case .failed: true
        case .answered(let status, _): [408, 425, 429, 502, 503, 504].contains(status)
        }
    }

    /// The reason that is stored with the event.
    var failure: String {
        switch self {
        case .answered(410, _): "the receiver unsubscribed (410)"
        case .answered(429, _): "the receiver is rate limiting (429)"
        case .answered(let status, _) where (300..<400).contains(status):
            "the receiver redirected the request (\(status))"
        case .answered(let status, _) where (500..<600).contains(status): "the receiver failed (\(status))"
        case .answered(let status, _): "the receiver rejected it (\(status))"
        case .failed(let reason): reason
        }
    }
}

/// Signs an event and posts it once.
public struct WebhookPoster: Sendable {
    let transport: any WebhookTransport
    let signer: any EventSigner
    let timeout: Duration
    let environment: DeliveryEnvironment
    private let metrics: WebhookMetrics

    /// - Parameter timeout: the receiver's.
    public init(
        transport: any WebhookTransport,
        signer: any EventSigner,
        timeout: Duration,
        environment: DeliveryEnvironment
    ) {
        (self.transport, self.signer) = (transport, signer)
        (self.timeout, self.environment) = (timeout, environment)
        metrics = WebhookMetrics(environment.metrics)
    }

    public func postExample(of kind: Event.Kind, identifiers: some IdentifierSource) async throws -> WebhookResult {
        let now = environment.wallClock.now()
        let content = try EventContent.example(of: kind, at: now)
        let payload = WebhookPayload(kind, occurredAt: now, content, isExample: true)
        return await post(try request(EventID(exampleOf: identifiers.makeBits()), payload.body))
    }

    /// - Parameter stop: once it is woken, the receiver has ``shutdownTimeout`` left.
    func post(_ claim: EventClaim, until stop: WakeSignal) async throws -> WebhookResult {
        let event = claim.event
        let body = WebhookPayload(event.kind, occurredAt: event.occurredAt, claim.content).body
        return try await environment.tracer.span("phoneproof.webhook", ofKind: .client) { span in
            span?.attributes["event.kind"] = event.kind.rawValue
            // In here, so that its traceparent is this span.
            let request = try request(event.id, body)
            var result = WebhookResult.late
            let duration = await environment.clock.measure { result = await post(request, until: stop) }
            metrics.count(result, to: event.kind, took: duration)
            if case .answered(let status, _) = result { span?.attributes["http.response.status_code"] = status }
            if !result.isSuccess { span?.setStatus(SpanStatus(code: .error)) }
            return result
        }
    }

    /// The timeout of running requests at the shutdown: a process is usually killed ten seconds after the signal to
    /// stop, and nine of them may be gone by then. An event whose request is cut off is delivered again.
    private static let shutdownTimeout: Duration = .milliseconds(500)

    /// The ID is the event's, by which a receiver recognises a repetition; the time is the attempt's, by which it
    /// recognises a replay.
    private func request(_ id: EventID, _ body: [UInt8]) throws -> WebhookRequest {
        let seconds = environment.wallClock.now().milliseconds / 1000
        var headers = [
            "content-type": "application/json",
            "user-agent": "PhoneProof",
            "webhook-id": id.description,
            "webhook-timestamp": "\(seconds)",
            "webhook-signature": try signer.signatures(id: id, seconds: seconds, body: body),
        ]
        if let parent = TraceParent.current { headers["traceparent"] = parent.description }
        return WebhookRequest(headers: headers, body: body)
    }

    private func post(_ request: WebhookRequest, until stop: WakeSignal = WakeSignal()) async -> WebhookResult {
        let clock = environment.clock
        return await withOwnLimit {
            await stop.wait(beyond: 0, atMost: timeout, on: clock)
            if stop.count > 0 { try await clock.sleep(for: min(timeout, Self.shutdownTimeout)) }
        } _: {
            await transport.post(request)
        }
    }
}

/// Posts over HTTP/1.1, with a connection pool of its own.
public final class HTTPWebhookTransport: WebhookTransport {
    /// What is read of a response's body, in bytes, so that its connection can be reused. The content is ignored.
    private static let maxBodySize = 16 * 1024

    private let url: String
    private let client: HTTPClient

    public init(endpoint: EndpointURL, connectTimeout: Duration) {
        url = endpoint.description
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: .outgoing(connectTimeout))
    }

    deinit {
        _ = client.shutdown()
    }

    public func post(_ request: WebhookRequest) async -> WebhookResult {
        var message = HTTPClientRequest(url: url)
        message.method = .POST
        for (name, value) in request.headers { message.headers.add(name: name, value: value) }
        message.body = .bytes(request.body)
        do {
            let response = try await client.execute(message, deadline: .distantFuture)
            // The head is enough: a body that does not come, or does not end, costs the connection and nothing else.
            _ = await withTimeout(.seconds(1), on: ContinuousClock()) {
                _ = try? await response.body.collect(upTo: Self.maxBodySize)
            }
            return .answered(
                status: Int(response.status.code),
                retryAfter: response.headers.retryAfter
            )
        } catch {
            return .failed(Self.reason(of: error))
        }
    }

    /// Never the error's own words: they may quote the URL.
    private static func reason(of error: any Error) -> String {
        if error is CancellationError { return "no response in time" }
        // The network's errors, and TLS.
        guard let error = error as? HTTPClientError else {
            return "the receiver cannot be reached" + (GatewayClient.cause(of: error).map { " (\($0))" } ?? "")
        }
        switch error {
        case .cancelled, .deadlineExceeded: return "no response in time"
        case .connectTimeout: return "the receiver was not reached in time"
        case .remoteConnectionClosed: return "the connection was closed before the response"
        default: return "there was no response"
        }
    }
}

package struct WebhookMetrics: Sendable {
    private let factory: any MetricsFactory
    private let durations: Timer

    package init(_ factory: any MetricsFactory) {
        self.factory = factory
        durations = Timer(label: "phoneproof_webhook_request_duration_seconds", factory: factory)
        // At 0 from the start, from which rates are calculated.
        for kind in Event.Kind.ofWebhooks {
            for outcome in ["accepted", "refused", "failed"] { _ = requests(to: kind, outcome) }
        }
    }

    private func requests(to kind: Event.Kind, _ outcome: String) -> Counter {
        let dimensions = [("event", kind.rawValue), ("outcome", outcome)]
        return Counter(label: "phoneproof_webhook_requests_total", dimensions: dimensions, factory: factory)
    }

    func count(_ result: WebhookResult, to kind: Event.Kind, took duration: Duration) {
        requests(to: kind, result.isSuccess ? "accepted" : result.isFault ? "failed" : "refused").increment()
        durations.record(duration)
    }
}
