import AsyncHTTPClient
import FoundationEssentials
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import PhoneDomain

/// Calls over HTTP.
struct HTTPSignupExchange: SignupExchange {
    private static let timeout = TimeAmount.seconds(15)
    /// More than any answer of the service has.
    private static let longestBody = 256 * 1024

    /// One for the process, which must not be released without being shut down; the process's end does for it.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        // Whoever waits at a prompt wants to hear of a refused connection now, and not after the timeout.
        configuration.connectionPool.retryConnectionEstablishment = false
        // A token is for the server that was named, and for no other.
        configuration.redirectConfiguration = .disallow
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    let server: ServerAddress

    func answer(to call: SignupCall) async throws(SignupFlowError) -> SignupAnswer {
        do {
            var request = HTTPClientRequest(url: server.description + call.path)
            request.method = HTTPMethod(rawValue: call.method)
            request.headers.add(name: "Accept", value: "application/json, application/problem+json")
            request.headers.add(name: "Content-Type", value: "application/json")
            if let token = call.token { request.headers.add(name: "Authorization", value: "Bearer \(token.text)") }
            request.body = .bytes(ByteBuffer(bytes: try JSONEncoder().encode(call.fields)))
            let response = try await Self.client.execute(request, timeout: Self.timeout)
            let body = try await response.body.collect(upTo: Self.longestBody)
            return SignupAnswer(status: Int(response.status.code), body: Array(body.readableBytesView))
        } catch {
            throw .unreachable(server: server.description, reason: reason(error))
        }
    }

    /// In a few words: the errors of the network library print their whole history.
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
