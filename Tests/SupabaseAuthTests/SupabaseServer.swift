import HTTPTypes
import NIOCore
import NIOEmbedded
import OpenSSLCrypto
import PhoneAdministration
import PhoneDock
import PhoneDomain
import PhoneSettings
import PhoneTestSupport
import Records
import Synchronization
import Testing
import TextEncodings

@testable import PhoneHTTP
@testable import SupabaseAuth

/// The dock on a router over ports in memory, asked where a connection would ask it, at 2026-01-01T00:00:00Z. The code of
/// the first request for one is `100000`, of the next `100001`; a repeated request sends the code of the first.
struct SupabaseServer: Sendable {
    struct Answer {
        let status: Int
        /// By lower-case name.
        let headers: [String: String]
        let body: String

        var json: JSON { JSON(parsing: body) ?? .null }
        func text(_ member: String) -> String? { json[member]?.string }
        /// The status and the error's code.
        var error: [String] { ["\(status)", json["code"]?.string ?? body] }
    }

    static let key = "sb_publishable_test"
    static let number = "+821012345678"

    let clock = ManualClock()
    let store = MemoryStore(records: RecordTypes(docks: SupabaseAuth.records))
    let log = LogRecorder()
    let accounts: AccountUseCase
    private let responder: APIResponder
    private let peer: Peer

    static func run(
        policy: VerificationPolicy = .standard,
        abusePolicy: AbusePolicy = AbusePolicy(limits: .none, trafficGuard: .standard, testNumbers: .none),
        accountPolicy: AccountPolicy = .standard,
        origins: CrossOrigins = .none,
        _ work: (SupabaseServer) async throws -> Void
    ) async throws {
        try await work(SupabaseServer(policy, abusePolicy, accountPolicy, origins))
    }

    private init(
        _ policy: VerificationPolicy,
        _ abusePolicy: AbusePolicy,
        _ accountPolicy: AccountPolicy,
        _ origins: CrossOrigins
    ) async throws {
        let identifiers = OrderedIdentifiers(random: CountingIdentifiers(), clock: clock)
        let useCase = DefaultPhoneUseCase(
            policy: policy,
            abusePolicy: abusePolicy,
            accountPolicy: accountPolicy,
            store: store,
            vault: CountingCodeVault(),
            digester: PlainNumberDigester(),
            identifiers: identifiers,
            clock: clock
        )
        let tokens = JWTAccessTokens(
            issuer: "https://phone.example",
            audience: "phone",
            store: store,
            sealer: PlainSecretSealer(),
            clock: clock
        )
        accounts = AccountUseCase(
            accountPolicy: accountPolicy,
            limits: abusePolicy.limits,
            store: store,
            authority: tokens,
            deriver: PlainSecretDeriver(),
            vault: PlainTokenVault(),
            digester: PlainNumberDigester(),
            identifiers: CountingIdentifiers(after: 1000),
            clock: clock
        )
        let keys = APIKeys(store: store, tokens: PlainTokenVault(), identifiers: identifiers, clock: clock)
        let service = DockService(
            verifications: useCase,
            accounts: accounts,
            store: store,
            keys: keys,
            catalog: NoCatalog(),
            digester: PlainNumberDigester(),
            deriver: PlainSecretDeriver(),
            identifiers: CountingIdentifiers(after: 2000),
            clock: clock,
            discovery: Discovery(issuer: "https://phone.example", keys: tokens, clock: clock),
            claims: Signer(tokens: tokens),
            tokens: PlainTokenVault(),
            administration: Administration(
                policies: Administration.Policies(),
                store: store,
                keys: keys,
                clients: OAuthClients(
                    store: store,
                    tokens: PlainTokenVault(),
                    identifiers: identifiers,
                    clock: clock
                ),
                clock: clock,
                digester: { PlainNumberDigester() }
            ),
            language: .english
        )
        let settings = try SettingsReader(
            file: nil,
            environment: [
                "PHONEPROOF_SUPABASE_ENABLED": "true", "PHONEPROOF_SUPABASE_API_KEYS": "old-key-1,\(Self.key)",
            ]
        )
        let router = APIRouter()
        // As the service does before its docks, since limits count by it.
        router.add(
            ClientAddressing(
                proxies: TrustedProxies(blocks: [try #require(AddressBlock("127.0.0.1"))], header: .xForwardedFor)
            )
        )
        SupabaseAuth(settings).addRoutes(to: router, over: service)
        var options = ServerOptions(host: "127.0.0.1", port: 0)
        options.origins = origins
        responder = HTTPService(serving: router, options, clock: clock, logger: log.logger).responder
        let channel = NIOAsyncTestingChannel()
        try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 9)).get()
        peer = Peer(channel)
    }

    private struct Signer: ClaimsSigner {
        let tokens: JWTAccessTokens
        func sign(_ claims: JSON) async throws -> String { try await tokens.sign(claims) }
        func claims(in text: String) async throws -> JSON? { try await tokens.claims(in: text) }
    }

    /// Sends a request as the libraries do, with the key of the app.
    ///
    /// - Parameters:
    ///   - token: nil for the app's key, which they send before anybody has signed in.
    ///   - address: whence it comes.
    func send(
        _ method: String,
        _ path: String,
        _ body: String? = nil,
        token: String? = nil,
        address: String = "203.0.113.7",
        headers: [String: String] = ["apikey": key, "X-Supabase-Api-Version": "2024-01-01"]
    ) async throws -> Answer {
        var fields: HTTPFields = [.authorization: "Bearer " + (token ?? Self.key)]
        for (name, value) in headers.merging(["X-Forwarded-For": address], uniquingKeysWith: { one, _ in one }) {
            fields[try #require(HTTPField.Name(name))] = value
        }
        fields[.contentType] = "application/json;charset=UTF-8"
        let request = Request(
            head: HTTPRequest(
                method: try #require(HTTPRequest.Method(method)),
                scheme: "http",
                authority: "127.0.0.1:8080",
                path: "/auth/v1" + path,
                headerFields: fields
            ),
            body: ByteBuffer(string: body ?? "")
        )
        let response = await responder.respond(to: request, APIContext(peer: peer, logger: log.logger))
        guard case .whole(let bytes) = response.body else { throw Streamed() }
        return Answer(
            status: response.status.code,
            headers: Dictionary(response.headers.map { ($0.name.canonicalName, $0.value) }) { $0 + "," + $1 },
            body: String(buffer: bytes)
        )
    }

    private struct Streamed: Error {}

    /// Asks for a code. After an hour, so that no wait is in the way.
    func sendCode(to number: String = number, _ members: String = "", address: String = "203.0.113.7") async throws {
        clock.advance(by: .seconds(3600))
        let answer = try await send("POST", "/otp", #"{"phone":"\#(number)"\#(members)}"#, address: address)
        #expect(answer.status == 200, "\(answer.body)")
        #expect(answer.body == "{}")
    }

    func verify(
        _ code: String,
        _ number: String = number,
        type: String = "sms",
        token: String? = nil,
        address: String = "203.0.113.7"
    ) async throws -> Answer {
        let body = #"{"phone":"\#(number)","token":"\#(code)","type":"\#(type)"}"#
        return try await send("POST", "/verify", body, token: token, address: address)
    }

    /// Signs somebody in with the next code, which must be this one.
    func signIn(_ code: String, _ number: String = number, _ members: String = "") async throws -> Tokens {
        try await sendCode(to: number, members)
        let answer = try await verify(code, number)
        #expect(answer.status == 200, "\(answer.body)")
        return try #require(Tokens(answer))
    }

    struct Tokens {
        let access: String
        let refresh: String
        let json: JSON

        init?(_ answer: Answer) {
            guard let access = answer.text("access_token"), let refresh = answer.text("refresh_token") else {
                return nil
            }
            (self.access, self.refresh, json) = (access, refresh, answer.json)
        }

        var claims: JSON? {
            let part = access.split(separator: ".")[1]
            return [UInt8](.base64URL, part.utf8).flatMap { JSON(parsing: String(decoding: $0, as: UTF8.self)) }
        }
    }
}

/// Codes that count up from 100000, without cryptography.
private struct CountingCodeVault: CodeVault {
    private let count = Counter()

    func makeCode(length: Int) throws -> VerificationCode {
        try #require(VerificationCode("\(100_000 + count.next())"))
    }

    func seal(_ code: VerificationCode, for context: CodeContext) -> SealedCode {
        FixedCodeVault(code: code).seal(code, for: context)
    }

    func matches(_ code: VerificationCode, _ sealed: SealedCode, for context: CodeContext) -> Bool {
        FixedCodeVault(code: code).matches(code, sealed, for: context)
    }

    func open(_ sealed: SealedCode, for context: CodeContext) throws -> VerificationCode {
        try FixedCodeVault(code: #require(VerificationCode("100000"))).open(sealed, for: context)
    }
}

private struct NoCatalog: MessageCatalog {
    let templates: [MessageTemplateListing] = []
    let builtInLanguages: [LanguageTag] = [.english]
    func error(in wording: MessageWording, language: LanguageTag) -> MessageWordingError? { nil }
}

private final class Counter: Sendable {
    private let value = Mutex(0)
    func next() -> Int {
        value.withLock { value in
            defer { value += 1 }; return value
        }
    }
}
