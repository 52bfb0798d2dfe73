import HTTPTypes
import Logging
import NIOCore
import NIOEmbedded
import OpenSSLCrypto
import PhoneAdministration
import PhoneDomain
import PhoneHTTP
import PhoneService
import PhoneSignup
import Testing

/// Services that are built from settings, asked where a connection would ask them.
struct BuildServiceTests {
    private func settings(_ variables: [String: String] = [:]) throws -> Settings {
        let named = variables.merging(["DATABASE_URL": "sqlite::memory:"]) { first, _ in first }
        let environment = Dictionary(uniqueKeysWithValues: named.map { ("PHONEPROOF_" + $0.key, $0.value) })
        return try Settings(file: nil, environment: environment)
    }

    @Test func aServiceInMemoryAnswersAStartAndACheck() async throws {
        let settings = try settings(["SERVER_INSECURE_NO_KEYS": "true"])
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
        let request = Request(
            .post,
            path,
            authority: "127.0.0.1",
            headers: [.contentType: "application/json", .contentLength: String(body.readableBytes)],
            body: .whole(body)
        )
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let context = APIContext(peer: Peer(channel), logger: logger)
        return await service.server.responder.respond(to: request, context)
    }

    /// What a program outside decides, and what is unsafe about it.
    @Test func whatIsUnsafeBesideTheServiceIsSaidToo() throws {
        let settings = try settings([
            "PROFILE": "production", "CHALLENGE_KIND": "turnstile", "CHALLENGE_SITE_KEY": "key",
            "CHALLENGE_SECRET": "s3cr3t",
            "CHALLENGE_ON_OUTAGE": "open", "HOOKS_BEFORE_SEND_URL": "https://hook.example/s3cr3t",
            "HOOKS_BEFORE_SEND_SECRETS": "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3", "GUARD_ANSWER": "silent",
            "TRACING_OTLP_ENDPOINT": "http://collector.example/s3cr3t",
        ])
        let lines = ConfigurationCheck(settings, at: Timestamp(milliseconds: 0)).findings.map(\.line)
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

    @Test func aDatabaseIsShownWithoutWhatIsSecret() throws {
        let url = "postgresql://ace:s3cr3t@db.example.com/p"
        let settings = try settings(["DATABASE_URL": url, "KEYS_FILE": "/nowhere/keys"])
        let lines = ConfigurationCheck(settings, at: Timestamp(milliseconds: 0)).findings.map(\.line)
        #expect(lines.contains("database  postgresql://ace:***@db.example.com/p"))
        #expect(!lines.contains { $0.contains("s3cr3t") })
    }
}
