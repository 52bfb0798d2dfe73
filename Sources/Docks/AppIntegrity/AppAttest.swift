import CoreEncodings
import OpenSSLCrypto
import PhoneSignup

/// Apple's App Attest, by "Validating apps that connect to your server"
/// (https://developer.apple.com/documentation/devicecheck/validating-apps-that-connect-to-your-server): its steps have
/// their numbers there.
struct AppAttest: Sendable {
    enum Environment: String, CaseIterable {
        case production, development

        /// What stands for it in an attestation.
        var authenticator: [UInt8] {
            switch self {
            case .production: Array("appattest".utf8) + [UInt8](repeating: 0, count: 7)
            case .development: Array("appattestdevelop".utf8)
            }
        }
    }

    let appIDs: [String]
    let environment: Environment
    let root: Certificate

    /// Apple's extension with the nonce: a sequence with one octet string of 32 bytes, tagged 1.
    private static let nonceExtension = (
        identifier: "1.2.840.113635.100.8.2", prefix: [0x30, 0x24, 0xA1, 0x22, 0x04, 0x20] as [UInt8]
    )

    /// The key of a valid attestation; nil for anything else.
    func key(of attestation: [UInt8], keyID: String, nonce: String, at now: Timestamp) throws -> AppKey? {
        guard let object = CBOR(attestation), case .map(let members) = object, members.count == 3,
            object["fmt"] == .text("apple-appattest"), case .array(let chain) = object["attStmt"]?["x5c"],
            (2...4).contains(chain.count), let bytes = object["authData"]?.bytes, let data = AuthenticatorData(bytes)
        else { return nil }
        let certificates = chain.compactMap(\.bytes).compactMap { Certificate(der: $0) }
        // 1.
        guard certificates.count == chain.count, let leaf = certificates.first,
            leaf.isIssued(by: root, through: Array(certificates.dropFirst()), at: now)
        else { return nil }
        // 2 to 4.
        let digest = try digest(bytes + digest(Array(nonce.utf8)))
        guard leaf.value(ofExtension: Self.nonceExtension.identifier) == Self.nonceExtension.prefix + digest else {
            return nil
        }
        // 5.
        guard let point = leaf.point, try self.digest([0x04] + point).base64 == keyID,
            // 6 to 9.
            let appID = try appIDs.first(where: { try self.digest(Array($0.utf8)) == data.idHash }),
            data.counter == 0, data.isOfNewKey, data.authenticator == environment.authenticator,
            data.credentialID.base64 == keyID
        else { return nil }
        return AppKey(id: keyID, appID: appID, publicKey: point, at: now)
    }

    /// The counter of a valid assertion by this key; nil for anything else. That it goes on the store finds.
    func counter(of assertion: [UInt8], by key: AppKey, nonce: String) throws -> Int64? {
        guard let object = CBOR(assertion), case .map(let members) = object, members.count == 2,
            let bytes = object["authenticatorData"]?.bytes, let signature = object["signature"]?.bytes,
            let data = AuthenticatorData(bytes), appIDs.contains(key.appID),
            data.idHash == (try digest(Array(key.appID.utf8))),
            DevicePublicKey(es256: key.publicKey)?
                .verifies(signature, of: try digest(bytes + digest(Array(nonce.utf8)))) == true
        else { return nil }
        return data.counter
    }

    private func digest(_ bytes: [UInt8]) throws -> [UInt8] { try OpenSSLRequestAuthenticator().sha256(of: bytes) }
}

/// What a device signs (WebAuthn Level 2, section 6.1), as far as App Attest has it.
private struct AuthenticatorData {
    let idHash: [UInt8]
    let counter: Int64
    /// The environment and the ID of a new key; else empty.
    private(set) var authenticator: [UInt8] = [], credentialID: [UInt8] = []
    let isOfNewKey: Bool

    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 37 else { return nil }
        idHash = Array(bytes[..<32])
        counter = bytes[33..<37].reduce(0) { $0 << 8 | Int64($1) }
        isOfNewKey = bytes[32] & 0x40 != 0
        guard isOfNewKey else { return }
        guard bytes.count >= 55 else { return nil }
        authenticator = Array(bytes[37..<53])
        let length = Int(bytes[53]) << 8 | Int(bytes[54])
        guard bytes.count >= 55 + length else { return nil }
        credentialID = Array(bytes[55..<(55 + length)])
    }
}
