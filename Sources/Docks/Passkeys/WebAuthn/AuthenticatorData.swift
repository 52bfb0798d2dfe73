import CoreEncodings
import OpenSSLCrypto

/// What an authenticator says of itself and signs (WebAuthn Level 2, section 6.1).
struct AuthenticatorData {
    struct Flags: OptionSet {
        let rawValue: UInt8
        static let userPresent = Flags(rawValue: 0x01)
        static let userVerified = Flags(rawValue: 0x04)
        /// The key may be, and is, kept somewhere else as well (Level 3, section 6.1.3).
        static let backupEligible = Flags(rawValue: 0x08)
        static let backedUp = Flags(rawValue: 0x10)
        static let hasCredential = Flags(rawValue: 0x40)
        static let hasExtensions = Flags(rawValue: 0x80)
    }

    /// The SHA-256 of the relying party's ID.
    let idHash: [UInt8]
    let flags: Flags
    let counter: Int64
    /// A new key (section 6.5.1); nil where an existing one signs.
    let credential: (id: [UInt8], key: CredentialKey?)?

    /// The longest ID of a key (section 7.1, step 22 of Level 3).
    static let longestID = 1023
    /// More than any has that has no certificates in it.
    private static let longest = 4096

    /// Nil unless the bytes are this and nothing else.
    init?(_ bytes: [UInt8]) {
        guard (37...Self.longest).contains(bytes.count) else { return nil }
        var rest = bytes[...]
        idHash = Array(rest.prefix(32))
        flags = Flags(rawValue: bytes[32])
        counter = Int64(bytes[33..<37].reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
        rest = rest.dropFirst(37)
        if flags.contains(.hasCredential) {
            // The ID of the model, which nobody vouches for without an attestation.
            guard rest.count >= 18 else { return nil }
            rest = rest.dropFirst(16)
            let count = rest.prefix(2).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(2)
            guard (1...Self.longestID).contains(count), rest.count >= count else { return nil }
            let id = Array(rest.prefix(count))
            rest = rest.dropFirst(count)
            guard let key = CBOR(readingFrom: &rest) else { return nil }
            credential = (id, CredentialKey(key))
        } else {
            credential = nil
        }
        if flags.contains(.hasExtensions) {
            guard case .map? = CBOR(readingFrom: &rest) else { return nil }
        }
        guard rest.isEmpty else { return nil }
    }
}

/// A public key in COSE (RFC 9052 section 7), of one of the algorithms that are asked for.
struct CredentialKey {
    /// Raw values are stored.
    enum Algorithm: String, CaseIterable {
        case es256 = "ES256"
        case rs256 = "RS256"

        /// Its number in COSE (RFC 9053 section 2.1, RFC 8812 section 2).
        var identifier: Int { self == .es256 ? -7 : -257 }
    }

    let algorithm: Algorithm
    /// The two coordinates, or the modulus.
    let bytes: [UInt8]
    private let key: DevicePublicKey

    init?(_ algorithm: Algorithm, _ bytes: [UInt8]) {
        let key = algorithm == .es256 ? DevicePublicKey(es256: bytes) : DevicePublicKey(rs256: bytes)
        guard let key else { return nil }
        (self.algorithm, self.bytes, self.key) = (algorithm, bytes, key)
    }

    /// Nil for a key of another algorithm, curve or exponent, one that is not on the curve, and one with anything beside.
    init?(_ cose: CBOR) {
        guard case .map(let members) = cose else { return nil }
        if cose[1] == 2, cose[3] == -7, cose[-1] == 1, members.count == 5, let x = cose[-2]?.bytes,
            let y = cose[-3]?.bytes, x.count == 32, y.count == 32
        {
            self.init(.es256, x + y)
        } else if cose[1] == 3, cose[3] == .negative(256), cose[-2]?.bytes == [1, 0, 1], members.count == 4,
            let modulus = cose[-1]?.bytes
        {
            self.init(.rs256, modulus)
        } else {
            return nil
        }
    }

    func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool { key.verifies(signature, of: message) }
}
