import AsyncHTTPClient
import FoundationEssentials
import NIOCore
import NIOHTTP1
import PhoneDomain

/// Asks a gateway over HTTP, with connections of its own, and tells what surely was not sent from what may have been.
///
/// Whoever asks sets the time limit, by cancellation. No redirect is followed.
final class GatewayClient: Sendable {
    /// A field of a request's head.
    typealias Header = (name: String, value: String)

    /// More than any answer about one message has, in bytes.
    private static let longestAnswer = 64 * 1024

    private let client: HTTPClient

    /// - Parameter connectTimeout: how long to wait for a connection, the handshake of TLS among it. Shorter than the time
    ///   that a message has at a gateway, so that what is not there is told from what does not answer.
    init(connectTimeout: Duration) {
        client = HTTPClient(
            eventLoopGroupProvider: .singleton,
            configuration: .delivery(connectTimeout: connectTimeout)
        )
    }

    deinit {
        _ = client.shutdown()
    }

    /// Hands something over, once.
    ///
    /// - Parameters:
    ///   - method: `POST`, unless the gateway wants another.
    ///   - headers: what the gateway wants to know; `Accept` among them takes the place of JSON.
    /// - Throws: ``GatewayFailure``: ``GatewayFailure/Kind/retry(after:)`` if it surely was not sent,
    ///   ``GatewayFailure/Kind/ambiguous`` once it may have been.
    func post(
        _ body: [UInt8],
        contentType: String,
        to url: String,
        method: HTTPMethod = .POST,
        headers: [Header] = []
    ) async throws(GatewayFailure) -> GatewayAnswer {
        let body = OneTimeBody(body)
        var request = HTTPClientRequest(url: url)
        request.method = method
        request.headers.add(name: "Content-Type", value: contentType)
        request.body = .stream(body, length: .known(Int64(body.count)))
        do {
            return try await answer(to: request, headers)
        } catch {
            throw Self.failure(error, mayHaveBeenSent: body.mayHaveBeenSent)
        }
    }

    /// Asks for something, which may be asked again.
    ///
    /// - Throws: ``GatewayFailure``, which is ``GatewayFailure/Kind/retry(after:)``.
    func get(_ url: String, headers: [Header] = []) async throws(GatewayFailure) -> GatewayAnswer {
        do {
            return try await answer(to: HTTPClientRequest(url: url), headers)
        } catch {
            throw Self.failure(error, mayHaveBeenSent: false)
        }
    }

    /// The header by which a name and a password are told (RFC 7617).
    static func basicAuthorization(user: String, password: String) -> Header {
        ("Authorization", "Basic " + Data("\(user):\(password)".utf8).base64EncodedString())
    }

    private func answer(to request: HTTPClientRequest, _ headers: [Header]) async throws -> GatewayAnswer {
        var request = request
        for header in headers { request.headers.add(name: header.name, value: header.value) }
        if !request.headers.contains(name: "Accept") { request.headers.add(name: "Accept", value: "application/json") }
        if let place = TraceParent.current { request.headers.add(name: "traceparent", value: place.description) }
        let response = try await client.execute(request, deadline: .distantFuture)
        // What cannot be read is no reason to forget the status.
        let body = try? await response.body.collect(upTo: Self.longestAnswer)
        return GatewayAnswer(
            status: Int(response.status.code),
            retryAfter: GatewayAnswer.wait(response.headers.first(name: "Retry-After")),
            date: response.headers.first(name: "Date").flatMap(Timestamp.init(httpDate:)),
            body: body.map { Array($0.readableBytesView) }
        )
    }

    private static func failure(_ error: any Error, mayHaveBeenSent: Bool) -> GatewayFailure {
        let isLate = error is CancellationError || error as? HTTPClientError == .cancelled
        if mayHaveBeenSent {
            return isLate ? .ambiguous("no answer in time") : .ambiguous("the connection ended before the answer")
        }
        return isLate || error as? HTTPClientError == .connectTimeout
            ? .retry("the gateway was not reached in time") : .retry("the gateway cannot be reached")
    }
}
