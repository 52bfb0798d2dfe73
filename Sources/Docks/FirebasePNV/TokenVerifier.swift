import CoreEncodings
import Logging
import OpenSSLCrypto
import PhoneDelivery
import PhoneDomain
import PhoneSignup

/// Which tokens count.
struct TokenRules: Sendable {
    let project: String
    let requiresNonce: Bool
    /// How long after its issue a token is accepted, whatever its expiry, which Google chooses. Apps send it on at once.
    static let maxAge: Duration = .seconds(300)
    /// How far Google's clock and ours may differ.
    static let clockTolerance: Duration = .seconds(30)

    /// What a token says whose signature was verified, or why it counts for nothing.
    func judge(_ claims: [String: JSON], key: String, at now: Timestamp) -> Result<ProvenNumber, ProofFault> {
        let issuer = JSON.string("https://fpnv.googleapis.com/projects/\(project)")
        // The audience is a list that has the project's number and its ID, both as addresses.
        guard claims["iss"] == issuer, claims["aud"]?.array?.contains(issuer) == true,
            let number = claims["sub"]?.string, let issuedAt = claims["iat"]?.timestamp,
            let expiresAt = claims["exp"]?.timestamp, issuedAt < expiresAt, issuedAt <= now + Self.clockTolerance
        else { return .failure(.invalid) }
        let end = min(expiresAt, issuedAt + Self.maxAge)
        guard now < end else { return .failure(.expired) }
        return .success(
            ProvenNumber(
                e164: number,
                nonce: claims["nonce"]?.string,
                key: key,
                // Another instance may be as far behind, and must still find that the token was used.
                expiresAt: end + Self.clockTolerance
            )
        )
    }
}

struct TokenVerifier: NumberProofVerifier {
    let kind = "firebase_pnv"
    let rules: TokenRules
    let keys: PublishedKeys

    var requiresNonce: Bool { rules.requiresNonce }

    func verify(_ text: String, of _: NumberClaim, at now: Timestamp) async -> Result<ProvenNumber, ProofFault> {
        guard let token = JSONWebToken(text), token.isOfType("JWT"), token.header["alg"]?.string == "ES256",
            let keyID = token.header["kid"]?.string
        else { return .failure(.invalid) }
        guard let keys = await keys.current(with: keyID, at: now) else { return .failure(.unavailable) }
        // One signature has two texts (of ECDSA's *s*), and one token so has one key: what is signed.
        guard let claims = keys.claims(of: token),
            let digest = try? OpenSSLRequestAuthenticator().sha256(of: token.signingInput)
        else { return .failure(.invalid) }
        return rules.judge(claims, key: digest.hexadecimal, at: now)
    }
}

/// Google's keys, as this instance last got them. Nobody can cause more than one request a minute for them, whatever keys
/// their tokens name.
actor PublishedKeys {
    /// How long they are used without asking whether they are still the same.
    private static let freshTime: Duration = .seconds(3600)
    /// How long they are used where nobody answers.
    private static let longestTime: Duration = .seconds(86_400)
    private static let retryTime: Duration = .seconds(60)
    private static let timeout: Duration = .seconds(3)

    private let url: String
    private let environment: DeliveryEnvironment
    private let client = GatewayClient(connectTimeout: timeout)
    private var last: (keys: JSONWebKeys, at: Timestamp)?
    private var askedAt: Timestamp?
    /// The request that is under way, whose answer is everybody's.
    private var asking: Task<JSONWebKeys?, Never>?

    init(at url: String, _ environment: DeliveryEnvironment) { (self.url, self.environment) = (url, environment) }

    /// The keys with the one of this ID, if they are found; nil if there are none at all.
    func current(with id: String, at now: Timestamp) async -> JSONWebKeys? {
        if isFresh(at: now), last?.keys.contains(id) == true { return last?.keys }
        if let asking {
            _ = await asking.value
        } else if askedAt.map({ now >= $0 + Self.retryTime || now < $0 }) ?? true {
            await ask(at: now)
        }
        return last.flatMap { now < $0.at + Self.longestTime ? $0.keys : nil }
    }

    private func isFresh(at now: Timestamp) -> Bool { last.map { now < $0.at + Self.freshTime } ?? false }

    private func ask(at now: Timestamp) async {
        askedAt = now
        let (client, url, clock) = (client, url, environment.clock)
        let task = Task {
            let response = try? await withTimeout(Self.timeout, on: clock) {
                () async throws(GatewayFailure) in try await client.get(url)
            }
            return response.flatMap { $0.status == 200 ? $0.json : nil }.flatMap(JSONWebKeys.init)
        }
        asking = task
        let keys = await task.value
        asking = nil
        if let keys {
            last = (keys, now)
        } else {
            environment.logger.warning("the keys of Firebase's tokens cannot be had; using those of before, if any")
        }
    }
}
