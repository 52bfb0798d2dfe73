import CoreEncodings
import HTTPTypes
import NIOCore
import NIOEmbedded
package import PhoneAccounts
package import PhoneAdministration
package import PhoneDomain
import PhoneSignup
import PhoneStore
package import PhoneTestSupport
import Synchronization
import Testing

@testable package import PhoneHTTP
@testable package import PhoneService

/// What signs a server's tokens.
package typealias DockTokens = (authority: any AccessTokenAuthority, keys: any ClaimsSigner & SigningKeyPublisher)

/// A dock on a router over ports in memory, asked where a connection would ask it, at 2026-01-01T00:00:00Z. Every code
/// is a beginning of `3141592653`, unless a test brings a vault.
package struct DockServer<D: Dock>: Sendable {
    package typealias Answer = HTTPAnswer

    package let clock = ManualClock()
    package let store = MemoryStore(records: RecordTypes(docks: D.records))
    package let log = LogRecorder()
    package let useCase: VerificationUseCase
    package let accounts: AccountUseCase
    package let keys: APIKeys
    package let administration: Administration
    /// All routes, such as `POST /v2/Services`.
    package let routes: [String]
    private let responder: APIResponder
    private let peer: Peer

    /// With `proxies` a client's address is the one that they forward; else none is known.
    package static func run(
        policy: VerificationPolicy = .standard,
        abusePolicy: AbusePolicy = .standard,
        accountPolicy: AccountPolicy = .standard,
        settings: [String: String] = [:],
        origins: CrossOrigins = .none,
        proxies: TrustedProxies? = nil,
        vault: (any CodeVault)? = nil,
        tokens: ((MemoryStore, ManualClock) -> DockTokens)? = nil,
        signInKeys: ((MemoryStore) -> any SignInKeyDesk)? = nil,
        _ work: (DockServer) async throws -> Void
    ) async throws {
        let vault = try vault ?? FixedCodeVault(digits: "3141592653")
        try await work(
            DockServer(policy, abusePolicy, accountPolicy, settings, origins, proxies, vault, tokens, signInKeys)
        )
    }

    private init(
        _ policy: VerificationPolicy,
        _ abusePolicy: AbusePolicy,
        _ accountPolicy: AccountPolicy,
        _ settings: [String: String],
        _ origins: CrossOrigins,
        _ proxies: TrustedProxies?,
        _ vault: any CodeVault,
        _ makeTokens: ((MemoryStore, ManualClock) -> DockTokens)?,
        _ makeSignInKeys: ((MemoryStore) -> any SignInKeyDesk)?
    ) async throws {
        let identifiers = CountingIdentifiers()
        let tokens = makeTokens?(store, clock) ?? (PlainAccessTokens(), NoTokens())
        var useCase = VerificationUseCase(
            store: store,
            vault: vault,
            digester: PlainNumberDigester(),
            identifiers: identifiers,
            clock: clock
        )
        (useCase.policy, useCase.abusePolicy, useCase.accountPolicy) = (policy, abusePolicy, accountPolicy)
        self.useCase = useCase
        keys = APIKeys(store: store, tokens: PlainTokenVault(), identifiers: identifiers, clock: clock)
        accounts = AccountUseCase(
            accountPolicy: accountPolicy,
            limits: abusePolicy.limits,
            store: store,
            authority: tokens.authority,
            deriver: PlainSecretDeriver(),
            vault: PlainTokenVault(),
            digester: PlainNumberDigester(),
            identifiers: identifiers,
            clock: clock
        )
        let router = APIRouter()
        // As the service does before its docks, since limits count by it.
        if let proxies { router.add(ClientAddressing(proxies: proxies)) }
        var service = DockService(
            verifications: useCase,
            accounts: accounts,
            store: store,
            keys: keys,
            catalog: PlainCatalog(),
            digester: PlainNumberDigester(),
            deriver: PlainSecretDeriver(),
            identifiers: CountingIdentifiers(after: 2000),
            clock: clock,
            discovery: Discovery(issuer: "https://phone.example", keys: tokens.keys, clock: clock),
            claims: tokens.keys,
            tokens: PlainTokenVault(),
            administration: Administration(
                policies: Administration.Policies(limits: abusePolicy.limits, trafficGuard: abusePolicy.trafficGuard),
                store: store,
                keys: keys,
                clients: OAuthClients(
                    store: store,
                    tokens: PlainTokenVault(),
                    identifiers: CountingIdentifiers(after: 3000),
                    clock: clock
                ),
                clock: clock,
                digester: { PlainNumberDigester() },
                gateways: PlainGatewayDesk(),
                configuration: { [Finding("address", "127.0.0.1:8080"), .warning(#"a "<i>setting'&""#)] },
                keyFile: { KeyFileFacts(keys: 2, changedAt: Timestamp(seconds: 1_764_547_200)) },
                instance: Instance.ID(bits: 0, 1)
            ),
            proxies: proxies ?? .none,
            language: .english
        )
        let reader = try SettingsReader(file: nil, environment: settings)
        let dock = D(reader)
        try reader.finish()
        service.administration.signInKeyDesk = dock.keySignIn(over: service) ?? makeSignInKeys?(store)
        administration = service.administration
        dock.addRoutes(to: router, over: service)
        let own = dock.listener(over: service)?.makeRouter()
        routes = (own ?? router).routes.map { "\($0.method.rawValue) \($0.path)" }
        var options = ServerOptions(host: "127.0.0.1", port: 0)
        options.origins = origins
        responder = HTTPService(serving: own ?? router, options, clock: clock, logger: log.logger).responder
        let channel = NIOAsyncTestingChannel()
        try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 9)).get()
        peer = Peer(channel)
    }

    package func send(
        _ method: String,
        _ path: String,
        _ body: String? = nil,
        type: String? = "application/json",
        headers: [String: String] = [:]
    ) async throws -> Answer {
        var fields = HeaderFields()
        for (name, value) in headers where name != "Host" { fields[try #require(HTTPField.Name(name))] = value }
        if body != nil { fields[.contentType] = type }
        let request = Request(
            try #require(HTTPRequest.Method(method)),
            path,
            authority: headers["Host"] ?? "127.0.0.1:8080",
            headers: fields,
            body: .whole(ByteBuffer(string: body ?? ""))
        )
        let response = await responder.respond(to: request, APIContext(peer: peer, logger: log.logger))
        let bytes: ByteBuffer
        switch response.body {
        case .whole(let whole): bytes = whole
        // Events go on for as long as somebody looks.
        case .streamed where response.headers[.contentType] == "text/event-stream": throw Streamed()
        case .streamed(let write):
            let parts = Mutex(ByteBuffer())
            try await write { part in parts.withLock { _ = $0.writeImmutableBuffer(part) } }
            bytes = parts.withLock { $0 }
        }
        return Answer(
            status: response.status.code,
            headers: response.headers.map { ($0.name, $0.value) },
            body: String(buffer: bytes)
        )
    }

    private struct Streamed: Error {}
}

/// Nobody signs in.
private struct NoTokens: ClaimsSigner, SigningKeyPublisher {
    func sign(_ claims: JSON) throws -> String { throw PhoneFailure.notSignedIn }
    func claims(in text: String) -> JSON? { nil }
    func publishedKeys(at now: Timestamp) -> [PublishedKey] { [] }
}
