/// Makes the secrets by which changes of number are undone. One has 22 characters of base64url, some 130
/// bits, since it goes into a link in a text message.
public struct UndoTokens: Sendable {
    /// How many characters a secret has.
    public static let length = 22

    private let deriver: any SecretDeriver
    private let vault: any TokenVault

    /// Secrets under these keys.
    public init(deriver: any SecretDeriver, vault: any TokenVault) {
        self.deriver = deriver
        self.vault = vault
    }

    /// The secret of a new change, and what is kept of it.
    ///
    /// - Throws: what the ports throw.
    public func make(for id: NumberChange.ID) throws -> (token: SecretToken, digest: [UInt8]) {
        let token = try all(of: id)[0]
        return (token, try vault.digest(of: token))
    }

    /// The secret of a change once more, or nil if it was made under a key that is gone.
    ///
    /// - Throws: what the ports throw.
    public func token(of change: NumberChange) throws -> SecretToken? {
        try all(of: change.id).first { try vault.matches($0, digest: change.undoDigest) }
    }

    /// By what the change is found whose secret this is; nil for what has not the form of one.
    ///
    /// - Throws: what the ports throw.
    public func digest(of token: SecretToken) throws -> [UInt8]? {
        token.text.utf8.count == Self.length ? try vault.digest(of: token) : nil
    }

    private func all(of id: NumberChange.ID) throws -> [SecretToken] {
        try deriver.derive(.undo, from: [id.description]).map { SecretToken(Self.text(of: $0)) }
    }

    /// The beginning of what was derived, and a letter or digit at its end: phones leave other characters out of a link that
    /// they find in a text.
    private static func text(of derived: String) -> String {
        let last: Character =
            switch derived.dropFirst(length - 1).first {
            case "-": "A"
            case "_": "B"
            case let other: other ?? "A"
            }
        return derived.prefix(length - 1) + String(last)
    }
}
