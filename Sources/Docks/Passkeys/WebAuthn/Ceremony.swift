import CoreEncodings
import OpenSSLCrypto
import PhoneDomain

/// Why a response of an authenticator is not accepted. Texts are for developers.
enum CeremonyFault: String, Error, CaseIterable {
    case malformed = "is not the response of an authenticator as JSON (PublicKeyCredential.toJSON)"
    case type = "is of another ceremony (type)"
    case challenge = "answers a challenge that is not of this service and session, or has expired"
    case used = "answers a challenge that was answered already"
    case origin = "comes from an origin that is not one of passkeys.origins"
    case tokenBinding = "is bound to another connection (tokenBinding)"
    case relyingParty = "is for another relying party (rpIdHash)"
    case presence = "was given without the person present (UP)"
    case verification = "was given without the person verified (UV)"
    case backup = "says that a key is kept elsewhere which cannot be (BE, BS)"
    case algorithm = "has a key of an algorithm that was not asked for; ES256 and RS256 are"
    case attestation = "has an attestation statement that was not asked for, or is not valid"
    case known = "has a key that is registered already"
    case tooMany = "has one key more than an account may have; remove one first"
    case user = "is for another account (userHandle)"
    case signature = "is not signed by this key"
    case counter = "has a counter that does not go on: there may be a copy of the key"
    case ended = "has a key that is not known, was removed or has ended"
}

/// Whom keys are for, and the pages that may ask for them.
struct RelyingParty: Sendable {
    /// A domain.
    let id: String
    let origins: Set<String>
    private let idHash: [UInt8]

    init(id: String, origins: Set<String>) throws {
        (self.id, self.origins) = (id, origins)
        idHash = try Self.digest(Array(id.utf8))
    }

    static func digest(_ bytes: [UInt8]) throws -> [UInt8] { try OpenSSLRequestAuthenticator().sha256(of: bytes) }

    /// What both ceremonies check of the client's data (sections 7.1 and 7.2, from "Let C be").
    ///
    /// - Returns: the challenge, which must be one of ours.
    fileprivate func challenge(in clientData: [UInt8], of type: String) throws(CeremonyFault) -> String {
        let marked = clientData.starts(with: [0xEF, 0xBB, 0xBF]) ? clientData.dropFirst(3) : clientData[...]
        guard let text = String(validating: marked, as: UTF8.self), let data = JSON(parsing: text), data.isObject,
            let challenge = data["challenge"]?.string
        else { throw .malformed }
        guard data["type"]?.string == type else { throw .type }
        guard let origin = data["origin"]?.string, origins.contains(origin), data["crossOrigin"]?.bool != true
        else { throw .origin }
        // No connection of ours has a token binding.
        if let binding = data["tokenBinding"], binding["status"]?.string != "supported" { throw .tokenBinding }
        return challenge
    }

    fileprivate func check(_ data: AuthenticatorData) throws(CeremonyFault) {
        guard data.idHash == idHash else { throw .relyingParty }
        guard data.flags.contains(.userPresent) else { throw .presence }
        guard data.flags.contains(.userVerified) else { throw .verification }
        if data.flags.contains(.backedUp), !data.flags.contains(.backupEligible) { throw .backup }
    }
}

/// A new key as a browser gives it (RegistrationResponseJSON), checked by WebAuthn Level 2, section 7.1.
struct Registration {
    let challenge: String
    let credentialID: String
    let key: CredentialKey
    let counter: Int64
    let flags: AuthenticatorData.Flags
    /// How to get at it the next time: `internal`, `hybrid`.
    let transports: [String]

    init(_ json: JSON, at site: RelyingParty) throws {
        let response = json["response"]
        guard json["type"]?.string == "public-key", let clientData = response?.bytes("clientDataJSON"),
            let object = response?.bytes("attestationObject"), let id = json.bytes("id"), json.bytes("rawId") == id,
            // Level 3 makes them nullable; an empty list says as much.
            let transports = Self.transports(response?["transports"])
        else { throw CeremonyFault.malformed }
        challenge = try site.challenge(in: clientData, of: "webauthn.create")
        guard let attestation = CBOR(object), case .map(let members) = attestation, members.count == 3,
            let bytes = attestation["authData"]?.bytes, let data = AuthenticatorData(bytes)
        else { throw CeremonyFault.malformed }
        try site.check(data)
        guard let credential = data.credential, credential.id == id else { throw CeremonyFault.malformed }
        guard let key = credential.key else { throw CeremonyFault.algorithm }
        guard try Self.isAccepted(attestation, bytes + RelyingParty.digest(clientData), key) else {
            throw CeremonyFault.attestation
        }
        (credentialID, self.key, counter, flags) = (id.base64URL, key, data.counter, data.flags)
        self.transports = transports
    }

    private static func transports(_ json: JSON?) -> [String]? {
        guard let json, json != .null else { return [] }
        guard let values = json.array, values.count <= 8 else { return nil }
        // Others that come one day are of no use before (section 5.8.4).
        return values.compactMap(\.string).filter {
            ["ble", "hybrid", "internal", "nfc", "smart-card", "usb"].contains($0)
        }
    }

    /// None is asked for. A browser lets one through that is signed by the key itself and so says no more (section
    /// 5.1.3, step 21).
    private static func isAccepted(_ attestation: CBOR, _ signed: [UInt8], _ key: CredentialKey) -> Bool {
        switch (attestation["fmt"], attestation["attStmt"]) {
        case (.text("none"), .map(let statement)): return statement.isEmpty
        case (.text("packed"), .map(let statement)):
            guard statement.count == 2, statement[.text("alg")] == CBOR(integerLiteral: key.algorithm.identifier),
                let signature = statement[.text("sig")]?.bytes
            else { return false }
            return key.verifies(signature, of: signed)
        default: return false
        }
    }
}

/// A proof by a key as a browser gives it (AuthenticationResponseJSON), to be checked by WebAuthn Level 2, section 7.2.
struct Assertion {
    let credentialID: String
    let challenge: String
    /// Whose key it is. The person was not known before, so it must be there.
    let userHandle: [UInt8]
    let data: AuthenticatorData
    private let signed: [UInt8]
    private let signature: [UInt8]

    init(_ json: JSON, at site: RelyingParty) throws {
        let response = json["response"]
        guard json["type"]?.string == "public-key", let clientData = response?.bytes("clientDataJSON"),
            let bytes = response?.bytes("authenticatorData"), let signature = response?.bytes("signature"),
            let id = json.bytes("id"), json.bytes("rawId") == id, (1...AuthenticatorData.longestID).contains(id.count),
            let data = AuthenticatorData(bytes)
        else { throw CeremonyFault.malformed }
        guard let userHandle = response?.bytes("userHandle") else { throw CeremonyFault.user }
        challenge = try site.challenge(in: clientData, of: "webauthn.get")
        try site.check(data)
        (credentialID, self.userHandle, self.data, self.signature) = (id.base64URL, userHandle, data, signature)
        signed = bytes + (try RelyingParty.digest(clientData))
    }

    func check(_ passkey: Passkey) throws(CeremonyFault) {
        guard userHandle == passkey.userHandle else { throw .user }
        guard data.flags.contains(.backupEligible) == passkey.isBackupEligible else { throw .backup }
        guard let key = CredentialKey(passkey.algorithm, passkey.publicKey), key.verifies(signature, of: signed)
        else { throw .signature }
    }
}

extension JSON {
    /// What a member has in base64url; nil for none, and for anything else.
    fileprivate func bytes(_ name: String) -> [UInt8]? {
        self[name]?.string.flatMap { [UInt8](.base64URL, $0.utf8) }
    }
}
