import CoreEncodings
import OpenSSLCrypto
import PhoneSignup
import PhoneTestSupport
import Testing

@testable import PhoneDelivery

/// Vendors that there are not, configured as those that there are.
enum HTTPGatewayExample {
    /// The moment is that of an example in Aliyun's documentation.
    static func access() throws -> VendorAccess {
        VendorAccess(
            address: try #require(EndpointURL("https://sms.example.com")),
            connectTimeout: .seconds(5),
            authenticator: OpenSSLRequestAuthenticator(),
            identifiers: CountingIdentifiers(),
            wallClock: ManualClock(Timestamp(seconds: 1_698_315_752))
        )
    }

    /// One that takes JSON with a bearer's secret, as most of the world's do.
    static func json(
        port: Int,
        body: String = #"{"from": "{{from}}", "to": ["{{to}}"], "text": "{{body}}", "lang": "{{language}}"}"#,
        verdicts: HTTPGatewayVerdicts? = HTTPGatewayVerdicts(
            successPointer: JSONPointer("/status"),
            successValues: ["ok", "queued"],
            idPointer: JSONPointer("/messages/0/id"),
            codes: .init(pointer: JSONPointer("/error/code"), retry: ["throttled"], refuse: ["bad_number", "4001"]),
            statuses: .init(retry: [423], failover: [501], refuse: [422])
        ),
        isIdempotent: Bool = false
    ) throws -> HTTPGateway {
        HTTPGateway(
            configuration: try HTTPGatewayConfiguration(
                url: try #require(RequestURL("http://127.0.0.1:\(port)/v1/messages?account=7")),
                method: .put,
                format: .json,
                headers: ["Authorization: Bearer {{secret}}", "Idempotency-Key: \"{{id}}\""],
                body: body,
                sender: "Acme \"Inc\"",
                secret: "s3cret",
                verdicts: try #require(verdicts),
                isIdempotent: isIdempotent
            ),
            access: try HTTPGatewayExample.access()
        )
    }

    /// One that takes a form with the key in it, Korean numbers as they are dialled at home, and answers 200 whatever
    /// became of it, as Aligo does.
    static func form(port: Int) throws -> HTTPGateway {
        HTTPGateway(
            configuration: try HTTPGatewayConfiguration(
                url: try #require(RequestURL("http://127.0.0.1:\(port)/send/")),
                method: .post,
                format: .form,
                headers: [],
                body: """
                    key={{secret}}&user_id=acme
                      &sender={{from}}&receiver={{to_national}}
                      &msg=%5BAcme%5D%20{{body}}&msg_type=SMS

                    """,
                sender: "0212345678",
                secret: "k+e=y&1",
                verdicts: try #require(
                    HTTPGatewayVerdicts(
                        successPointer: JSONPointer("/result_code"),
                        successValues: ["1"],
                        idPointer: JSONPointer("/msg_id"),
                        codes: .init(retry: ["-901"], refuse: ["-201"])
                    )
                ),
                isIdempotent: false
            ),
            access: try HTTPGatewayExample.access()
        )
    }
}
