public import PhoneAccounts
public import PhoneDomain
import Synchronization

/// Tokens that count up from 1, kept as they are, so that a test can write them down.
public final class PlainTokenVault: TokenVault {
    private let last = Mutex(0)

    /// A vault whose first token is 1.
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
