import CoreEncodings
import Logging
import OpenSSLCrypto
import PhoneDelivery
import PhoneDomain
import PhoneSignup

/// Has Google read tokens of Play Integrity, for projects without response keys of their own
/// (https://developer.android.com/google/play/integrity/standard#decrypt-and).
actor GoogleDecoder {
    private struct NoAnswer: Error {}

    /// How long both requests may take: for an access token, if there is none, and to read the app's token.
    private static let deadline: Duration = .seconds(3)
    private static let scope = "https://www.googleapis.com/auth/playintegrity"
    private static let grantType = "urn:ietf:params:oauth:grant-type:jwt-bearer"
    /// How long before its end an access token is no longer used; and the longest that Google makes one for.
    private static let margin: Duration = .seconds(60), longestLife = 3600

    private let account: GoogleServiceAccount
    private let api: EndpointURL
    private let environment: DeliveryEnvironment
    private let client = GatewayClient(connectTimeout: deadline)
    private var access: (token: String, end: Timestamp)?

    init(_ account: GoogleServiceAccount, at api: EndpointURL, _ environment: DeliveryEnvironment) {
        (self.account, self.api, self.environment) = (account, api, environment)
    }

    /// What the token says, or nil if it is none of this package's. Throws if Google does not say.
    func claims(in token: String, of package: String, at now: Timestamp) async throws -> [String: JSON]? {
        let answer = try? await withTimeout(Self.deadline, on: environment.clock) {
            () async throws -> GatewayResponse in
            let access = try await self.accessToken(at: now)
            return try await self.client.post(
                json: ["integrity_token": .string(token)],
                to: "\(self.api.description)/v1/\(package):decodeIntegrityToken",
                headers: [("Authorization", "Bearer " + access)]
            )
        }
        switch (answer?.status, answer?.json?["tokenPayloadExternal"]) {
        case (200, .object(let members)): return Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first }
        case (400, _): return nil
        case (401, _): access = nil
        default: break
        }
        environment.logger.warning(
            "Google does not read tokens of Play Integrity; apps cannot prove themselves",
            metadata: ["status": "\(answer.map { "\($0.status)" } ?? "none")"]
        )
        throw NoAnswer()
    }

    private func accessToken(at now: Timestamp) async throws -> String {
        if let access, now < access.end { return access.token }
        let start = now.milliseconds / 1000
        let assertion = try await account.sign([
            JSON.Member("scope", .string(Self.scope)), JSON.Member("aud", .string(account.tokenURL.description)),
            JSON.Member("iat", .integer(start)), JSON.Member("exp", .integer(start + Int64(Self.longestLife))),
        ])
        let response = try await client.post(
            URLEncodedForm([("grant_type", Self.grantType), ("assertion", assertion)]),
            to: account.tokenURL.description,
            headers: []
        )
        guard response.status == 200, let token = response.json?["access_token"]?.string,
            let seconds = response.json?["expires_in"]?.integer
        else { throw NoAnswer() }
        access = (token, now + .seconds(min(seconds, Self.longestLife)) - Self.margin)
        return token
    }
}
