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

    /// `it_1` and so on.
    public func sign(_ token: IDToken, by algorithm: SigningAlgorithm) -> String {
        state.withLock { state in
            state.idTokens.append(token)
            return "it_\(state.idTokens.count)"
        }
    }

    public func token(in text: String, at now: Timestamp) -> AccessToken? {
        find(text, "at_", \.issued).flatMap { $0.issuedAt <= now && now < $0.expiresAt ? $0 : nil }
    }

    public func clientToken(in text: String, at now: Timestamp) -> ClientToken? {
        find(text, "ct_", \.clientTokens).flatMap { $0.issuedAt <= now && now < $0.expiresAt ? $0 : nil }
    }

    public func idToken(in text: String) -> IDToken? { find(text, "it_", \.idTokens) }

    private func find<Token: Sendable>(_ text: String, _ prefix: String, _ tokens: (State) -> [Token]) -> Token? {
        guard text.hasPrefix(prefix), let number = Int(text.dropFirst(prefix.count)) else { return nil }
        return state.withLock { state in
            let tokens = tokens(state)
            return tokens.indices.contains(number - 1) ? tokens[number - 1] : nil
        }
    }
}
