package import AsyncHTTPClient
public import CoreEncodings
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
public import PhoneDomain
import PhoneSignup
import Synchronization

/// An HTTP client with a connection pool of its own for one gateway. It distinguishes what surely was not sent from
/// what may have been. The caller sets the timeout, by cancellation. Redirects are not followed.
package final class GatewayClient: Sendable {
    package typealias Header = (name: String, value: String)

    /// The most bytes of a response, more than any about one message has.
    private static let maxResponseSize = 64 * 1024

    private let client: HTTPClient

    /// - Parameter connectTimeout: includes the TLS handshake. It is shorter than a message's timeout, so that a
    ///   gateway that cannot be reached is distinguished from one that does not respond.
    package init(connectTimeout: Duration) {
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: .outgoing(connectTimeout))
    }

    deinit {
        _ = client.shutdown()
    }

    /// - Parameter headers: `Accept` among them replaces JSON.
    /// - Throws: ``GatewayFailure``: ``GatewayFailure/Kind/retry`` if it surely was not sent,
    ///   ``GatewayFailure/Kind/ambiguous`` once it may have been.
    func post(
        _ body: [UInt8],
        contentType: String,
        to url: String,
        method: HTTPMethod = .POST,
        headers: [Header] = []
    ) async throws(GatewayFailure) -> GatewayResponse {
        let body = OneTimeBody(body)
        var request = HTTPClientRequest(url: url)
        request.method = method
        request.headers.add(name: "Content-Type", value: contentType)
        request.body = .stream(body, length: .known(Int64(body.count)))
        do {
            return try await response(to: request, headers)
        } catch {
            throw Self.failure(error, of: url, mayHaveBeenSent: body.mayHaveBeenSent)
        }
    }

    package func post(
        _ form: URLEncodedForm,
        to url: String,
        headers: [Header]
    ) async throws(GatewayFailure) -> GatewayResponse {
        try await post(form.bytes, contentType: URLEncodedForm.contentType, to: url, headers: headers)
    }

    package func post(json: JSON, to url: String, headers: [Header]) async throws(GatewayFailure) -> GatewayResponse {
        let body = Array(json.text.utf8)
        return try await post(body, contentType: "application/json; charset=utf-8", to: url, headers: headers)
    }

    /// - Throws: ``GatewayFailure/Kind/retry``: the request may be repeated.
    package func get(_ url: String, headers: [Header] = []) async throws(GatewayFailure) -> GatewayResponse {
        do {
            return try await response(to: HTTPClientRequest(url: url), headers)
        } catch {
            throw Self.failure(error, of: url, mayHaveBeenSent: false)
        }
    }

    package static func basicAuthorization(user: String, password: String) -> Header {
        ("Authorization", "Basic " + "\(user):\(password)".utf8.base64)
    }

    private func response(to request: HTTPClientRequest, _ headers: [Header]) async throws -> GatewayResponse {
        var request = request
        for header in headers { request.headers.add(name: header.name, value: header.value) }
        if !request.headers.contains(name: "Accept") { request.headers.add(name: "Accept", value: "application/json") }
        if let parent = TraceParent.current { request.headers.add(name: "traceparent", value: parent.description) }
        let response = try await client.execute(request, deadline: .distantFuture)
        // The status counts even if the body cannot be read.
        let body = try? await response.body.collect(upTo: Self.maxResponseSize)
        return GatewayResponse(
            status: Int(response.status.code),
            retryAfter: response.headers.retryAfter,
            date: response.headers.date,
            body: body.map { Array($0.readableBytesView) }
        )
    }

    private static func failure(_ error: any Error, of url: String, mayHaveBeenSent: Bool) -> GatewayFailure {
        let isTimeout = error is CancellationError || error as? HTTPClientError == .cancelled
        if mayHaveBeenSent {
            return isTimeout
                ? .ambiguous("no response in time") : .ambiguous("the connection was closed before the response")
        }
        // Nothing else of the address: a path or a query may have a secret or a number.
        let start = url.firstRange(of: "://")?.upperBound ?? url.startIndex
        let host = url[start...].prefix { !"/?#".contains($0) }.split(separator: "@").last ?? ""
        return isTimeout || error as? HTTPClientError == .connectTimeout
            ? .retry("the gateway was not reached in time").because(of: host)
            : .retry("the gateway cannot be reached").because(cause(of: error), of: host)
    }

    /// Why there is no connection, for those who look for it; nil if that is in the client's own words alone.
    package static func cause(of error: any Error) -> StaticString? {
        switch error {
        case let error as NIOConnectionError:
            error.connectionErrors.isEmpty
                ? "its name is unknown" : error.connectionErrors.lazy.compactMap { cause(of: $0.error) }.first
        case let error as IOError:
            switch error.errnoCode {
            case ECONNREFUSED: "connection refused"
            case ECONNRESET: "connection reset"
            case EHOSTUNREACH, ENETUNREACH: "no route to it"
            default: nil
            }
        case is NIOSSLError, is NIOSSLExtraError: "no trusted TLS connection"
        default: nil
        }
    }
}

extension HTTPHeaders {
    fileprivate var date: Timestamp? { first(name: "Date").flatMap(Timestamp.init(httpDate:)) }

    /// How long the server asks to wait, at most a day (``GatewayResponse/wait(_:at:)``).
    var retryAfter: Duration? { GatewayResponse.wait(first(name: "Retry-After"), at: date ?? .now) }
}

/// How a vendor with signed requests is reached.
public struct VendorAccess: Sendable {
    let address: EndpointURL
    let connectTimeout: Duration
    let authenticator: any RequestAuthenticator
    /// Makes what is unique in a signature.
    let identifiers: any IdentifierSource
    /// Must be accurate: requests that are a few minutes off are refused.
    let wallClock: any WallClock

    public init(
        address: EndpointURL,
        connectTimeout: Duration,
        authenticator: any RequestAuthenticator,
        identifiers: any IdentifierSource,
        wallClock: any WallClock
    ) {
        (self.address, self.connectTimeout, self.authenticator) = (address, connectTimeout, authenticator)
        (self.identifiers, self.wallClock) = (identifiers, wallClock)
    }
}

extension HTTPClient.Configuration {
    /// What the service posts to others with.
    ///
    /// - Parameters:
    ///   - connectTimeout: includes the TLS handshake.
    ///   - idleTime: how long a connection is kept for the next request. The standard is long enough for a burst. When
    ///     the server closes a connection at the moment of its reuse, a message's fate is unknown, or a webhook loses an
    ///     attempt. No server closes an idle connection as soon as this.
    package static func outgoing(
        _ connectTimeout: Duration,
        idleTime: Duration = .seconds(1)
    ) -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration()
        configuration.httpVersion = .http1Only
        // Secrets and numbers are for the configured host only.
        configuration.redirectConfiguration = .disallow
        configuration.timeout.connect = .milliseconds(connectTimeout.wholeMilliseconds)
        // Each caller tries again by a pace of its own, or tells somebody at once.
        configuration.connectionPool.retryConnectionEstablishment = false
        // The dispatchers limit the concurrency.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1000
        configuration.connectionPool.idleTimeout = .milliseconds(idleTime.wholeMilliseconds)
        return configuration
    }
}

/// A request body that can be sent once and records whether it was.
///
/// The client reads the body only when there is a connection and the head has been written. A request that ended before
/// that was not sent: the server lacks the body that the head announced. One that ended after it may have been
/// processed.
final class OneTimeBody: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    private struct SentTwice: Error {}

    private let bytes: [UInt8]
    private let isRead = Atomic(false)

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var count: Int { bytes.count }

    var mayHaveBeenSent: Bool { isRead.load(ordering: .sequentiallyConsistent) }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(body: self) }

    struct AsyncIterator: AsyncIteratorProtocol {
        let body: OneTimeBody
        var isAtEnd = false

        mutating func next() async throws -> ByteBuffer? {
            if isAtEnd { return nil }
            isAtEnd = true
            guard !body.isRead.exchange(true, ordering: .sequentiallyConsistent) else { throw SentTwice() }
            return ByteBuffer(bytes: body.bytes)
        }
    }
}
