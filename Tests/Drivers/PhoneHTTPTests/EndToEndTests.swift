import Logging
import OpenSSLCrypto
import PhoneAccounts
import PhoneDelivery
import PhoneDomain
import PhoneHTTP
import PhoneStore
import PhoneTestSupport
import PhoneViewModel
import SMSStub
import Testing

/// The real parts together, as the service has them: SQLite, OpenSSL, the dispatcher and the stub.
@Suite struct EndToEndTests {
    private struct Service: Sendable {
        // Read once, by the test that makes it.
        nonisolated(unsafe) let router: APIRouter
        let dispatcher: OutboxDispatcher
        let clock: ManualClock
        let log: LogRecorder

        init() throws {
            clock = ManualClock()
            log = LogRecorder()
            let store = try SQLiteStore.inMemory()
            let vault = try OpenSSLCodeVault(keys: KeyRing(newKeyFrom: OpenSSLRandom()))
            let stub = SMSStub(identifiers: OpenSSLRandom(), wallClock: clock)
            let context = MessageContext(service: try #require(ServiceName("PhoneProof")))
            dispatcher = OutboxDispatcher(
                store: store,
                composer: MessageComposer(
                    vault: vault,
                    undoTokens: UndoTokens(deriver: vault, vault: OpenSSLTokenVault()),
                    renderer: TemplateRenderer(templates: try MessageTemplates(context: context), context: context)
                ),
                gateways: [StubGateway(stub: stub, sender: "PhoneProof")],
                authenticator: OpenSSLRequestAuthenticator(),
                environment: DeliveryEnvironment(wallClock: clock, logger: log.logger)
            )
            let (identifiers, tokens) = (OpenSSLRandom(), OpenSSLTokenVault())
            let signups = HostedSignup(
                useCase: VerificationUseCase(
                    store: store,
                    vault: vault,
                    digester: vault,
                    identifiers: identifiers,
                    clock: clock
                ),
                accounts: AccountUseCase(
                    store: store,
                    authority: PlainAccessTokens(),
                    deriver: vault,
                    vault: tokens,
                    digester: vault,
                    identifiers: identifiers,
                    clock: clock
                ),
                store: store,
                tokens: tokens,
                identifiers: identifiers,
                clock: clock,
                ttl: .seconds(3600),
                limits: .standard
            )
            let keys = APIKeys(store: store, tokens: tokens, identifiers: identifiers, clock: clock)
            var api = PhoneAPI(
                signups: signups,
                requests: store,
                digester: vault,
                callers: CallerAuthority(keys: keys, servesLocalCallers: true),
                identifiers: identifiers,
                isReady: { try await store.ping() }
            )
            api.hasInbox = true
            router = api.makeRouter()
            StubAPI(stub: stub, identifiers: identifiers, clock: clock).addRoutes(to: router)
        }

        func run(_ work: @escaping @Sendable (RunningServer) async throws -> Void) async throws {
            try await RunningServer.run(router, clock: clock, logger: log.logger, work)
        }
    }

    /// The code in the newest message to this number.
    private static func code(to number: String, from server: RunningServer) async throws -> String {
        let messages = try await server.send("GET", "/stub/messages?to=\(number)&limit=1")
        let text = try #require(messages.text("body"))
        return try #require(
            text.split(whereSeparator: { !$0.isASCII || !$0.isNumber }).first { $0.count == 6 }.map(String.init)
        )
    }

    @Test func aPersonSignsUpAndIsRecognizedAndNoLogLineNamesThem() async throws {
        let service = try Service()
        let secrets = Secrets()
        try await service.run { server in
            var accounts: [String] = []
            let spellings = ["010-1234-5678", "01012345678", "+82 10-1234-5678", "821012345678"]
            for (index, spelling) in spellings.enumerated() {
                let begun = try await server.send("POST", "/v1/signups", #"{"locale":"en"}"#)
                #expect(begun.status == 201)
                let (path, token) = (try #require(begun.headers["location"]), try #require(begun.text("token")))
                #expect(token.hasPrefix("sgt_"))

                let body = #"{"phone_text":"\#(spelling)"}"#
                let sent = try await server.send("POST", path + "/send", body, token: token)
                #expect(sent.status == 202)
                try await service.dispatcher.drain()
                let code = try await Self.code(to: "+821012345678", from: server)
                await secrets.add(code, token)

                let wrong = String(code.map { $0 == "0" ? "1" : "0" })
                let refused = try await server.send(
                    "POST",
                    path + "/sign-up",
                    #"{"code_text":"\#(wrong)"}"#,
                    token: token
                )
                #expect(refused.status == 422)
                #expect(refused.text("code") == "code_incorrect")
                #expect(!refused.body.contains(code))

                let signedUp = try await server.send(
                    "POST",
                    path + "/sign-up",
                    #"{"code_text":"\#(code)"}"#,
                    token: token
                )
                #expect(signedUp.status == (index == 0 ? 201 : 200))
                #expect(signedUp.body.contains(#""is_new":\#(index == 0)"#))
                let account = try #require(signedUp.body.firstRange(of: #""account":{"id":""#))
                accounts.append(String(signedUp.body[account.upperBound...].prefix(36)))

                service.clock.advance(by: .seconds(10))
                let closed = try await server.send("POST", path + "/sign-up", #"{"code_text":""}"#, token: token)
                #expect(closed.status == 409)
                #expect(closed.body.contains(accounts[index]))
                service.clock.advance(by: .seconds(60))
            }
            #expect(accounts == Array(repeating: accounts[0], count: 4))
            #expect(try await server.send("GET", "/health/ready").status == 200)
        }
        for secret in await secrets.all + ["01012345678", "1012345678", "10-1234-5678", "1234-5678", "12345678"] {
            #expect(!service.log.bears(secret))
        }
        #expect(service.log.lines.contains { $0.contains("http.route=/v1/signups/{id}/sign-up") })
    }

    @Test func aNumberIsProvenFromServerToServer() async throws {
        let service = try Service()
        try await service.run { server in
            let begun = try await server.send("POST", "/v1/verifications", #"{"phone_number":"010-1234-5678"}"#)
            #expect(begun.status == 201)
            let path = try #require(begun.headers["location"])
            try await service.dispatcher.drain()
            let code = try await Self.code(to: "%2B821012345678", from: server)
            let page = try await server.send("GET", "/inbox")
            #expect(page.body.contains("[PhoneProof] 인증번호 \(code) (타인 노출 금지)"))

            let checked = try await server.send("POST", path + "/checks", #"{"code":"\#(code)"}"#)
            #expect(checked.status == 200)
            #expect(checked.text("status") == "approved")
            let again = try await server.send("POST", path + "/checks", #"{"code":"\#(code)"}"#)
            #expect(again.status == 200)
            #expect(again.body == checked.body)
        }
    }

    @Test func ofManyRightCodesAtOnceAllHearOfTheOneApproval() async throws {
        let service = try Service()
        try await service.run { server in
            let begun = try await server.send("POST", "/v1/verifications", #"{"phone_number":"01012345678"}"#)
            let path = try #require(begun.headers["location"])
            try await service.dispatcher.drain()
            let code = try await Self.code(to: "+821012345678", from: server)
            let statuses = try await atOnce(16) { _ in
                try await server.send("POST", path + "/checks", #"{"code":"\#(code)"}"#).status
            }
            #expect(statuses == Array(repeating: 200, count: 16))
        }
    }

    private actor Secrets {
        private(set) var all: [String] = []

        func add(_ secrets: String...) { all += secrets }
    }
}
