/// A refresh token that has the form of one. Every description of it is dots.
public struct RefreshToken: Hashable, Sendable {
    private static let prefix = "rt_"
    private static let bodyLength = 43
    private static let tagLength = 22

    /// The session that it says it is of.
    public let sessionID: Session.ID
    /// The whole text, as its holder sends it.
    public let secret: SecretToken
    /// Its 256 bits.
    let body: String
    /// By which it is told from made-up ones.
    let tag: String

    init(_ sessionID: Session.ID, body: String, tag: String) {
        self.sessionID = sessionID
        self.body = body
        self.tag = String(tag.prefix(Self.tagLength))
        secret = SecretToken(Self.prefix + sessionID.hexadecimal + "_" + body + self.tag)
    }

    /// The token that the text has the form of, or nil.
    public init?(_ secret: SecretToken) {
        // It may be of any length: what is taken of it is not.
        let parts = secret.text.split(separator: "_", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == Self.prefix.dropLast(), let id = Session.ID(hexadecimal: parts[1]),
            parts[2].utf8.count == Self.bodyLength + Self.tagLength, parts[2].utf8.allSatisfy({ $0 < 0x80 })
        else { return nil }
        sessionID = id
        body = String(parts[2].prefix(Self.bodyLength))
        tag = String(parts[2].dropFirst(Self.bodyLength))
        self.secret = secret
    }
}

extension RefreshToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "••••" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
