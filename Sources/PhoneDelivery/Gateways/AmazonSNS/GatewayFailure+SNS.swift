extension GatewayFailure {
    /// What an error code of Amazon SNS means for a message, or nil for one that is not known here.
    ///
    /// Source: https://docs.aws.amazon.com/sns/latest/api/API_Publish.html and
    /// https://docs.aws.amazon.com/sns/latest/api/CommonErrors.html; what the words of `InvalidParameter` are, from those who
    /// met them.
    ///
    /// - Parameters:
    ///   - snsCode: the error's code.
    ///   - message: its words.
    ///   - status: the answer's status, which stands for the code where a number is wanted.
    static func refusal(snsCode: String, message: String, status: Int) -> GatewayFailure? {
        switch snsCode {
        case "Throttled", "Throttling", "ThrottlingException", "ThrottledException", "RequestLimitExceeded",
            "KMSThrottling":
            .busy("the gateway is busy", code: status)
        case "InternalError", "InternalFailure", "ServiceUnavailable":
            .retry("the gateway is down", code: status)
        case "OptedOut":
            .refused("the recipient wants no messages", code: status)
        case "InvalidParameter", "InvalidParameterValue", "ParameterValueInvalid", "ValidationError",
            "ValidationException":
            invalidParameter(message, status)
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

    /// One code stands for the number, the text, the sender and whatever else may be wrong.
    private static func invalidParameter(_ message: String, _ status: Int) -> GatewayFailure {
        if message.contains("opted out") { return .refused("the recipient wants no messages", code: status) }
        if message.hasPrefix("Invalid parameter: PhoneNumber") { return .refused("no such number", code: status) }
        return .failover("the gateway refused the message", code: status)
    }
}
