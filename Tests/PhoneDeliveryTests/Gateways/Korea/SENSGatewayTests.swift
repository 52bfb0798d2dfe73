import HangLimit
import OpenSSLCrypto
import PhoneDomain
import PhoneTestSupport
import Testing
import TextEncodings

@testable import PhoneDelivery

@Suite("The gateway to NAVER Cloud SENS", .hangLimit)
struct SENSGatewayTests {
    private static let service = "ncp:sms:kr:000000000000:demo"

    static func gateway(port: Int, allowsLong: Bool = false, path: String = "") throws -> SENSGateway {
        SENSGateway(
            account: try #require(SENSAccount(serviceID: service, accessKey: "AKDEMO", secretKey: "SKDEMO")),
            sender: try #require(KoreanSender("02-1234-5678")),
            allowsLongMessages: allowsLong,
            address: try #require(EndpointURL(base: "http://127.0.0.1:\(port)\(path)")),
            authenticator: OpenSSLRequestAuthenticator(),
            wallClock: ManualClock(),
            connectTimeout: .seconds(5)
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
        try await FakeVendor.with(.answer(SENSResponses.taken)) { vendor in
            let gateway = try Self.gateway(port: vendor.port, path: "/proxy/")

            let receipt = try await gateway.send(try GatewayTrial.message("[에이스] 인증번호 482913"))

            #expect(receipt == GatewayReceipt(messageID: SENSResponses.requestID))
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
        try await FakeVendor.with(.answer(SENSResponses.taken)) { vendor in
            let text = String(repeating: "가", count: 46)
            _ = try await Self.gateway(port: vendor.port, allowsLong: true).send(try GatewayTrial.message(text))
            #expect(vendor.requests.count == 1)
            #expect(vendor.requests.first?.contains(#""type":"LMS""#) == true)
            for (gateway, number) in [
                (try Self.gateway(port: vendor.port), "+821012345678"),
                (try Self.gateway(port: vendor.port, allowsLong: true), "+14155550100"),
            ] {
                let message = try GatewayTrial.message(text + text, to: number, isNotice: false)
                let failure = await #expect(throws: GatewayFailure.self) { try await gateway.send(message) }
                #expect(failure?.kind == .failover)
            }
            #expect(vendor.requests.count == 1)
            // The notice to an old number always may.
            _ = try await Self.gateway(port: vendor.port).send(try GatewayTrial.message(text))
            #expect(vendor.requests.last?.contains(#""type":"LMS""#) == true)
        }
    }

    @Test("a response determines what may be done next, and the message is sent once", arguments: SENSResponses.all)
    func answers(answer: VendorResponses.Case) async throws {
        try await GatewayTrial.expect(answer, secrets: ["SKDEMO", "AKDEMO"]) { try Self.gateway(port: $0) }
    }

    @Test("without a response, the result is unknown")
    func silence() async throws {
        try await GatewayTrial.expectSilenceIsAmbiguous { try Self.gateway(port: $0) }
    }

    private static func message(_ status: String, _ rest: String = "", of request: String = "r1") -> String {
        #"{"requestId":"\#(request)","messageId":"m1","status":"\#(status)"\#(rest)}"#
    }

    private static func list(_ messages: String...) -> String {
        VendorResponses.json("200 OK", #"{"statusCode":"202","messages":[\#(messages.joined(separator: ","))]}"#)
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
        ("none", list(), nil), ("not known", VendorResponses.json("404 Not Found", "{}"), nil),
        ("no JSON", VendorResponses.json("200 OK", "<html>"), nil),
        ("another JSON", VendorResponses.json("200 OK", "[]"), nil),
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
        let busy = VendorResponses.json("429 Too Many Requests", "", "Retry-After: 7\r\n")
        try await FakeVendor.with(.answer(busy)) { vendor in
            let gateway = try Self.gateway(port: vendor.port)
            await #expect(throws: GatewayFailure.busy(after: .seconds(7), "the gateway is busy", code: 429)) {
                try await gateway.receipts(for: ["r1"])
            }
        }
    }

    @Test(
        "an account is the service's name and a key",
        arguments: [
            (service, "AK", "SK", true), ("ncp:kkobizmsg:kr:1:x", "AK", "SK", false), ("ncp:sms:", "AK", "SK", false),
            ("ncp:sms:kr:1:a/b", "AK", "SK", false), ("ncp:sms:kr:1:a?b", "AK", "SK", false),
            (service, "", "SK", false),
            (service, "A K", "SK", false), (service, "AK", "", false), (service, "AK", "S\nK", false),
            (service, "AK", String(repeating: "x", count: 129), false),
        ]
    )
    func account(service: String, key: String, secret: String, isOne: Bool) {
        let account = SENSAccount(serviceID: service, accessKey: key, secretKey: secret)
        #expect((account != nil) == isOne)
    }

    @Test("an account shows no key")
    func quietAccount() throws {
        let account = try #require(SENSAccount(serviceID: Self.service, accessKey: "AKDEMO", secretKey: "SKDEMO"))
        var dumped = ""
        dump(account, to: &dumped)
        #expect(!(dumped + String(reflecting: account) + "\(account)").contains("KDEMO"))
    }

    private static func signature(_ text: String) throws -> String {
        try OpenSSLRequestAuthenticator().hmacSHA256(of: Array(text.utf8), key: Array("SKDEMO".utf8)).base64
    }
}
