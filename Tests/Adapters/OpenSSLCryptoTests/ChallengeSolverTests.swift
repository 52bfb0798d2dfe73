import CoreEncodings
import PhoneNumbers
import PhoneSignup
import PhoneTestSupport
import Testing

@testable import OpenSSLCrypto
@testable import PhoneDomain

/// Proofs of work by real cryptography.
@Suite struct ChallengeSolverTests {
    /// Made with Python's hashlib and hmac by ALTCHA's protocol, version 1: key `al-vector-1`.
    @Test func `solves and signs as ALTCHA does`() async throws {
        let work = ProofOfWork(
            hash: "e646f8b5e126f9bafaa2c0ab83c82cbe11d034ede7343116426eb4911519c43f",
            salt: "9f1e2d3c4b5a60718293a4b5?expires=1790000600&",
            signature: "f203fde386a132190e0301668c577d3b9a34d3a5b6544056c8d1630a89f97a36",
            maxNumber: 5000,
            expiresAt: Timestamp(seconds: 1_790_000_600)
        )
        for taskCount in [1, 3] {
            #expect(try await OpenSSLChallengeSolver(taskCount: taskCount).solve(work)?.number == 4729)
        }
        let signature = try OpenSSLRequestAuthenticator().hmacSHA256(
            of: Array(work.hash.utf8),
            key: Array("al-vector-1".utf8)
        )
        #expect(TextEncoding.hexadecimal.encode(signature) == work.signature)
        let unsolvable = ProofOfWork(
            hash: work.hash,
            salt: work.salt,
            signature: work.signature,
            maxNumber: 4728,
            expiresAt: work.expiresAt
        )
        #expect(try await OpenSSLChallengeSolver().solve(unsolvable) == nil)
    }

    @Test func `a challenge of before a rotation of keys is accepted, and one of other keys is not`() async throws {
        let number = try PhoneNumber(parsing: "010-1234-5678", region: .korea)
        let context = RequestContext(owner: .local, region: .korea, language: .korean)
        let now = Timestamp(seconds: 1000)
        func challenger(_ keys: String) throws -> Challenger {
            Challenger(
                policy: try WorkPolicy(easiest: 1000),
                deriver: try OpenSSLCodeVault(keys: KeyRing(parsing: keys)),
                authenticator: OpenSSLRequestAuthenticator(),
                identifiers: OpenSSLRandom()
            )
        }
        let (old, new) = ("old \(String(repeating: "1", count: 64))", "new \(String(repeating: "2", count: 64))")
        let work = try challenger(old).challenge(for: number, work: 1000, context, at: now).work
        let proof = ChallengeProof.work(try #require(try await OpenSSLChallengeSolver().solve(work)))
        let judged = JudgedProof(work: 1000, expiresAt: now + .seconds(600))
        #expect(try challenger(old).judge(proof, for: number, context, at: now) == .success(judged))
        #expect(try challenger(new + "\n" + old).judge(proof, for: number, context, at: now) == .success(judged))
        #expect(try challenger(new).judge(proof, for: number, context, at: now) == .failure(.invalid))
    }
}
