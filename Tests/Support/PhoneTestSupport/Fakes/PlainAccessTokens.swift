public import PhoneAccounts
import PhoneDomain
public import PhoneSignup
import Synchronization

/// Access tokens that count up from `at_1`.
public final class PlainAccessTokens: AccessTokenAuthority {
    public struct NoKey: Error, CustomStringConvertible { public let description = "no signing key" }

    private struct State {
        var issued: [AccessToken] = []
        var idTokens: [IDToken] = []
        var clientTokens: [ClientToken] = []
        var hasKey = true
    }

    private let state = Mutex(State())

    public init() {}

    /// Whether anything can be signed; what was signed before stays valid.
    public func setKey(_ hasKey: Bool) {
        state.withLock { $0.hasKey = hasKey }
    }

    public func sign(_ token: AccessToken) throws -> String {
        try state.withLock { state in
            guard state.hasKey else { throw NoKey() }
            state.issued.append(token)
            return "at_\(state.issued.count)"
        }
    }

    /// `ct_1` and so on.
    public func sign(_ token: ClientToken) -> String {
        state.withLock { state in
            state.clientTokens.append(token)
            return "ct_\(state.clientTokens.count)"
        }
    }

    public func clientToken(in text: String, at now: Timestamp) -> ClientToken? {
        guard text.hasPrefix("ct_"), let number = Int(text.dropFirst(3)) else { return nil }
        return state.withLock { state in
            guard state.clientTokens.indices.contains(number - 1) else { return nil }
            let token = state.clientTokens[number - 1]
            return token.issuedAt <= now && now < token.expiresAt ? token : nil
        }
    }

    /// `it_1` and so on.
    public func sign(_ token: IDToken, by algorithm: SigningAlgorithm) -> String {
        state.withLock { state in
            state.idTokens.append(token)
            return "it_\(state.idTokens.count)"
        }
    }

    public func idToken(in text: String) -> IDToken? {
        guard text.hasPrefix("it_"), let number = Int(text.dropFirst(3)) else { return nil }
        return state.withLock { $0.idTokens.indices.contains(number - 1) ? $0.idTokens[number - 1] : nil }
    }

    public func token(in text: String, at now: Timestamp) -> AccessToken? {
        guard text.hasPrefix("at_"), let number = Int(text.dropFirst(3)) else { return nil }
        return state.withLock { state in
            guard state.issued.indices.contains(number - 1) else { return nil }
            let token = state.issued[number - 1]
            return token.issuedAt <= now && now < token.expiresAt ? token : nil
        }
    }
}
