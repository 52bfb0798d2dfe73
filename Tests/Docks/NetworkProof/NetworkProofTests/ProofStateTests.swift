import CoreEncodings
import PhoneDelivery
import PhoneNumbers
import PhoneSignup
import PhoneTestSupport
import Testing

@testable import NetworkProof
@testable import PhoneDomain

/// What phones take along and bring back. The rest is tested through the service.
@Suite struct ProofStateTests {
    private static let start = Timestamp(milliseconds: 1_767_225_600_000)

    private func states(_ keys: String...) -> ProofStates {
        ProofStates(deriver: PlainSecretDeriver(keys: keys), identifiers: CountingIdentifiers())
    }

    private func claim(_ number: String = "+821012345678", nonce: String? = "n", by owner: Owner = .local) throws
        -> NumberClaim
    {
        NumberClaim(try PhoneNumber(e164: number), nonce: nonce, by: owner)
    }

    @Test func `a state is for its claim and ends`() throws {
        let states = states("k1")
        let (state, expiresAt) = try states.make(for: claim(), at: Self.start)
        #expect(expiresAt == Self.start + .seconds(300))
        #expect(try states.expiry(of: state, for: claim()) == expiresAt)
        let shop = Owner.caller(try #require(CallerName("shop")))
        for other in [
            try claim("+821087654321"), try claim(nonce: nil), try claim(nonce: ""), try claim(by: shop),
        ] { #expect(try states.expiry(of: state, for: other) == nil) }
        // A shorter tag would be another key of the record that it was used.
        for forged in [String(state.dropLast()), state + "A", "f" + state.dropFirst(), state.uppercased(), ""] {
            #expect(try states.expiry(of: forged, for: claim()) == nil)
        }
        #expect(try self.states("k2").expiry(of: state, for: claim()) == nil)
    }

    @Test func `a state has the ID by which Twilio knows the proof`() throws {
        let (sid, states) = ("VE0123456789abcdef0011223344556677", states("k1"))
        let digits = try #require(TwilioService.digits(of: sid, "VE"))
        let (state, expiresAt) = try states.make(for: claim(), digits, at: Self.start)
        #expect("VE\(states.digits(of: state))" == sid)
        #expect(try states.expiry(of: state, for: claim()) == expiresAt)
        let wrong = ["", "VE", "VA" + sid.dropFirst(2), sid + "0", String(sid.dropLast()), sid.uppercased(), "é" + sid]
        for text in wrong { #expect(TwilioService.digits(of: text, "VE") == nil, "\(text)") }
    }

    @Test func `a new key leaves the proofs that have begun`() throws {
        let (before, after) = (states("k1"), states("k2", "k1"))
        let (state, expiresAt) = try before.make(for: claim(), at: Self.start)
        let verifier = try before.verifier(of: state, for: claim())
        #expect(verifier.utf8.count == 43)
        #expect(try after.expiry(of: state, for: claim()) == expiresAt)
        #expect(try after.verifier(of: state, for: claim()) == verifier)
        #expect(!state.contains(verifier))
    }

    @Test func `a token counts for five minutes, and what was used is kept for longer`() async throws {
        let secret = try #require(
            ClientAuthentication(.secretPost, "client", "secret", keyID: nil)
        )
        let url = try #require(EndpointURL(base: "https://operator.example"))
        let provider = Provider(
            authentication: secret,
            authorization: url,
            token: url,
            verification: url,
            redirectURI: try #require(RedirectURI("com.example.app:/number")),
            scope: "openid",
            loginHint: .none
        )
        let verifier = NetworkVerifier(
            provider: provider,
            states: states("k1"),
            environment: DeliveryEnvironment(wallClock: ManualClock())
        )
        let begun = try #require(try verifier.begin(claim(), at: Self.start))
        #expect(!begun.url.contains("login_hint"))
        let state = try #require(begun.url.split(separator: "&").first { $0.hasPrefix("state=") })
        let token = "code=x&\(state)"
        let last = Self.start + .milliseconds(299_999)
        let proven = try await verifier.verify(token, of: claim(), at: last).get()
        #expect(proven.needsConfirmation)
        #expect(proven.expiresAt == Self.start + .seconds(330))
        #expect(try await verifier.verify(token, of: claim(), at: last + .milliseconds(1)) == .failure(.expired))
    }
}
