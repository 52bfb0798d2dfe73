import CoreEncodings
import HTTPTypes
import Logging
import NIOCore
import NIOEmbedded
import OpenSSLCrypto
import PhoneAccounts
import PhoneDomain
import PhoneHTTP
import PhoneViewModel

/// The HTTP interface, asked where a connection would ask it.
struct SocketlessServer {
    private let responder: APIResponder
    private let peer: Peer
    private let headers: HeaderFields
    private let logger: Logger

    init(_ rooms: Rooms) async throws {
        let (identifiers, tokens) = (OpenSSLRandom(), OpenSSLTokenVault())
        let keys = APIKeys(store: rooms.store, tokens: tokens, identifiers: identifiers, clock: rooms.clock)
        guard let name = CallerName("benchmark") else { throw UnexpectedOutcome() }
        let secret = try await keys.create(name: name, scopes: [.verifications]).secret
        var logger = Logger(label: "benchmark") { _ in SwiftLogNoOpLogHandler() }
        logger.logLevel = .warning
        self.logger = logger
        let accounts = AccountUseCase(
            store: rooms.store,
            authority: NoAuthority(),
            deriver: rooms.vault,
            vault: tokens,
            digester: rooms.vault,
            identifiers: identifiers,
            clock: rooms.clock
        )
        let signups = HostedSignup(
            useCase: rooms.useCase,
            accounts: accounts,
            store: rooms.store,
            tokens: tokens,
            identifiers: identifiers,
            clock: rooms.clock,
            ttl: .seconds(3600),
            limits: .none
        )
        let api = PhoneAPI(
            signups: signups,
            requests: rooms.store,
            digester: rooms.vault,
            callers: CallerAuthority(keys: keys),
            identifiers: identifiers,
            isReady: {}
        )
        let options = ServerOptions(host: "127.0.0.1", port: 0)
        responder = HTTPService(serving: api.makeRouter(), options, clock: rooms.clock, logger: logger).responder
        let channel = NIOAsyncTestingChannel()
        try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 9)).get()
        peer = Peer(channel)
        headers = [.authorization: "Bearer \(secret.text)", .contentType: "application/json"]
    }

    /// Begins a verification of a number that has none.
    func start(_ number: String) async throws -> Response {
        try await post("/v1/verifications", "{\"phone_number\":\"\(number)\"}", headers, .created)
    }

    func startAndCheck(_ number: String) async throws {
        let begun = try await start(number)
        guard let path = begun.headers[.location] else { throw UnexpectedOutcome() }
        _ = try await post("\(path)/checks", "{\"code\":\"\(Rooms.code)\"}", headers, .ok)
    }

    private func post(
        _ path: String,
        _ text: String,
        _ headers: HeaderFields,
        _ status: HTTPResponse.Status
    ) async throws -> Response {
        let body = ByteBuffer(string: text)
        var headers = headers
        headers[.contentLength] = String(body.readableBytes)
        let request = Request(
            .post,
            path,
            authority: "127.0.0.1",
            headers: headers,
            body: .whole(body)
        )
        let response = await responder.respond(to: request, APIContext(peer: peer, logger: logger))
        guard response.status == status else { throw UnexpectedOutcome() }
        return response
    }
}
