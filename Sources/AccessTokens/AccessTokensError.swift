public import PhoneDomain

/// Access tokens cannot be made or verified. It never holds a key or a token.
public enum AccessTokensError: Error {
    /// Eight times in a row the random source gave what is no private key, which no working one does.
    case brokenRandomSource
    /// What is kept of the key is no key of ES256.
    case malformedKey(SigningKey.ID)
    /// The key that is to sign cannot be opened.
    case sealedKey(SigningKey.ID, reason: String)
    /// There is no key that signs.
    case noKey
}

extension AccessTokensError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .brokenRandomSource: "the random source gives no usable bytes; no signing key was made"
        case .malformedKey(let id):
            "the signing key \(id) is not one; make another by `phoneproof keys rotate-signing --at-once`, which makes "
                + "every access token worthless that is out"
        case .sealedKey(let id, let reason):
            "the signing key \(id) cannot be opened: \(reason); put the key ring of before back (keys.file), or make "
                + "another signing key by `phoneproof keys rotate-signing --at-once`, which makes every access token "
                + "worthless that is out"
        case .noKey: "there is no key that access tokens can be signed with"
        }
    }
}
