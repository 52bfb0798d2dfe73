/// What Amazon SNS answered to a message, and what that means for it.
///
/// | answer | means |
/// |---|---|
/// | 2xx that names a message | taken |
/// | 2xx that bears an error | surely not sent; what next, the error's code says |
/// | 2xx that cannot be read, or names no message | nobody knows |
/// | 4xx or 5xx that bears an error whose code is known | surely not sent; what next, the code says |
/// | any other | what its status says (``GatewayAnswer/statusFailure``) |
///
/// Source: https://docs.aws.amazon.com/sns/latest/api/API_Publish.html.
struct SNSAnswer {
    let answer: GatewayAnswer

    func receipt() throws(GatewayFailure) -> GatewayReceipt {
        let document = answer.body.flatMap(XMLElement.init(document:))
        let failure = document.flatMap(failure)
        if let statusFailure = answer.statusFailure {
            switch statusFailure.kind {
            case .retry: throw statusFailure
            default: throw failure ?? statusFailure
            }
        }
        guard let document else { throw .ambiguous("the answer cannot be read", code: answer.status) }
        if document.name == "ErrorResponse" {
            throw failure ?? .failover("the gateway refused the message", code: answer.status)
        }
        guard document.name == "PublishResponse",
            let receipt = GatewayReceipt(reading: document.child("PublishResult")?.child("MessageId")?.text)
        else { throw .ambiguous("the answer names no message", code: answer.status) }
        return receipt
    }

    private func failure(in document: XMLElement) -> GatewayFailure? {
        guard document.name == "ErrorResponse", let error = document.child("Error"), let code = error.child("Code")
        else { return nil }
        let failure = GatewayFailure.refusal(
            snsCode: code.text,
            message: error.child("Message")?.text ?? "",
            status: answer.status
        )
        guard let failure, case .retry = failure.kind, let wait = answer.retryAfter else { return failure }
        return failure.isFault
            ? .retry(after: wait, "the gateway is down", code: answer.status)
            : .busy(after: wait, "the gateway is busy", code: answer.status)
    }
}
