/// By what a caller knows a request that it may have to send again (draft-ietf-httpapi-idempotency-key-header-07): 1 to 255
/// printable ASCII characters, the same for every try and never for another request.
public struct IdempotencyKey: Hashable, Sendable, LosslessStringConvertible {
    public let description: String

    /// The key of this text, or nil if it is none.
    public init?(_ description: String) {
        guard (1...255).contains(description.utf8.count), description.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else { return nil }
        self.description = description
    }
}
