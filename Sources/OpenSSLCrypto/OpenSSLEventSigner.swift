public import PhoneDomain

/// Signs what is told of events by HMAC-SHA256, once for each secret.
public struct OpenSSLEventSigner: EventSigner {
    private let secrets: [WebhookSecret]

    /// A signer with these secrets.
    ///
    /// - Parameter secrets: one, or while secrets are changed several: a receiver takes what is signed with any that it
    ///   knows.
    public init(secrets: [WebhookSecret]) {
        self.secrets = secrets
    }

    /// - Throws: ``OpenSSLError``.
    public func signatures(id: EventID, seconds: Int64, body: [UInt8]) throws -> String {
        let content = Array("\(id).\(seconds).".utf8) + body
        return try secrets.map { "v1," + (try HMACSHA256.code(of: content, key: $0.bytes)).base64 }
            .joined(separator: " ")
    }
}
