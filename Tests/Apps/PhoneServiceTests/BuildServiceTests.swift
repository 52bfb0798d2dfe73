import HTTPTypes
import Logging
import NIOCore
import NIOEmbedded
import OpenSSLCrypto
import PhoneDomain
import PhoneHTTP
import PhoneService
import PhoneSignup
import Testing

/// Services that are built from settings, asked where a connection would ask them.
struct BuildServiceTests {
    @Test func aServiceInMemoryAnswersAStartAndACheck() async throws {
        let settings = try Settings(["SERVER_INSECURE_NO_KEYS": "true"])
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
}
