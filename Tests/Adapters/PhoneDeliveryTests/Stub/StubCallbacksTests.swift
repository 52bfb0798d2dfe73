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

    private func message(port: Int, serial: Int = 1, lossCode: Int? = nil, token: String? = "12345") throws
        -> StubMessage
    {
        let url = "http://127.0.0.1:\(port)/x?y=1"
        let callback = try #require(StubCallback(url: url, account: "AC1", authToken: token))
        let request = StubRequest(to: "+821012345678", from: "Acme Inc", body: "482913", callback: callback)
        let now = Timestamp(seconds: 1_767_225_600)
        return StubMessage(request, sid: "SM\(serial)", serial: serial, lossCode: lossCode, at: now)
    }

    private func statuses(_ vendor: FakeVendor) -> [String] {
        vendor.requests.map { String($0.split(separator: "MessageStatus=").last?.split(separator: "&").first ?? "") }
    }

    /// Runs callbacks until the work is done.
    private func run(_ work: (AsyncStream<StubMessage>.Continuation) async throws -> Void) async throws {
        let callbacks = StubCallbacks(
            authenticator: OpenSSLRequestAuthenticator(),
            clock: timer,
            logger: log.logger
        )
        let (messages, source) = AsyncStream<StubMessage>.makeStream()
        let running = Task { await callbacks.run(messages) }
        try await work(source)
        running.cancel()
        await running.value
    }

    @Test("each change is posted as by Twilio, signed under the sender's token")
    func request() async throws {
        try await FakeVendor.with(.answer(Self.taken)) { vendor in
            let message = try message(port: vendor.port, lossCode: 30003)
            try await run { source in
                source.yield(message)
                try await vendor.hasRead(3)
            }
            #expect(statuses(vendor) == ["sending", "sent", "undelivered"])
            let request = HTTPRequestText(try #require(vendor.requests.last))
            #expect("\(request.method) \(request.target)" == "POST /x?y=1")
            #expect(
                request.body
                    == "MessageSid=SM1&MessageStatus=undelivered&SmsSid=SM1&SmsStatus=undelivered&AccountSid=AC1"
                    + "&To=%2B821012345678&ApiVersion=2010-04-01&From=Acme%20Inc&ErrorCode=30003&RawDlrDoneDate=2601010000"
            )
            #expect(request["content-type"] == "application/x-www-form-urlencoded")
            #expect(request["user-agent"] == "PhoneProof")
            let signature = try TwilioSignature(authenticator: OpenSSLRequestAuthenticator()).text(
                url: "http://127.0.0.1:\(vendor.port)/x?y=1",
                fields: message.callbackFields(account: "AC1"),
                token: "12345"
            )
            #expect(request["x-twilio-signature"] == signature)
        }
    }

    @Test("without a token nothing is signed")
    func unsigned() async throws {
        try await FakeVendor.with(.answer(Self.taken)) { vendor in
            try await run { source in
                source.yield(try message(port: vendor.port, token: nil))
                try await vendor.hasRead(3)
            }
            #expect(vendor.requests.map { $0.lowercased().contains("signature") } == [false, false, false])
        }
    }

    @Test(
        "a receiver that fails, will not, or is elsewhere, is asked once for each change, and the log says so",
        arguments: [
            ("503 Service Unavailable", "503"), ("404 Not Found", "404"),
            ("307 Temporary Redirect\r\nLocation: http://127.0.0.1:1/", "307"),
        ]
    )
    func refusals(status: String, code: String) async throws {
        try await FakeVendor.with(.answer("HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n")) { vendor in
            try await run { source in
                source.yield(try message(port: vendor.port))
                try await vendor.hasRead(3)
                while log.lines.count < 3, !Task.isCancelled { await Task.yield() }
            }
            #expect(statuses(vendor) == ["sending", "sent", "delivered"])
            #expect(log.lines.allSatisfy { $0.contains("the receiver rejected it (\(code))") })
            #expect(!log.lines.joined().contains("8210"))
            #expect(!log.lines.joined().contains("127.0.0.1"))
        }
    }

    @Test("a receiver that hangs is cancelled after a quarter of a minute, and delays its own message alone")
    func hangs() async throws {
        try await FakeVendor.with(.hang) { hanging in
            try await FakeVendor.with(.answer(Self.taken)) { vendor in
                try await run { source in
                    source.yield(try message(port: hanging.port))
                    try await hanging.hasRead(1)
                    try await timer.onlySleeper(of: .seconds(15))
                    source.yield(try message(port: vendor.port, serial: 2))
                    try await vendor.hasRead(3)
                    try await timer.onlySleeper(of: .seconds(15))
                    #expect(statuses(hanging) == ["sending"])
                    timer.advance(by: .seconds(15))
                    try await log.anything(of: "there was no response")
                    try await hanging.hasRead(2)
                    #expect(statuses(hanging) == ["sending", "sent"])
                }
            }
        }
    }

    @Test("callbacks beyond the limit of messages are dropped")
    func bound() async throws {
        try await FakeVendor.with(.hang) { hanging in
            try await run { source in
                for serial in 1...StubCallbacks.maxConcurrent + 1 {
                    source.yield(try message(port: hanging.port, serial: serial))
                }
                try await log.anything(of: "too many receivers do not answer")
            }
            #expect(log.lines.count == 1)
            #expect(log.lines.first?.contains("SM1001") == true)
        }
    }
}

@Suite("Who is notified of a message's status in the SMS stub")
struct StubCallbackTests {
    private func callback(_ url: String) -> StubCallback? {
        StubCallback(url: url, account: "AC1", authToken: "t0ken")
    }

    @Test(
        "has an address of the web",
        arguments: [
            "http://a", "https://a", "HTTPS://A.example:8443/x?y=z&q=%20", "http://127.0.0.1:65535", "http://a?b",
            "http://[::1]/", "http://[::ffff:1.2.3.4]:80/x", "http://a-b.example./", "http://a/[?@:]",
        ]
    )
    func takes(url: String) {
        #expect(callback(url)?.url == url)
    }

    @Test(
        "has none that is another's, or none at all",
        arguments: [
            "", "a", "//a", "/a", "ftp://a", "http:/a", "http://", "http:///x", "http://:80", "http://user@a/",
            "http://u:p@a/", "http://a/#f", "http://a b/", "http://a/\n", "http://가/", "javascript:alert(1)",
            "http://a/" + String(repeating: "x", count: 2040),
        ]
    )
    func refuses(url: String) {
        #expect(callback(url) == nil)
    }

    @Test("its description shows neither the token nor the address")
    func secrecy() throws {
        let callback = try #require(StubCallback(url: "http://a/secret", account: "AC1", authToken: "t0ken"))
        var dumped = ""
        dump(callback, to: &dumped)
        for text in ["\(callback)", String(reflecting: callback), dumped, "\([callback])"] {
            #expect(text.contains("AC1"))
            #expect(!text.contains("t0ken"))
            #expect(!text.contains("secret"))
        }
    }
}
