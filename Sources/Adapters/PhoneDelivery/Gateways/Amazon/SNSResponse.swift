/// Interprets a response of Amazon SNS.
///
/// | response | meaning |
/// |---|---|
/// | 2xx with a message ID | accepted |
/// | 2xx with an error | surely not sent; the error's code determines what follows |
/// | 2xx that is unreadable or has no message ID | unknown |
/// | 4xx or 5xx with an error of a known code | surely not sent; the code determines what follows |
/// | any other | what its status means (``GatewayResponse/statusFailure``) |
///
/// Source: https://docs.aws.amazon.com/sns/latest/api/API_Publish.html.
struct SNSResponse {
    let response: GatewayResponse

    func receipt() throws(GatewayFailure) -> GatewayReceipt {
        let document = response.body.flatMap(XMLElement.init(document:))
        let failure = document.flatMap(failure)
        if let statusFailure = response.statusFailure {
            throw statusFailure.kind == .retry ? statusFailure : failure ?? statusFailure
        }
        guard let document else { throw response.unreadable }
        if document.name == "ErrorResponse" {
            throw failure ?? .failover("the gateway refused the message", code: response.status)
        }
        let result = document.name == "PublishResponse" ? document.child("PublishResult") : nil
        return try response.receipt(messageID: result?.child("MessageId")?.text)
    }

    private func failure(in document: XMLElement) -> GatewayFailure? {
        guard document.name == "ErrorResponse", let error = document.child("Error"), let code = error.child("Code")
        else { return nil }
        return Self.failure(code.text, error.child("Message")?.text ?? "", response.status)?
            .retrying(after: response.retryAfter)
    }

    /// The meaning of an error code, or nil for an unknown one. SNS has no numeric codes, so the status is logged
    /// instead.
    ///
    /// Sources: https://docs.aws.amazon.com/sns/latest/api/API_Publish.html and
    /// https://docs.aws.amazon.com/sns/latest/api/CommonErrors.html; the messages of `InvalidParameter` are from users'
    /// reports.
    private static func failure(_ code: String, _ message: String, _ status: Int) -> GatewayFailure? {
        switch code {
        case "Throttled", "Throttling", "ThrottlingException", "ThrottledException", "RequestLimitExceeded",
            "KMSThrottling":
            .busy("the gateway is busy", code: status)
        case "InternalError", "InternalFailure", "ServiceUnavailable":
            .retry("the gateway is down", code: status)
        case "OptedOut":
            .refused("the recipient has opted out", code: status)
        // This one code stands for the number, the text, the sender and more.
        case "InvalidParameter", "InvalidParameterValue", "ParameterValueInvalid", "ValidationError",
            "ValidationException":
            if message.contains("opted out") {
                .refused("the recipient has opted out", code: status)
            } else if message.hasPrefix("Invalid parameter: PhoneNumber") {
                .refused("no such number", code: status)
            } else {
                .failover("the gateway refused the message", code: status)
            }
        case "SignatureDoesNotMatch" where message.hasPrefix("Signature expired"),
            "SignatureDoesNotMatch" where message.hasPrefix("Signature not yet current"),
            "RequestExpired", "RequestTimeTooSkewed":
            .failover("this machine's clock is wrong", code: status)
        case "SignatureDoesNotMatch", "IncompleteSignature", "InvalidSecurity":
            .failover("the signature was refused", code: status)
        case "ExpiredToken", "ExpiredTokenException":
            .failover("the session token has expired", code: status)
        case "InvalidClientTokenId", "UnrecognizedClientException", "InvalidAccessKeyId", "MissingAuthenticationToken",
            "MissingAuthenticationTokenException":
            .failover("the access key was refused", code: status)
        case "AuthorizationError", "AccessDenied", "AccessDeniedException", "NotAuthorized", "OptInRequired":
            .failover("the account was refused", code: status)
        case "KMSAccessDenied", "KMSDisabled", "KMSInvalidState", "KMSNotFound", "KMSOptInRequired":
            .failover("the account's encryption key cannot be used", code: status)
        default: nil
        }
    }
}
