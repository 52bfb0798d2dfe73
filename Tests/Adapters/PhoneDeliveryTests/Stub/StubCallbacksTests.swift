import OpenSSLCrypto
import PhoneDomain
import PhoneSignup
import PhoneTestSupport
import Testing

@testable import PhoneDelivery
@testable import SMSStub

/// Status callbacks over real sockets.
@Suite("Callbacks of the SMS stub", .hangLimit)
struct StubCallbacksTests {
    private static let taken = "HTTP/1.1 204 No Content\r\n\r\n"

    private let timer = ManualTimer()
    private let log = LogRecorder()

    private func change(
        _ status: StubMessage.Status = .delivered,
        port: Int,
        serial: Int = 1,
        token: String? = "12345"
    ) throws -> StubMessage {
        let url = "http://127.0.0.1:\(port)/x?y=1"
        let callback = try #require(StubCallback(url: url, account: "AC1", authToken: token))
        let request = StubRequest(to: "+821012345678", from: "Acme Inc", body: "482913", callback: callback)
        let behavior = StubBehavior(mode: status == .undelivered ? .fail : .deliver, errorCode: 30003)
        let now = Timestamp(seconds: 1_767_225_600)
        var message = StubMessage(request, sid: "SM\(serial)", serial: serial, behavior: behavior, at: now)
        return try #require(message.advance(to: now).first { $0.status == status })
    }

    /// Runs callbacks until the work is done.
    private func run(_ work: (AsyncStream<StubMessage>.Continuation) async throws -> Void) async throws {
        let callbacks = StubCallbacks(
            authenticator: OpenSSLRequestAuthenticator(),
            identifiers: CountingIdentifiers(),
            clock: timer,
            logger: log.logger
        )
        let (changes, source) = AsyncStream<StubMessage>.makeStream()
        let running = Task { await callbacks.run(changes) }
        try await work(source)
        running.cancel()
        await running.value
    }

    @Test("the request is Twilio's, signed under the sender's token")
    func request() async throws {
        try await FakeVendor.with(.answer(Self.taken)) { vendor in
            try await run { source in
                source.yield(try change(.undelivered, port: vendor.port))
                try await vendor.hasRead(1)
            }
            let request = HTTPRequestText(try #require(vendor.requests.first))
            #expect("\(request.method) \(request.target)" == "POST /x?y=1")
            #expect(
                request.body
                    == "MessageSid=SM1&MessageStatus=undelivered&SmsSid=SM1&SmsStatus=undelivered&AccountSid=AC1"
                    + "&To=%2B821012345678&ApiVersion=2010-04-01&From=Acme%20Inc&ErrorCode=30003&RawDlrDoneDate=2601010000"
            )
            #expect(request["content-type"] == "application/x-www-form-urlencoded")
            #expect(request["user-agent"] == "PhoneProof")
            #expect(request["i-twilio-idempotency-token"] == "00000000000000000000000000000001")
            let form = try change(.undelivered, port: vendor.port).callbackFields(account: "AC1")
            let signature = try TwilioSignature(authenticator: OpenSSLRequestAuthenticator())
                .text(url: "http://127.0.0.1:\(vendor.port)/x?y=1", fields: form, token: "12345")
            #expect(request["x-twilio-signature"] == signature)
        }
    }

    @Test("without a token nothing is signed")
    func unsigned() async throws {
        try await FakeVendor.with(.answer(Self.taken)) { vendor in
            try await run { source in
                source.yield(try change(port: vendor.port, token: nil))
                try await vendor.hasRead(1)
            }
            #expect(vendor.requests.map { $0.lowercased().contains("signature") } == [false])
        }
    }

    @Test(
        "a receiver that cannot is asked three times, under one name, a second and two after",
        arguments: [
            FakeVendor.Behavior.answer("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n"),
            .answer("HTTP/1.1 429 Too Many Requests\r\nContent-Length: 0\r\n\r\n"), .reset,
        ]
    )
    func retries(behavior: FakeVendor.Behavior) async throws {
        try await FakeVendor.with(behavior) { vendor in
            try await run { source in
                source.yield(try change(port: vendor.port))
                for wait in [1, 2] {
                    try await timer.sleeper(of: .seconds(wait))
                    timer.advance(by: .seconds(wait))
                }
                let end = if case .reset = behavior { "there was no response" } else { "the receiver rejected it" }
                try await log.anything(of: end)
            }
            #expect(vendor.requests.count == 3)
            #expect(vendor.requests.allSatisfy { $0.contains("00000000000000000000000000000001") })
            #expect(log.lines.count == 1)
            #expect(!log.lines.joined().contains("8210"))
            #expect(!log.lines.joined().contains("127.0.0.1"))
        }
    }

    @Test(
        "a receiver that will not, or is elsewhere, is asked once",
        arguments: [
            "400 Bad Request", "404 Not Found", "307 Temporary Redirect\r\nLocation: http://127.0.0.1:1/",
        ]
    )
    func refusals(status: String) async throws {
        try await FakeVendor.with(.answer("HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n")) { vendor in
            try await run { source in
                source.yield(try change(.sent, port: vendor.port))
                source.yield(try change(.delivered, port: vendor.port))
                try await vendor.hasRead(2)
            }
            #expect(vendor.requests.map { $0.contains("MessageStatus=sent") } == [true, false])
        }
    }

    @Test("a receiver that hangs is cancelled after a quarter of a minute, and delays its own message alone")
    func hangs() async throws {
        try await FakeVendor.with(.hang) { hanging in
            try await FakeVendor.with(.answer(Self.taken)) { vendor in
                try await run { source in
                    source.yield(try change(.sent, port: hanging.port))
                    source.yield(try change(.delivered, port: hanging.port))
                    try await hanging.hasRead(1)
                    try await timer.onlySleeper(of: .seconds(15))
                    source.yield(try change(port: vendor.port, serial: 2))
                    try await vendor.hasRead(1)
                    try await timer.onlySleeper(of: .seconds(15))
                    #expect(hanging.requests.map { $0.contains("MessageStatus=sent") } == [true])
                    for (wait, count) in [(1, 2), (2, 3)] {
                        try await timer.sleeper(of: .seconds(15))
                        timer.advance(by: .seconds(15))
                        try await timer.sleeper(of: .seconds(wait))
                        timer.advance(by: .seconds(wait))
                        try await hanging.hasRead(count)
                    }
                    try await timer.sleeper(of: .seconds(15))
                    timer.advance(by: .seconds(15))
                    try await hanging.hasRead(4)
                    #expect(
                        hanging.requests.map { $0.contains("MessageStatus=sent") } == [true, true, true, false]
                    )
                }
            }
        }
    }

    @Test("callbacks beyond the limit of messages are dropped")
    func bound() async throws {
        try await FakeVendor.with(.hang) { hanging in
            try await run { source in
                for serial in 1...StubCallbacks.maxConcurrent + 1 {
                    source.yield(try change(port: hanging.port, serial: serial))
                }
                try await log.anything(of: "too many receivers do not answer")
            }
            #expect(log.lines.count == 1)
            #expect(log.lines.first?.contains("SM1001") == true)
        }
    }
}
