import PhoneNumbers
import PhoneSignup
import PhoneStore
import PhoneTestSupport
import Testing

@testable import PhoneDomain

/// Tokens that prove a number in place of a message.
@Suite struct NumberProofTests {
    /// Every token is valid for the number that it names, and its own key.
    private struct Carrier: NumberProofVerifier {
        let kind = "carrier"
        let requiresNonce = false
        func verify(_ token: String, of: NumberClaim, at now: Timestamp) async -> Result<ProvenNumber, ProofFault> {
            guard token.hasPrefix("+") else { return .failure(.invalid) }
            return .success(
                ProvenNumber(e164: String(token.prefix(13)), nonce: nil, key: token, expiresAt: now + .seconds(300))
            )
        }
    }

    private let store = MemoryStore()
    private let clock = ManualClock()
    private let identifiers = CountingIdentifiers()
    private let signup = Owner.signup(Signup.ID(bits: 0, 1))
    private let token = "+821012345678 a"
    private let used = PhoneFailure.challengeFailed(.used, isOfNumber: true)

    private func begin(
        _ token: String,
        by owner: Owner,
        key: String? = nil
    ) async throws(PhoneFailure) -> BeginVerification.Answer {
        guard
            var useCase = try? VerificationUseCase.plain(
                over: store,
                identifiers: identifiers,
                clock: clock
            )
        else { throw .unavailable(cause: "there is no use case") }
        useCase.numberProofs = [Carrier()]
        var context = RequestContext(owner: owner, region: .korea, language: .korean)
        context.idempotencyKey = key.flatMap { IdempotencyKey($0) }
        let options = VerificationOptions(numberProof: NumberProof(kind: "carrier", token: token))
        return try await useCase.begin("010-1234-5678", options, context: context)
    }

    @Test func `a signup that a token has approved finds so by that again, and nobody else does`() async throws {
        let first = try await begin(token, by: signup)
        #expect(first.verification.recordedStatus == .approved)
        clock.advance(by: .seconds(60))
        let again = try await begin(token, by: signup)
        #expect((again.verification, again.isNew) == (first.verification, true))
        for owner in [Owner.local, .signup(Signup.ID(bits: 0, 2))] {
            await #expect(throws: used) { try await begin(token, by: owner) }
        }
        // Another token is used up as ever.
        let other = try await begin("+821012345678 b", by: signup)
        #expect(other.verification.id != first.verification.id)
    }

    @Test func `a program finds it by the key of its request alone`() async throws {
        let first = try await begin(token, by: .local, key: "one")
        _ = try await begin("+821012345678 b", by: .local, key: "two")
        #expect(try await begin(token, by: .local, key: "one").verification == first.verification)
        await #expect(throws: used) { try await begin(token, by: .local, key: "three") }
        await #expect(throws: used) { try await begin(token, by: .local) }
        await #expect(throws: PhoneFailure.challengeFailed(.invalid, isOfNumber: true)) {
            try await begin("forged", by: .local, key: "one")
        }
    }
}
