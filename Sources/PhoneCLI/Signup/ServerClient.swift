import AsyncHTTPClient
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
public import PhoneDomain
public import TextEncodings

protocol SignupClient: Sendable {
    /// - Throws: ``SignupFlowError/unreachable(server:reason:)`` if there is no response.
    func response(to request: ClientRequest) async throws(SignupFlowError) -> ClientResponse
}

struct ClientRequest: Hashable, Sendable {
    var method: String
    var path: String
    var token: SecretToken?
    var fields: [String: String]
}

struct ClientResponse: Hashable, Sendable {
    var status: Int
    var body: [UInt8]

    var json: JSON? { body.withUnsafeBytes { JSON(parsing: $0) } }
}

struct HTTPSignupClient: SignupClient {
    private static let timeout = TimeAmount.seconds(15)
    /// The most bytes of a body that are read, more than any response of the service has.
    private static let longestBody = 256 * 1024

    /// One for the process. It must not be released without being shut down, so it lives until the process ends.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        // A person at a prompt wants to know of a refused connection now, and not after the timeout.
        configuration.connectionPool.retryConnectionEstablishment = false
        // The token is for the server that was named, and for no other.
        configuration.redirectConfiguration = .disallow
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    let server: EndpointURL
    /// The language of errors of requests without a signup.
    let language: LanguageTag

    func response(to request: ClientRequest) async throws(SignupFlowError) -> ClientResponse {
        do {
            let fields = request.fields.map { JSON.Member($0, .string($1)) }
            var httpRequest = HTTPClientRequest(url: server.description + request.path)
            httpRequest.method = HTTPMethod(rawValue: request.method)
            httpRequest.headers.add(name: "Accept", value: "application/json, application/problem+json")
            httpRequest.headers.add(name: "Accept-Language", value: language.description)
            httpRequest.headers.add(name: "Content-Type", value: "application/json")
            if let token = request.token {
                httpRequest.headers.add(name: "Authorization", value: "Bearer \(token.text)")
            }
            httpRequest.body = .bytes(ByteBuffer(bytes: JSON.object(fields).utf8))
            let response = try await Self.client.execute(httpRequest, timeout: Self.timeout)
            let body = try await response.body.collect(upTo: Self.longestBody)
            return ClientResponse(status: Int(response.status.code), body: Array(body.readableBytesView))
        } catch {
            throw .unreachable(server: server.description, reason: reason(error))
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

/// The messages in the SMS stub of a server, if it has one that we may read.
public actor RemoteInbox {
    private let server: EndpointURL
    private var shown: Set<String> = []

    public init(server: EndpointURL) { self.server = server }

    /// The message that has just been sent to this number, if it arrives within two seconds; nil at once if there is
    /// no stub.
    public func note(_ sent: SentCode) async -> String? {
        for _ in 0..<20 {
            guard let inbox = await messages(to: sent.number.e164) else { return nil }
            if let message = inbox.first, let id = message["sid"]?.string, shown.insert(id).inserted {
                return message["body"]?.string
            }
            try? await Task.sleep(for: .milliseconds(100))
        }
        return nil
    }

    private func messages(to e164: String) async -> [JSON]? {
        let request = HTTPClientRequest(
            url: server.description + "/stub/messages?limit=1&to=" + e164.replacing("+", with: "%2B")
        )
        guard let response = try? await HTTPClient.shared.execute(request, timeout: .seconds(5)),
            response.status == .ok,
            let body = try? await response.body.collect(upTo: 64 * 1024)
        else { return nil }
        return body.withUnsafeReadableBytes { JSON(parsing: $0) }?["messages"]?.array
    }
}
