import HTTPTypes
import NIOCore
import NIOEmbedded
import PhoneDock
import PhoneDomain
import PhoneHTTP
import PhoneSettings
import PhoneTestSupport
import Records
import Testing
import TextEncodings

@testable import TwilioVerify

/// The dock on a router over ports in memory, asked where a connection would ask it, at 2026-01-01T00:00:00Z. Every
/// code is a beginning of `3141592653`.
struct TwilioServer: Sendable {
    struct Answer {
        let status: Int
        /// By lower-case name.
        let headers: [String: String]
        let body: String

        /// The first string of this member.
        func text(_ member: String) -> String? {
            guard let range = body.firstRange(of: "\"\(member)\":\"") else { return nil }
            return String(body[range.upperBound...].prefix { $0 != "\"" })
        }
    }

    let clock = ManualClock()
    let store = MemoryStore(records: RecordTypes(docks: TwilioVerify.records))
    let log = LogRecorder()
    let useCase: RecordingUseCase
    let keys: APIKeys
    let tenantKeys: TenantKeys
    private let responder: APIResponder
    private let peer: Peer

    static func run(
        policy: VerificationPolicy = .standard,
        abusePolicy: AbusePolicy = .standard,
        _ work: (TwilioServer) async throws -> Void
    ) async throws {
        try await work(TwilioServer(policy, abusePolicy))
    }

    private init(_ policy: VerificationPolicy, _ abusePolicy: AbusePolicy) async throws {
        let identifiers = CountingIdentifiers()
        useCase = RecordingUseCase(
            DefaultPhoneUseCase(
                policy: policy,
                abusePolicy: abusePolicy,
                store: store,
                vault: BeginningCodeVault(digits: "3141592653"),
                digester: PlainNumberDigester(),
                identifiers: identifiers,
                clock: clock
            )
        )
        keys = APIKeys(store: store, tokens: PlainTokenVault(), identifiers: identifiers, clock: clock)
        tenantKeys = TenantKeys(keys: keys)
        let router = APIRouter()
        let service = DockService(
            verifications: useCase,
            store: store,
            keys: keys,
            catalog: PlainCatalog(),
            digester: PlainNumberDigester(),
            identifiers: CountingIdentifiers(after: 2000),
            clock: clock,
            accounts: AccountUseCase(
                store: store,
                authority: PlainAccessTokens(),
                deriver: PlainSecretDeriver(),
                vault: PlainTokenVault(),
                digester: PlainNumberDigester(),
                identifiers: identifiers,
                clock: clock
            ),
            discovery: Discovery(issuer: "https://phone.example", keys: NoTokens(), clock: clock),
            claims: NoTokens(),
            language: .english
        )
        TwilioVerify(try SettingsReader(file: nil, environment: [:])).addRoutes(to: router, over: service)
        let options = ServerOptions(host: "127.0.0.1", port: 0)
        responder = HTTPService(serving: router, options, clock: clock, logger: log.logger).responder
        let channel = NIOAsyncTestingChannel()
        try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 9)).get()
        peer = Peer(channel)
    }

    func send(
        _ method: String,
        _ path: String,
        _ body: String? = nil,
        type: String? = "application/json",
        headers: [String: String] = [:]
    ) async throws -> Answer {
        var fields = HTTPFields()
        for (name, value) in headers where name != "Host" { fields[try #require(HTTPField.Name(name))] = value }
        if body != nil { fields[.contentType] = type }
        let request = Request(
            head: HTTPRequest(
                method: try #require(HTTPRequest.Method(method)),
                scheme: "http",
                authority: headers["Host"] ?? "127.0.0.1:8080",
                path: path,
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

    /// A key of a tenants' account, as Basic authentication sends it.
    struct TwilioKey: Sendable {
        let field: String
        let account: TenantAccount.ID
        var sid: String { "AC" + account.hexadecimal }
    }

    func twilioAccount() async throws -> TwilioKey {
        let (key, secret) = try await tenantKeys.create(name: try #require(CallerName("app")))
        return TwilioKey(field: basic("AC\(key.id.hexadecimal):\(secret.text)"), account: key.account)
    }

    /// Creates another key of an account.
    func twilioKey(of other: TwilioKey, service: String? = nil) async throws -> TwilioKey {
        let (key, secret) = try await tenantKeys.create(
            name: try #require(CallerName("app")),
            account: other.account,
            tenant: service.flatMap { Tenant.ID(hexadecimal: $0.dropFirst(2)) }
        )
        return TwilioKey(field: basic("SK\(key.id.hexadecimal):\(secret.text)"), account: other.account)
    }

    func basic(_ text: String) -> String { "Basic " + Array(text.utf8).base64 }

    /// Sends a percent-encoded form.
    func twilio(
        _ method: String,
        _ path: String,
        _ form: String? = nil,
        key: TwilioKey
    ) async throws -> Answer {
        try await send(
            method,
            "/v2" + path,
            form,
            type: "application/x-www-form-urlencoded",
            headers: ["Authorization": key.field]
        )
    }

    /// Creates a service.
    ///
    /// - Returns: its path.
    func twilioService(_ form: String = "FriendlyName=Acme", key: TwilioKey) async throws -> String {
        let answer = try await twilio("POST", "/Services", form, key: key)
        return "/Services/" + (try #require(answer.text("sid"), "\(answer.body)"))
    }

    /// Checks a code of a service.
    func check(_ service: String, _ form: String, key: TwilioKey) async throws -> Answer {
        try await twilio("POST", service + "/VerificationCheck", form, key: key)
    }
}

/// Nobody signs in.
private struct NoTokens: ClaimsSigner, SigningKeyPublisher {
    func sign(_ claims: JSON) throws -> String { throw PhoneFailure.notSignedIn }
    func claims(in text: String) -> JSON? { nil }
    func publishedKeys(at now: Timestamp) -> [PublishedKey] { [] }
}

/// Removes the line breaks and indentation of a JSON text, as the server writes it.
func json(_ text: String) -> String {
    text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined()
}

/// The body of a Twilio error.
func twilioError(_ code: Int, _ message: String, _ status: Int) -> String {
    json(
        """
        {"code":\(code),
         "message":"\(message)",
         "more_info":"https://www.twilio.com/docs/errors/\(code)",
         "status":\(status)}
        """
    )
}
