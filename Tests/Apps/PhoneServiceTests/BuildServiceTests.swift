import HTTPTypes
import Logging
import NIOCore
import NIOEmbedded
import OpenSSLCrypto
import PhoneDomain
import PhoneHTTP
import PhoneService
import Testing

/// Services that are built from settings, asked where a connection would ask them.
struct BuildServiceTests {
    private func settings(_ variables: [String: String] = [:]) async throws -> Settings {
        let named = variables.merging(["DATABASE_URL": "sqlite::memory:"]) { first, _ in first }
        let environment = Dictionary(uniqueKeysWithValues: named.map { ("PHONEPROOF_" + $0.key, $0.value) })
        return try await Settings(file: nil, environment: environment)
    }

    @Test func aServiceInMemoryAnswersAStartAndACheck() async throws {
        let settings = try await settings(["SERVER_INSECURE_NO_KEYS": "true"])
        let service = try await buildService(settings, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        defer { service.core.store.close() }
        let begun = try await ask(service, "/v1/verifications", #"{"phone_number":"01012345678"}"#)
        #expect(begun.status == .created)
        let path = try #require(begun.headers[.location])
        let wrong = try await ask(service, path + "/checks", #"{"code":"12345"}"#)
        #expect(wrong.status == .unprocessableContent)
        // The vault knows the code; a person would read it in the message.
        let id = try #require(Verification.ID(String(path.trimmingPrefix("/v1/verifications/"))))
        let verification = try #require(try await service.core.store.verification(id))
        let code = try service.core.vault.open(verification.code, for: verification.codeContext).digits
        #expect(try await ask(service, path + "/checks", #"{"code":"\#(code)"}"#).status == .ok)
    }

    private func ask(_ service: BuiltService, _ path: String, _ text: String) async throws -> Response {
        let channel = NIOAsyncTestingChannel()
        try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 9)).get()
        let body = ByteBuffer(string: text)
        let head = HTTPRequest(
            method: .post,
            scheme: "http",
            authority: "127.0.0.1",
            path: path,
            headerFields: [.contentType: "application/json", .contentLength: String(body.readableBytes)]
        )
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let context = APIContext(peer: Peer(channel), logger: logger)
        return await service.server.responder.respond(to: Request(head: head, body: body), context)
    }

    /// What a program outside decides, and what is unsafe about it.
    @Test func whatIsUnsafeBesideTheServiceIsSaidToo() async throws {
        let settings = try await settings([
            "PROFILE": "production", "CHALLENGE_KIND": "turnstile", "CHALLENGE_SITE_KEY": "key",
            "CHALLENGE_SECRET": "s3cr3t",
            "CHALLENGE_ON_OUTAGE": "open", "HOOKS_BEFORE_SEND_URL": "https://hook.example/s3cr3t",
            "HOOKS_BEFORE_SEND_SECRETS": "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3", "GUARD_ANSWER": "silent",
            "TRACING_OTLP_ENDPOINT": "http://collector.example/s3cr3t",
        ])
        let lines = ConfigurationCheck(settings, file: nil, at: Timestamp(milliseconds: 0)).lines
        for line in [
            "challenge turnstile, open in an outage",
            "hook      https://hook.example is asked before each message; sent without an answer",
        ] {
            #expect(lines.contains(line))
        }
        for key in [
            "challenge.hostnames", "challenge.on_outage", "hooks.before_send.on_failure", "guard.answer",
            "tracing.otlp_endpoint",
        ] {
            #expect(lines.contains { $0.hasPrefix("warning ") && $0.hasSuffix("(\(key))") }, "\(key)")
        }
        #expect(!lines.contains { $0.contains("s3cr3t") || $0.contains("12345678") })
    }

    @Test(arguments: addresses)
    func aDatabaseIsShownWithoutWhatIsSecret(url: String, shown: String?) async throws {
        let settings = try await settings(["DATABASE_URL": url, "KEYS_FILE": "/nowhere/keys"])
        let lines = ConfigurationCheck(settings, file: nil, at: Timestamp(milliseconds: 0)).lines
        #expect(lines.contains("database  " + (shown ?? url)))
        #expect(!lines.contains { $0.contains("s3cr3t") })
    }

    static let addresses: [(url: String, shown: String?)] = [
        ("postgresql://", nil),
        ("postgresql://db.example.com", nil),
        ("postgres://db.example.com:5432/phoneproo", nil),
        ("postgresql:///phoneproof?host=/var/run/postgresql", nil),
        ("postgresql://%2Fvar%2Frun%2Fpostgresql/phoneproo", nil),
        ("postgresql://[2001:db8::1]:5432,[::1]/phoneproo", nil),
        ("postgresql://a.example.com:5432,b.example.com,c.example.com:5433/p?target_session_attrs=read-write", nil),
        ("postgresql://ace@db.example.com/p?", nil),
        ("postgresql://ace@db.example.com/p?options=-csearch_path%3Done&sslmode=verify-full", nil),
        ("postgresql://ace:@db.example.com/p", "postgresql://ace:***@db.example.com/p"),
        ("postgresql://ace:s3cr3t@db.example.com/p", "postgresql://ace:***@db.example.com/p"),
        ("postgresql://ace:s3cr3t?s3cr3t:%40@db.example.com/p", "postgresql://ace:***@db.example.com/p"),
        (
            "postgresql://db.example.com/p?user=ace&password=s3cr3t",
            "postgresql://db.example.com/p?user=ace&password=***"
        ),
        ("postgresql://db.example.com/p?pass%77ord=s3cr3t", "postgresql://db.example.com/p?password=***"),
        (
            "postgresql://db.example.com/p?sslpassword=s3cr3t&sslkey=/k&oauth_client_secret=s3cr3t",
            "postgresql://db.example.com/p?sslpassword=***&sslkey=/k&oauth_client_secret=***"
        ),
        ("postgresql://ace:12/x?s3cr3t=s3cr3t", "postgresql://ace:12/x?***"),
    ]
}
