public import PhoneDomain

/// Digests without cryptography, good enough for tests: FNV-1a with a basis for each of 32 bytes.
public struct PlainRequestAuthenticator: RequestAuthenticator {
    public init() {}

    public func sha256(of message: [UInt8]) -> [UInt8] { digest(message, count: 32) }
    public func hmacSHA256(of message: [UInt8], key: [UInt8]) -> [UInt8] { digest(key + [0] + message, count: 32) }
    public func hmacSHA1(of message: [UInt8], key: [UInt8]) -> [UInt8] { digest(key + [1] + message, count: 20) }
    public func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool { one == other }

    private func digest(_ message: [UInt8], count: UInt64) -> [UInt8] {
        (1...count).map { position in
            let hash = message.reduce(0xCBF2_9CE4_8422_2325 &* (2 * position + 1)) {
                ($0 ^ UInt64($1)) &* 0x100_0000_01B3
            }
            return UInt8(truncatingIfNeeded: hash >> 40)
        }
    }

    /// The number that solves a challenge made with these digests.
    public func solve(_ work: ProofOfWork) -> ChallengeProof? {
        for number in 0...work.maxNumber {
            let digest = sha256(of: Array("\(work.salt)\(number)".utf8))
            let hash = digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            guard hash == work.hash else { continue }
            return WorkSolution(
                algorithm: ProofOfWork.algorithm,
                hash: hash,
                number: number,
                salt: work.salt,
                signature: work.signature
            ).map(ChallengeProof.work)
        }
        return nil
    }
}

extension Challenger {
    /// Easy enough for tests to solve.
    public static func plain(wait: Duration? = .seconds(60)) throws -> Challenger {
        Challenger(
            policy: try WorkPolicy(easiest: 100, hardest: 3200),
            wait: wait,
            deriver: PlainSecretDeriver(),
            authenticator: PlainRequestAuthenticator(),
            identifiers: CountingIdentifiers()
        )
    }
}
