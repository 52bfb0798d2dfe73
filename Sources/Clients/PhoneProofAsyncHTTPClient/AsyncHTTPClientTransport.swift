public import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
public import PhoneProofClient

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Requests by AsyncHTTPClient, for servers and command lines.
public struct AsyncHTTPClientTransport: HTTPTransport {
    private let client: HTTPClient
    private let timeout: Duration

    /// - Parameters:
    ///   - client: it must not follow redirections (``configuration``), and the caller shuts it down.
    ///   - timeout: how long a request may take.
    public init(_ client: HTTPClient, timeout: Duration = .seconds(15)) {
        (self.client, self.timeout) = (client, timeout)
    }

    /// The configuration of a client that connects at once or not at all, and follows no redirection.
    public static var configuration: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.connectionPool.retryConnectionEstablishment = false
        return configuration
    }

    public func response(to request: HTTPTransportRequest) async throws -> HTTPTransportResponse {
        do {
            var httpRequest = HTTPClientRequest(url: request.url)
            httpRequest.method = HTTPMethod(rawValue: request.method)
            for (name, value) in request.headers { httpRequest.headers.add(name: name, value: value) }
            if !request.body.isEmpty { httpRequest.body = .bytes(ByteBuffer(bytes: request.body)) }
            let milliseconds = Int64(timeout / .milliseconds(1))
            let response = try await client.execute(httpRequest, timeout: .milliseconds(milliseconds))
            let body = try await response.body.collect(upTo: HTTPTransportResponse.longestBody)
            return HTTPTransportResponse(
                status: Int(response.status.code),
                headers: Dictionary(response.headers.map { ($0.name.lowercased(), $0.value) }) { first, _ in first },
                body: Array(body.readableBytesView)
            )
        } catch {
            throw Unreachable(description: reason(error))
        }
    }

    /// Says it in a few words: the errors of the network library print their whole history.
    private func reason(_ error: any Error) -> String {
        switch error {
        case let error as HTTPClientError: error.shortDescription
        case let error as NIOConnectionError:
            error.connectionErrors.first.map { reason($0.error) } ?? "no such host"
        case let error as IOError: String(cString: strerror(error.errnoCode))
        default: String(describing: error)
        }
    }
}

private struct Unreachable: Error, CustomStringConvertible { let description: String }
