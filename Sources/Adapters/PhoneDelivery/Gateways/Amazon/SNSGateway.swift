import CoreEncodings
import PhoneDomain
import PhoneNumbers

/// Sends by Amazon SNS, as transactional messages, or by a server with the same API, such as LocalStack.
///
/// SNS has no idempotency key for text messages, so one of unknown fate is not sent again. Its delivery reports go to
/// CloudWatch alone, which is not read.
public struct SNSGateway: MessageGateway {
    public let name: String

    private let sender: SNSSender
    private let client: AWSClient

    /// - Parameter access: to the service `sns` of ``EndpointURL/amazon(_:in:)`` for Amazon's own.
    public init(
        name: String = "sns",
        credentials: AWSCredentialsProvider,
        region: AWSRegion,
        sender: SNSSender,
        access: VendorAccess
    ) {
        self.name = name
        self.sender = sender
        client = AWSClient(service: "sns", credentials: credentials, region: region, access: access)
    }

    public func send(_ message: GatewayMessage) async throws(GatewayFailure) -> GatewayReceipt {
        let attributes = [("AWS.SNS.SMS.SMSType", "Transactional")] + sender.attributes
        let form = URLEncodedForm(
            [
                ("Action", "Publish"), ("Version", "2010-03-31"), ("PhoneNumber", message.to.e164),
                ("Message", message.body),
            ]
                + attributes.enumerated().flatMap { index, attribute in
                    let entry = "MessageAttributes.entry.\(index + 1)"
                    return [
                        ("\(entry).Name", attribute.0), ("\(entry).Value.DataType", "String"),
                        ("\(entry).Value.StringValue", attribute.1),
                    ]
                }
        )
        let response = try await client.post(
            form.bytes,
            contentType: URLEncodedForm.contentType,
            // Amazon responds in XML unless JSON is asked for.
            unsigned: [("Accept", "text/xml")]
        )
        return try SNSResponse(response: response).receipt()
    }
}

/// The sender of messages. Amazon chooses among the account's numbers where none is given.
/// Source: https://docs.aws.amazon.com/sns/latest/dg/sms_publish-to-phone.html.
public struct SNSSender: Hashable, Sendable {
    public let id: SNSSenderID?
    /// The number to send from in countries that allow no names, and for two-way messages.
    public let number: SNSOriginationNumber?

    public init(id: SNSSenderID? = nil, number: SNSOriginationNumber? = nil) {
        (self.id, self.number) = (id, number)
    }

    fileprivate var attributes: [(String, String)] {
        let name = id.map { [("AWS.SNS.SMS.SenderID", $0.description)] } ?? []
        return name + (number.map { [("AWS.MM.SMS.OriginationNumber", $0.description)] } ?? [])
    }
}

/// A name that messages come from where the country allows one.
public struct SNSSenderID: Hashable, Sendable, LosslessStringConvertible {
    public let description: String

    /// `nil` unless it is 1 to 11 ASCII letters and digits, at least one of them a letter.
    public init?(_ description: String) {
        guard description.isSenderName else { return nil }
        self.description = description
    }
}

/// A number of the account that messages come from: a short code, or a number in E.164.
public struct SNSOriginationNumber: Hashable, Sendable, LosslessStringConvertible {
    public let description: String

    /// `nil` unless it is 5 to 14 digits, or `+` and 7 to 15.
    public init?(_ description: String) {
        guard description.isSenderNumber(withoutPlus: 5...14) else { return nil }
        self.description = description
    }
}

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
