/// Posts to one endpoint.
public protocol WebhookTransport: Sendable {
    /// Posts a request and waits for the head of the answer. Follows no redirect. It may take as long as it takes: whoever
    /// posts cancels the task when the time is up.
    func post(_ request: WebhookRequest) async -> WebhookAnswer
}
