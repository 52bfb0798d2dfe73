import PhoneNumbers
public import PhoneSignup

/// What an app brings for a text of ours: the maker of the device says that this app, unchanged, has asked, on a device that
/// is one. Never log it.
public struct AppProof: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    /// Raw values are those of requests.
    public enum Kind: String, Sendable, CaseIterable {
        /// Apple's (https://developer.apple.com/documentation/devicecheck).
        case appAttest = "app_attest"
        /// Google's (https://developer.android.com/google/play/integrity).
        case playIntegrity = "play_integrity"
    }

    public enum Statement: Hashable, Sendable {
        /// A new key of the app, with what Apple says of it, in CBOR.
        case attestation(keyID: String, [UInt8])
        /// A use of such a key, in CBOR.
        case assertion(keyID: String, [UInt8])
        /// A token of Play Integrity.
        case token(String)

        public var kind: Kind { if case .token = self { .playIntegrity } else { .appAttest } }
    }

    /// ``AppChallenge/nonce``, as the app got it.
    public let nonce: String
    public let statement: Statement
    /// The longest statement of an app, in bytes: an attestation has about 6,000.
    public static let longestStatement = 12_288
    private static let longestNonce = 128
    /// A SHA-256 in base64, with its padding.
    private static let keyIDLength = 44

    /// Nil unless nonce and ID have the form of such, since the store is asked for both.
    public init?(nonce: String, statement: Statement) {
        guard (1...Self.longestNonce).contains(nonce.utf8.count), Self.isBase64(nonce, and: "-_") else { return nil }
        switch statement {
        case .token: break
        case .attestation(let keyID, _), .assertion(let keyID, _):
            guard keyID.utf8.count == Self.keyIDLength, Self.isBase64(keyID, and: "+/=") else { return nil }
        }
        (self.nonce, self.statement) = (nonce, statement)
    }

    private static func isBase64(_ text: String, and others: String) -> Bool {
        text.utf8.allSatisfy { $0.isASCIIAlphanumeric || others.utf8.contains($0) }
    }

    public var description: String { "AppProof(\(statement.kind.rawValue))" }
    public var debugDescription: String { description }
}

/// A text that an app has the maker of its device sign: for one number, for ten minutes, and for one message. Nothing is
/// stored of it before it was used.
public struct AppChallenge: Hashable, Sendable {
    static let life: Duration = .seconds(600)

    /// 70 characters of base64url, which both makers take.
    public let nonce: String
    public let expiresAt: Timestamp
}

/// Judges what apps bring, by itself or by asking the device's maker about it.
public protocol AppVerifier: Sendable {
    /// Whether only apps cause messages: every one needs such a proof, unless the caller vouches for the person.
    var isRequired: Bool { get }
    /// Whether the statement is valid for its nonce, of which the caller has found that it is ours.
    func verify(_ proof: AppProof, at now: Timestamp) async -> CaptchaResult
}
