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
}
