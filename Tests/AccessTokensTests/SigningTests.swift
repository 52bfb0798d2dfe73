import AccessTokens
import Crypto
import FoundationEssentials
import PhoneDomain
import Testing

@Suite struct SigningTests {
    private let scene = Scene()

    @Test func `a token is read back as it was made`() async throws {
        let token = scene.token()
        let text = try await scene.tokens.sign(token)
        #expect(try await scene.tokens.token(in: text, at: scene.now) == token)
        #expect(try await scene.instance().token(in: text, at: scene.now) == token)
    }

    /// Receivers search the bytes without reading escapes: HAProxy's `jwt_payload_query` found no issuer in `https:\/\/`.
    @Test func `header and claims are written without escapes`() async throws {
        let text = try await scene.tokens.sign(scene.token())
        let kid = try #require(await scene.tokens.publishedKeys(at: scene.now).first).id.description
        let parts = text.split(separator: ".").map(String.init)
        #expect(parts[0] == Forge.base64URL(#"{"alg":"ES256","kid":"\#(kid)","typ":"at+jwt"}"#.utf8))
        #expect(
            parts[1]
                == Forge.base64URL(
                    (#"{"aud":"https://api.example","auth_time":1767222000,"client_id":"https://api.example","#
                        + #""exp":1767226500,"iat":1767225600,"iss":"https://phone.example","#
                        + #""jti":"tok_00000000000000010000000000000001","phone_number_verified":true,"#
                        + #""scope":"account","sid":"ses_00000000000000030000000000000003","#
                        + #""sub":"acc_00000000000000020000000000000002"}"#).utf8
                )
        )
    }
}
