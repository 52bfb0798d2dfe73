/// What is posted to an endpoint.
public struct WebhookRequest: Hashable, Sendable {
    /// The fields of its head, in lower case.
    public let headers: [String: String]
    /// The JSON.
    public let body: [UInt8]
}
