import OpenSSLCrypto
import PhoneSignup
import Testing

@testable import PhoneDelivery

/// Amazon's own test suite for Signature Version 4 (aws-sig-v4-test-suite), those of its requests that have no query.
@Suite("Signatures for Amazon")
struct AWSRequestSignerTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        let name: String
        var method = "POST"
        var headers: [(String, String)] = []
        var body = ""
        var token: String?
        let signedHeaders: String
        let signature: String

        var testDescription: String { name }
    }

    /// The session token of the suite.
    private static let token =
        "AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwt"
        + "hAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAk"
        + "iY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA=="

    static let vectors = [
        Vector(
            name: "get-vanilla",
            method: "GET",
            signedHeaders: "host;x-amz-date",
            signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"
        ),
        Vector(
            name: "post-vanilla",
            signedHeaders: "host;x-amz-date",
            signature: "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"
        ),
        Vector(
            name: "post-header-key-sort",
            headers: [("My-Header1", "value1")],
            signedHeaders: "host;my-header1;x-amz-date",
            signature: "c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c"
        ),
        Vector(
            name: "post-header-value-case",
            headers: [("My-Header1", "VALUE1")],
            signedHeaders: "host;my-header1;x-amz-date",
            signature: "cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d"
        ),
        Vector(
            name: "post-x-www-form-urlencoded",
            headers: [("Content-Type", "application/x-www-form-urlencoded")],
            body: "Param1=value1",
            signedHeaders: "content-type;host;x-amz-date",
            signature: "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"
        ),
        Vector(
            name: "post-x-www-form-urlencoded-parameters",
            headers: [("Content-Type", "application/x-www-form-urlencoded; charset=utf8")],
            body: "Param1=value1",
            signedHeaders: "content-type;host;x-amz-date",
            signature: "1a72ec8f64bd914b0e42e42607c7fbce7fb2c7465f63e3092b3b0d39fa77a6fe"
        ),
        Vector(
            name: "post-sts-header-before",
            token: token,
            signedHeaders: "host;x-amz-date;x-amz-security-token",
            signature: "85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead"
        ),
    ]

    @Test("are those that Amazon published", arguments: vectors)
    func published(vector: Vector) throws {
        let signer = AWSRequestSigner(
            credentials: try #require(
                AWSCredentials(
                    accessKeyID: "AKIDEXAMPLE",
                    secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
                    sessionToken: vector.token
                )
            ),
            region: try #require(AWSRegion("us-east-1")),
            service: "service",
            authenticator: OpenSSLRequestAuthenticator()
        )

        let headers = try signer.headers(
            signing: vector.method,
            path: "/",
            headers: [("Host", "example.amazonaws.com")] + vector.headers,
            body: Array(vector.body.utf8),
            // 2015-08-30T12:36:00Z, and what is dropped of it.
            at: Timestamp(milliseconds: 1_440_938_160_999)
        )

        let token = vector.token.map { ["X-Amz-Security-Token: \($0)"] } ?? []
        #expect(
            headers.map { "\($0.name): \($0.value)" }
                == ["X-Amz-Date: 20150830T123600Z"] + token + [
                    "Authorization: AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
                        + "SignedHeaders=\(vector.signedHeaders), Signature=\(vector.signature)"
                ]
        )
    }
}
