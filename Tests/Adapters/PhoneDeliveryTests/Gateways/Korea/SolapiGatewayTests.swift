import CoreEncodings
import OpenSSLCrypto
import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneTestSupport
import Testing

@testable import PhoneDelivery

@Suite("The gateway to Solapi", .hangLimit)
struct SolapiGatewayTests {
    private static let messageID = "M4V20260101090000ABCDEFGHIJKLMNO"
    private static let taken = response(
        200,
        #"{"failedMessageList":[],"groupInfo":{"groupId":"G4V1","status":"SENDING"},"messageList":"#
            + #"[{"messageId":"\#(messageID)","statusCode":"2000","statusMessage":"정상 접수"}]}"#
    )

    private static func error(_ status: Int, _ code: String, headers: String = "", _ failure: GatewayFailure)
        -> VendorAnswer
    {
        .status(status, #"{"errorCode":"\#(code)","errorMessage":"no 01012345678"}"#, headers: headers, failure)
    }

    private static func accepted(failed: String = "", messages: String? = nil, _ failure: GatewayFailure)
        -> VendorAnswer
    {
        let list = messages.map { #","messageList":[\#($0)]"# } ?? ""
        return .status(200, #"{"failedMessageList":[\#(failed)],"groupInfo":{}\#(list)}"#, failure)
    }

    private static func clock(_ status: Int) -> GatewayFailure {
        .failover("the clocks are over fifteen minutes apart", code: status)
    }

    private static func refused(_ code: Int?) -> GatewayFailure {
        .failover("the gateway refused the message", code: code)
    }

    static let answers: [VendorAnswer] = [
        error(402, "NotEnoughBalance", .failover("the account has insufficient funds", code: 402)),
        error(400, "ValidationError", refused(400)),
        error(401, "InvalidDate", headers: "Date: Thu, 01 Jan 2026 00:15:01 GMT", clock(401)),
        error(
            401,
            "InvalidApiKey",
            headers: "Date: Thu, 01 Jan 2026 00:15:00 GMT",
            .failover("the account was refused", code: 401)
        ),
        error(403, "x", headers: "Date: Wed, 31 Dec 2025 23:44:59 GMT", clock(403)),
        error(500, "InternalError", .retry("the gateway is down", code: 500)),
        error(504, "x", .ambiguous("no response in time", code: 504)),
        accepted(failed: #"{"to":"01012345678","statusCode":"1062"}"#, .failover("the sender was refused", code: 1062)),
        accepted(failed: #"{"statusCode":"1010"}"#, messages: #"{"messageId":"m","statusCode":"2000"}"#, refused(1010)),
        accepted(failed: "{}", refused(nil)),
        accepted(messages: #"{"messageId":"m","statusCode":"3059"}"#, refused(3059)),
        accepted(messages: #"{"messageId":"m","statusCode":1030}"#, refused(1030)),
        accepted(VendorAnswer.unnamed(200)), accepted(messages: "", VendorAnswer.unnamed(200)),
        accepted(messages: #"{"statusCode":"2000"}"#, VendorAnswer.unnamed(200)),
    ]

    private struct NoBits: IdentifierSource {
        struct Failure: Error {}

        func makeBits() throws -> (UInt64, UInt64) { throw Failure() }
    }

    static func gateway(
        port: Int,
        alimtalk: Alimtalk? = nil,
        allowsLong: Bool = false,
        identifiers: any IdentifierSource = CountingIdentifiers()
    ) throws -> SolapiGateway {
        SolapiGateway(
            account: try #require(SolapiAccount(apiKey: "KEYDEMO", apiSecret: "SECRETDEMO")),
            sender: try #require(KoreanSender("0212345678")),
            alimtalk: alimtalk,
            allowsLongMessages: allowsLong,
            access: try vendorAccess(port: port, identifiers: identifiers)
        )
    }

    private static func alimtalk(_ texts: String...) throws -> Alimtalk {
        let variables = try texts.map { try #require(AlimtalkVariable($0)) }
        return try #require(Alimtalk(channelID: "KA01PF1", templateID: "KA01TP1", variables: variables))
    }

    private static func message(
        to number: String = "+821012345678",
        hasCode: Bool = true,
        by channel: Channel = .sms,
        fallsBackToSMS: Bool = false
    ) throws -> GatewayMessage {
        GatewayMessage(
            dedupeKey: "msg_1",
            to: try PhoneNumber(e164: number),
            channel: channel,
            fallsBackToSMS: fallsBackToSMS,
            body: "[에이스] 인증번호 482913",
            language: .korean,
            variables: hasCode ? MessageVariables(code: "482913", service: "에이스 {{code}}", minutes: 10) : nil
        )
    }

    @Test("requests are signed as the vendor has it")
    func vector() throws {
        let account = try #require(SolapiAccount(apiKey: "KEYDEMO", apiSecret: "SECRETDEMO"))
        let signature = SolapiSignature(account: account, authenticator: OpenSSLRequestAuthenticator())
        let header = try signature.header(date: "2026-01-02T03:04:05+09:00", salt: "0123456789abcdef0123456789abcdef")
        #expect(header.name == "Authorization")
        #expect(
            header.value
                == "HMAC-SHA256 apiKey=KEYDEMO, date=2026-01-02T03:04:05+09:00, salt=0123456789abcdef0123456789abcdef, "
                + "signature=31618d4e8d52b50373b0caaaa4ed4684fd5554745e3af98995013d5e6f2852d9"
        )
    }

    @Test("the request is the vendor's: signed for this moment with a salt of its own, and kept from becoming an LMS")
    func request() async throws {
        try await FakeVendor.with(.answer(Self.taken)) { vendor in
            let gateway = try Self.gateway(port: vendor.port)

            let receipt = try await gateway.send(try Self.message())
            _ = try await gateway.send(try Self.message())

            #expect(receipt == GatewayReceipt(messageID: Self.messageID))
            let requests = vendor.requests.map(HTTPRequestText.init)
            #expect(requests.map(\.target) == Array(repeating: "/messages/v4/send-many/detail", count: 2))
            #expect(
                requests[0].body
                    == #"{"messages":[{"autoTypeDetect":false,"country":"82","from":"0212345678","#
                    + #""text":"[에이스] 인증번호 482913","to":"01012345678","type":"SMS"}],"showMessageList":true}"#
            )
            let salts = ["00000000000000000000000000000001", "00000000000000000000000000000002"]
            let wanted = try salts.map { salt in
                let date = "2026-01-01T00:00:00.000Z"
                let digest = try OpenSSLRequestAuthenticator().hmacSHA256(
                    of: Array((date + salt).utf8),
                    key: Array("SECRETDEMO".utf8)
                )
                let hexadecimal = digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
                return "HMAC-SHA256 apiKey=KEYDEMO, date=\(date), salt=\(salt), signature=\(hexadecimal)"
            }
            #expect(requests.map { $0["authorization"] } == wanted)
            #expect(requests[0]["content-type"] == "application/json; charset=utf-8")
        }
    }

    @Test("with a template a code goes to KakaoTalk, with a text for those whom it does not reach")
    func alimtalk() async throws {
        try await FakeVendor.with(.answer(Self.taken)) { vendor in
            let template = try Self.alimtalk("#{코드}={{code}}", "#{안내}={{service}}에서 {{minutes}}분", "#{고정}=x")
            let gateway = try Self.gateway(port: vendor.port, alimtalk: template)

            _ = try await gateway.send(try Self.message(by: .kakaotalk, fallsBackToSMS: true))
            _ = try await gateway.send(try Self.message(by: .kakaotalk))

            #expect(vendor.requests[1].contains(#""disableSms":true"#) && !vendor.requests[1].contains("replacements"))
            let request = HTTPRequestText(try #require(vendor.requests.first))
            #expect(
                request.body
                    == #"{"messages":[{"autoTypeDetect":false,"country":"82","from":"0212345678","kakaoOptions":"#
                    + #"{"disableSms":false,"pfId":"KA01PF1","templateId":"KA01TP1","variables":{"#
                    + ##""#{고정}":"x","#{안내}":"에이스 {{code}}에서 10분","#{코드}":"482913"}},"##
                    + #""replacements":[{"from":"0212345678","text":"[에이스] 인증번호 482913","to":"01012345678"}],"#
                    + #""to":"01012345678","type":"ATA"}],"showMessageList":true}"#
            )
        }
    }

    @Test("a notice has no code, and abroad there is no KakaoTalk to dial: both go as text")
    func noAlimtalk() async throws {
        try await FakeVendor.with(.answer(Self.taken)) { vendor in
            let gateway = try Self.gateway(port: vendor.port, alimtalk: try Self.alimtalk("#{code}={{code}}"))

            _ = try await gateway.send(try Self.message(hasCode: false))
            _ = try await gateway.send(try Self.message(to: "+14155550100"))

            let types = vendor.requests.map { $0.contains(#""type":"SMS""#) && !$0.contains("kakaoOptions") }
            #expect(types == [true, true])
            #expect(vendor.requests.last?.contains(#""country":"1","from":"0212345678""#) == true)
            #expect(vendor.requests.last?.contains(#""to":"4155550100""#) == true)
        }
    }

    @Test("without chance there is no signature, and nothing is sent")
    func noSalt() async throws {
        try await FakeVendor.with(.answer(Self.taken)) { vendor in
            let gateway = try Self.gateway(port: vendor.port, identifiers: NoBits())
            await #expect(throws: GatewayFailure.failover("the request cannot be signed")) {
                try await gateway.send(try Self.message())
            }
            #expect(vendor.connections == 0)
        }
    }

    private static let results: [(code: String, type: String, outcome: DeliveryReceipt.Outcome?)] = [
        (#""4000""#, "SMS", .delivered), (#""4000""#, "ATA", .delivered), ("4000", "SMS", .delivered),
        (#""2000""#, "SMS", nil), (#""2999""#, "SMS", nil), (#""3000""#, "SMS", nil),
        (#""3043""#, "SMS", .undelivered(code: 3043)), (#""1062""#, "LMS", .undelivered(code: 1062)),
        (#""3104""#, "ATA", nil), (#""4001""#, "SMS", nil), (#""5000""#, "SMS", nil), ("null", "SMS", nil),
        (#""x""#, "SMS", nil), ("{}", "SMS", nil),
    ]

    @Test("the status of a message is a code", arguments: results)
    func receipts(code: String, type: String, outcome: DeliveryReceipt.Outcome?) async throws {
        let list = #"{"m1":{"messageId":"m1","type":"\#(type)","statusCode":\#(code)}}"#
        let answer = response(200, #"{"limit":1,"messageList":\#(list)}"#)
        try await FakeVendor.with(.answer(answer)) { vendor in
            let receipts = try await Self.gateway(port: vendor.port).receipts(for: ["m1"])
            #expect(receipts == outcome.map { [DeliveryReceipt(messageID: "m1", outcome: $0)] } ?? [])
        }
    }

    @Test("one request asks for many messages, and only those count")
    func many() async throws {
        func message(_ key: String, _ id: String) -> String { #""\#(key)":{"messageId":"\#(id)","statusCode":"4000"}"# }
        let list = [message("m1", "m1"), message("m2", "m9"), message("m8", "m8")].joined(separator: ",")
        try await FakeVendor.with(.answer(response(200, #"{"messageList":{\#(list)}}"#))) { vendor in
            let receipts = try await Self.gateway(port: vendor.port).receipts(for: ["m1", "m2", "m3"])
            #expect(receipts == [DeliveryReceipt(messageID: "m1", outcome: .delivered)])
            let request = HTTPRequestText(try #require(vendor.requests.first))
            #expect(
                request.target
                    == "/messages/v4/list?limit=3&messageIds%5B0%5D=m1&messageIds%5B1%5D=m2&messageIds%5B2%5D=m3"
            )
            #expect(request["authorization"]?.hasPrefix("HMAC-SHA256 apiKey=KEYDEMO, date=2026-01-01T") == true)
        }
    }

    @Test("an unreadable status is an error, and so is a refusal")
    func unreadable() async throws {
        try await FakeVendor.with(.answer(response(200, "<html>"))) { vendor in
            let gateway = try Self.gateway(port: vendor.port)
            await #expect(throws: GatewayFailure.ambiguous("the response is malformed", code: 200)) {
                try await gateway.receipts(for: ["m1"])
            }
        }
        try await FakeVendor.with(.answer(response(503, ""))) { vendor in
            let gateway = try Self.gateway(port: vendor.port)
            await #expect(throws: GatewayFailure.retry("the gateway is down", code: 503)) {
                try await gateway.receipts(for: ["m1"])
            }
        }
    }

    private static let variables: [(text: String, isOne: Bool)] = [
        ("#{code}={{code}}", true), ("#{인증번호}=[{{code}}]", true), ("#{a b}=x", true), ("#{a}=b=c", true),
        ("code={{code}}", false), ("#{}={{code}}", false), ("#{a.b}={{code}}", false), ("#{a}=", false),
        ("#{a}", false),
        ("#{a}={{link}}", false), ("#{a}={{ code }}", false), ("#{a}={{code", false), ("#{a}=}}", false),
        ("#{a\n}={{code}}", false), ("#{a}=b\nc", false), ("#{#{a}}={{code}}", false),
        ("#{\(String(repeating: "a", count: 51))}={{code}}", false),
        ("#{a}=\(String(repeating: "a", count: 101))", false),
    ]

    @Test("a variable has a name of Kakao's and a value of ours", arguments: variables)
    func variable(text: String, isOne: Bool) {
        #expect(AlimtalkVariable(text)?.description == (isOne ? text : nil))
    }

    @Test("a template has the code, and unique variables")
    func template() throws {
        let (code, name) = (try #require(AlimtalkVariable("#{a}={{code}}")), try #require(AlimtalkVariable("#{b}=x")))
        #expect(Alimtalk(channelID: "P", templateID: "T", variables: [code, name]) != nil)
        #expect(Alimtalk(channelID: "P", templateID: "T", variables: [name]) == nil)
        #expect(Alimtalk(channelID: "P", templateID: "T", variables: [code, code]) == nil)
        #expect(Alimtalk(channelID: "", templateID: "T", variables: [code]) == nil)
        #expect(Alimtalk(channelID: "P", templateID: "T 1", variables: [code]) == nil)
    }

    @Test("neither an account nor a message shows its secrets")
    func quiet() throws {
        let account = try #require(SolapiAccount(apiKey: "KEYDEMO", apiSecret: "SECRETDEMO"))
        let message = try Self.message()
        let variables = try #require(message.variables)
        let text = everythingShown(of: account, message, variables)
        #expect(!text.contains("SECRETDEMO"))
        #expect(!text.contains("482913"))
    }
}
