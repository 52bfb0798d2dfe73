import CoreEncodings
import OpenSSLCrypto
import PhoneDomain
import PhoneSignup
import PhoneTestSupport
import Testing

@testable import PhoneDelivery

@Suite("The gateway to NAVER Cloud SENS", .hangLimit)
struct SENSGatewayTests {
    private static let service = "ncp:sms:kr:000000000000:demo"
    private static let requestID = "RSSA-1700000000000-6083-63516832-LHpXzvJa"
    private static let taken = response(
        202,
        #"{"requestId":"\#(requestID)","requestTime":"2026-01-01T09:00:00.000","statusCode":"202","statusName":"success"}"#
    )

    private static func error(_ status: Int, _ code: String, headers: String = "", _ failure: GatewayFailure)
        -> VendorAnswer
    {
        let body = #"{"error":{"errorCode":"\#(code)","message":"no 01012345678","details":"x"}}"#
        return .status(status, body, headers: headers, failure)
    }

    private static func accepted(_ members: String, _ failure: GatewayFailure) -> VendorAnswer {
        .status(202, "{\(members)}", failure)
    }

    private static let account = GatewayFailure.failover("the account was refused", code: 200)
    private static let clock = GatewayFailure.failover("the clocks are over five minutes apart", code: 200)

    static let answers: [VendorAnswer] = [
        error(401, "200", account), error(401, "200", headers: "Date: Thu, 01 Jan 2026 00:05:00 GMT", account),
        error(401, "200", headers: "Date: Thu, 01 Jan 2026 00:05:01 GMT", clock),
        error(401, "200", headers: "Date: Wed, 31 Dec 2025 23:54:59 GMT", clock),
        error(401, "200", headers: "Date: tomorrow", account),
        error(404, "300", .failover("there is no such service", code: 300)),
        error(429, "400", .busy("the gateway is busy", code: 400)),
        error(500, "900", .retry("the gateway is down", code: 500)),
        error(504, "510", .ambiguous("no response in time", code: 510)),
        .status(400, #"{"status":400,"errors":["to"]}"#, .failover("the gateway refused the message", code: 400)),
        accepted(
            #""requestId":"r1","statusCode":"400","statusName":"fail""#,
            .failover("the gateway refused the message", code: 400)
        ),
        accepted(
            #""requestId":"r1","statusCode":404,"statusName":"fail""#,
            .failover("the gateway refused the message", code: 404)
        ),
        accepted(
            #""requestId":"r1","statusCode":"202","statusName":"fail""#,
            .failover("the gateway refused the message", code: 202)
        ),
        accepted(#""statusCode":"202","statusName":"success""#, VendorAnswer.unnamed(202)),
        accepted(#""requestId":"","statusCode":"202","statusName":"success""#, VendorAnswer.unnamed(202)),
        accepted(
            #""requestId":"r1""#,
            .ambiguous("the response does not say whether the message was accepted", code: 202)
        ),
        .status(202, "", VendorAnswer.malformed(202)), .status(202, "[]", VendorAnswer.malformed(202)),
        .cut("HTTP/1.1 202 OK\r\nContent-Length: 99\r\n\r\n{\"requestId", VendorAnswer.malformed(202)),
    ]

    static func gateway(port: Int, allowsLong: Bool = false, path: String = "") throws -> SENSGateway {
        SENSGateway(
            account: try #require(SENSAccount(serviceID: service, accessKey: "AKDEMO", secretKey: "SKDEMO")),
            sender: try #require(KoreanSender("02-1234-5678")),
            allowsLongMessages: allowsLong,
            access: try vendorAccess(port: port, path: path)
        )
    }

    @Test("requests are signed as the vendor has it")
    func vector() throws {
        let account = try #require(SENSAccount(serviceID: Self.service, accessKey: "AKDEMO", secretKey: "SKDEMO"))
        let signature = SENSSignature(account: account, authenticator: OpenSSLRequestAuthenticator())
        let headers = try signature.headers(
            method: "POST",
            path: "/sms/v2/services/ncp:sms:kr:000000000000:demo/messages",
            at: Timestamp(milliseconds: 1_700_000_000_000)
        )
        #expect(
            headers.map { "\($0.name): \($0.value)" } == [
                "x-ncp-apigw-timestamp: 1700000000000", "x-ncp-iam-access-key: AKDEMO",
                "x-ncp-apigw-signature-v2: aCaYWelvIlTysQOsP+fcd+7z7Luq3ll5xfwjMRGQA6U=",
            ]
        )
    }

    @Test("the request is the vendor's: signed for this path and moment, to the number as it is dialled at home")
    func request() async throws {
        try await FakeVendor.with(.answer(Self.taken)) { vendor in
            let gateway = try Self.gateway(port: vendor.port, path: "/proxy/")

            let receipt = try await gateway.send(try vendorMessage("[에이스] 인증번호 482913"))

            #expect(receipt == GatewayReceipt(messageID: Self.requestID))
            let request = HTTPRequestText(try #require(vendor.requests.first))
            let path = "/proxy/sms/v2/services/ncp:sms:kr:000000000000:demo/messages"
            #expect(request.method == "POST")
            #expect(request.target == path)
            let wanted = try Self.signature("POST \(path)\n1767225600000\nAKDEMO")
            #expect(
                request.headers.map { "\($0.name): \($0.value)" }.sorted() == [
                    "accept: application/json", "content-length: \(request.body.utf8.count)",
                    "content-type: application/json; charset=utf-8", "host: 127.0.0.1:\(vendor.port)",
                    "x-ncp-apigw-signature-v2: \(wanted)", "x-ncp-apigw-timestamp: 1767225600000",
                    "x-ncp-iam-access-key: AKDEMO",
                ]
            )
            #expect(
                request.body
                    == #"{"content":"[에이스] 인증번호 482913","contentType":"COMM","countryCode":"82","#
                    + #""from":"0212345678","messages":[{"to":"01012345678"}],"type":"SMS"}"#
            )
        }
    }

    @Test("a long text goes as an LMS where that is allowed, and abroad never")
    func long() async throws {
        try await FakeVendor.with(.answer(Self.taken)) { vendor in
            let text = String(repeating: "가", count: 46)
            _ = try await Self.gateway(port: vendor.port, allowsLong: true).send(try vendorMessage(text))
            #expect(vendor.requests.count == 1)
            #expect(vendor.requests.first?.contains(#""type":"LMS""#) == true)
            for (gateway, number) in [
                (try Self.gateway(port: vendor.port), "+821012345678"),
                (try Self.gateway(port: vendor.port, allowsLong: true), "+14155550100"),
            ] {
                let message = try vendorMessage(text + text, to: number, isNotice: false)
                let failure = await #expect(throws: GatewayFailure.self) { try await gateway.send(message) }
                #expect(failure?.kind == .failover)
            }
            #expect(vendor.requests.count == 1)
            // The notice to an old number always may.
            _ = try await Self.gateway(port: vendor.port).send(try vendorMessage(text))
            #expect(vendor.requests.last?.contains(#""type":"LMS""#) == true)
        }
    }

    private static func message(_ status: String, _ rest: String = "", of request: String = "r1") -> String {
        #"{"requestId":"\#(request)","messageId":"m1","status":"\#(status)"\#(rest)}"#
    }

    private static func list(_ messages: String...) -> String {
        response(200, #"{"statusCode":"202","messages":[\#(messages.joined(separator: ","))]}"#)
    }

    private static let results: [(name: String, answer: String, outcome: DeliveryReceipt.Outcome?)] = [
        (
            "on the phone", list(message("COMPLETED", #","statusCode":"0","statusName":"success""#)),
            .delivered
        ),
        (
            "lost", list(message("COMPLETED", #","statusCode":"3018","statusName":"fail""#)),
            .undelivered(code: 3018)
        ),
        ("lost, nobody says why", list(message("COMPLETED", #","statusName":"fail""#)), .undelivered(code: nil)),
        ("waiting", list(message("READY")), nil),
        ("under way", list(message("PROCESSING", #","statusCode":"0","statusName":"success""#)), nil),
        ("a contradiction", list(message("COMPLETED", #","statusCode":"0","statusName":"fail""#)), nil),
        ("another", list(message("COMPLETED", #","statusCode":"7","statusName":"success""#)), nil),
        ("nothing said", list(message("COMPLETED")), nil),
        (
            "somebody else's",
            list(message("COMPLETED", #","statusCode":"0","statusName":"success""#, of: "r2")), nil
        ),
        (
            "two",
            list(
                message("COMPLETED", #","statusCode":"0","statusName":"success""#),
                message("COMPLETED", #","statusCode":"0","statusName":"success""#)
            ), nil
        ),
        ("none", list(), nil), ("not known", response(404, "{}"), nil),
        ("another JSON", response(200, "[]"), nil),
    ]

    @Test("a status counts only where it makes sense", arguments: results)
    func receipts(name: String, answer: String, outcome: DeliveryReceipt.Outcome?) async throws {
        try await FakeVendor.with(.answer(answer)) { vendor in
            let receipts = try await Self.gateway(port: vendor.port).receipts(for: ["r1"])
            #expect(receipts == outcome.map { [DeliveryReceipt(messageID: "r1", outcome: $0)] } ?? [], "\(name)")
            let request = HTTPRequestText(try #require(vendor.requests.first))
            let path = "/sms/v2/services/ncp:sms:kr:000000000000:demo/messages?requestId=r1"
            #expect(vendor.requests.count == 1)
            #expect("\(request.method) \(request.target)" == "GET \(path)")
            let wanted = try Self.signature("GET \(path)\n1767225600000\nAKDEMO")
            #expect(request["x-ncp-apigw-signature-v2"] == wanted)
        }
    }

    @Test("where the list has no status, the message itself is fetched")
    func oneByOne() async throws {
        try await FakeVendor.with(.answer(Self.list(#"{"requestId":"r1","messageId":"m1"}"#))) { vendor in
            let receipts = try await Self.gateway(port: vendor.port).receipts(for: ["r1"])
            #expect(receipts == [])
            #expect(
                vendor.requests.map { HTTPRequestText($0).target } == [
                    "/sms/v2/services/ncp:sms:kr:000000000000:demo/messages?requestId=r1",
                    "/sms/v2/services/ncp:sms:kr:000000000000:demo/messages/m1",
                ]
            )
        }
    }

    @Test("no response is distinguished from an unknown message")
    func unasked() async throws {
        let busy = response(429, "", "Retry-After: 7")
        try await FakeVendor.with(.answer(busy)) { vendor in
            let gateway = try Self.gateway(port: vendor.port)
            await #expect(throws: GatewayFailure.busy(after: .seconds(7), "the gateway is busy", code: 429)) {
                try await gateway.receipts(for: ["r1"])
            }
        }
    }

    @Test(
        "an account is the service's name and a key, which it does not show",
        arguments: [
            (service, "AKDEMO", "SKDEMO", true), (service, "AK", "SK", true),
            ("ncp:kkobizmsg:kr:1:x", "AK", "SK", false), ("ncp:sms:", "AK", "SK", false),
            ("ncp:sms:kr:1:a/b", "AK", "SK", false), ("ncp:sms:kr:1:a?b", "AK", "SK", false),
            (service, "", "SK", false), (service, "A K", "SK", false), (service, "AK", "", false),
            (service, "AK", "S\nK", false), (service, "AK", String(repeating: "x", count: 129), false),
        ]
    )
    func account(service: String, key: String, secret: String, isOne: Bool) {
        let account = SENSAccount(serviceID: service, accessKey: key, secretKey: secret)
        #expect((account != nil) == isOne)
        if let account, key == "AKDEMO" { #expect(!everythingShown(of: account).contains("KDEMO")) }
    }

    private static func signature(_ text: String) throws -> String {
        try OpenSSLRequestAuthenticator().hmacSHA256(of: Array(text.utf8), key: Array("SKDEMO".utf8)).base64
    }
}
