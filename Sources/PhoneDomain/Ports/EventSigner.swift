/// Signs what is told of events, so that a receiver knows who tells it.
public protocol EventSigner: Sendable {
    /// The signatures of one attempt, as Standard Webhooks has them
    /// (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md): one for each secret,
    /// `v1,` and base64, with a space between two.
    ///
    /// - Parameters:
    ///   - id: of the event.
    ///   - seconds: when the attempt is made, in seconds since 1970-01-01T00:00:00Z.
    ///   - body: what is sent.
    /// - Throws: if the cryptography fails; nothing must be sent then.
    func signatures(id: EventID, seconds: Int64, body: [UInt8]) throws -> String
}
