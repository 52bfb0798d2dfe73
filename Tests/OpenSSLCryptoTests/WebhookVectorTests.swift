import Testing

@testable import OpenSSLCrypto

@Suite struct WebhookVectorTests {
    /// The example of the reference libraries, whose name is of no event of ours
    /// (https://github.com/standard-webhooks/standard-webhooks/tree/main/libraries).
    @Test func `the reference libraries sign alike`() throws {
        let secret = try #require(WebhookSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        let content = #"msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{"test": 2432232314}"#
        let code = try HMACSHA256.code(of: Array(content.utf8), key: secret.bytes)
        #expect(code.base64 == "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }
}
