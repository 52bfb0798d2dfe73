import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import PhoneDomain

/// Posts over HTTP/1.1, with connections of its own.
public final class HTTPWebhookTransport: WebhookTransport {
    /// What is read of an answer behind its head, in bytes, so that its connection can be used again. Nobody looks at it.
    private static let longestRest = 16 * 1024
    /// How long that may take; what did not come by then is not worth the connection.
    private static let patience: Duration = .seconds(1)

    private let url: String
    private let client: HTTPClient

    /// A transport to this endpoint.
    ///
    /// - Parameters:
    ///   - endpoint: where to.
    ///   - connectTimeout: how long to wait for a connection, the handshake of TLS among it.
    public init(endpoint: WebhookEndpoint, connectTimeout: Duration) {
        url = endpoint.description
        client = HTTPClient(
            eventLoopGroupProvider: .singleton,
            configuration: .delivery(connectTimeout: connectTimeout)
        )
    }

    deinit {
        _ = client.shutdown()
    }

    public func post(_ request: WebhookRequest) async -> WebhookAnswer {
        var message = HTTPClientRequest(url: url)
        message.method = .POST
        for (name, value) in request.headers { message.headers.add(name: name, value: value) }
        message.body = .bytes(request.body)
        do {
            let response = try await client.execute(message, deadline: .distantFuture)
            await Self.readRest(of: response)
            return .answered(
                status: Int(response.status.code),
                retryAfter: GatewayAnswer.wait(response.headers.first(name: "Retry-After"))
            )
        } catch {
            return .failed(Self.reason(of: error))
        }
    }

    /// The head has said it all: a body that does not come, or does not end, costs the connection and nothing else.
    private static func readRest(of response: HTTPClientResponse) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = try? await response.body.collect(upTo: longestRest) }
            group.addTask { try? await Task.sleep(for: patience) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Never the error's own words: they may quote the address.
    private static func reason(of error: any Error) -> String {
        if error is CancellationError { return "no answer in time" }
        // Whatever the network says, and TLS.
        guard let error = error as? HTTPClientError else { return "the receiver cannot be reached" }
        switch error {
        case .cancelled, .deadlineExceeded: return "no answer in time"
        case .connectTimeout: return "the receiver was not reached in time"
        case .remoteConnectionClosed: return "the connection ended before the answer"
        default: return "there was no answer"
        }
    }
}
