import CoreEncodings
public import PhoneAccounts
public import PhoneDomain
import Synchronization

// Fakes of the ports that need cryptography, for tests of the rules.

/// FNV-1a of the bytes, with a basis for each position of a text or digest that is made of such hashes.
private func hash(_ bytes: some Sequence<UInt8>, _ position: UInt64) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325 &* (2 * position + 1)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
}

/// A digester whose every digest is what it is the digest of.
public struct PlainNumberDigester: NumberDigester {
    public init() {}

    public func digest(of text: String) -> NumberDigest { NumberDigest(rawValue: "test:" + text) }
    public func digests(of text: String) -> [NumberDigest] { [digest(of: text)] }
}

/// Secrets of 43 characters. Each name is a key.
public struct PlainSecretDeriver: SecretDeriver {
    private let keys: [String]

    /// - Parameter keys: the newest first.
    public init(keys: [String] = ["test"]) { self.keys = keys }

    public func derive(_ label: SecretLabel, from parts: [String]) -> [String] {
        keys.map { key in
            let whole = ([key, label.rawValue] + parts).map { "\($0.utf8.count):\($0)" }.joined()
            let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
            let characters = (1...43).map { alphabet[Int(hash(whole.utf8, $0) >> 40 & 0x3F)] }
            return String(decoding: characters, as: UTF8.self)
        }
    }

    public func isDerived(_ text: String, _ label: SecretLabel, from parts: [String]) -> Bool {
        text.utf8.count >= 22 && derive(label, from: parts).contains { $0.utf8.starts(with: text.utf8) }
    }
}

/// A sealer that writes down the secret beside whose it is.
public struct PlainSecretSealer: SecretSealer {
    private let key: String

    /// - Parameter key: the name of its one key.
    public init(key: String = "test") { self.key = key }

    public func seal(_ secret: [UInt8], for subject: String) -> SealedSecret {
        SealedSecret(keyID: key, ciphertext: Array((subject + " ").utf8) + secret)
    }

    public func open(_ sealed: SealedSecret, for subject: String) throws -> [UInt8] {
        guard sealed.keyID == key else { throw SecretSealerError.unknownKey(id: sealed.keyID) }
        let mark = Array((subject + " ").utf8)
        guard sealed.ciphertext.starts(with: mark) else { throw SecretSealerError.notAuthentic(keyID: key) }
        return Array(sealed.ciphertext.dropFirst(mark.count))
    }
}

/// Tokens that count up from 1, kept as they are, so that a test can write them down.
public final class PlainTokenVault: TokenVault {
    private let last = Mutex(0)

    public init() {}

    public func makeToken(prefix: String) -> SecretToken {
        SecretToken(
            prefix
                + last.withLock { count in
                    count += 1
                    return String(count)
                }
        )
    }

    public func digest(of token: SecretToken) -> [UInt8] { Array(token.text.utf8) }

    public func matches(_ token: SecretToken, digest: [UInt8]) -> Bool { Array(token.text.utf8) == digest }
}

public struct PlainRequestAuthenticator: RequestAuthenticator {
    public init() {}

    public func sha256(of message: [UInt8]) -> [UInt8] { digest(message, count: 32) }
    public func hmacSHA256(of message: [UInt8], key: [UInt8]) -> [UInt8] { digest(key + [0] + message, count: 32) }
    public func hmacSHA1(of message: [UInt8], key: [UInt8]) -> [UInt8] { digest(key + [1] + message, count: 20) }
    public func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool { one == other }

    private func digest(_ message: [UInt8], count: UInt64) -> [UInt8] {
        (1...count).map { UInt8(truncatingIfNeeded: hash(message, $0) >> 40) }
    }

    /// The number that solves a challenge made with these digests.
    public func solve(_ work: ProofOfWork) -> ChallengeProof? {
        for number in 0...work.maxNumber {
            let hash = TextEncoding.hexadecimal.encode(sha256(of: Array("\(work.salt)\(number)".utf8)))
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
