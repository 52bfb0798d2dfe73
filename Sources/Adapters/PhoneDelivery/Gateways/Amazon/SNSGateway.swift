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
