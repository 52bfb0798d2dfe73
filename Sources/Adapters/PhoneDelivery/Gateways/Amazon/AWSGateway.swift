import CoreEncodings
import PhoneDomain
import PhoneNumbers
public import PhoneSignup

/// Sends SMS and calls by AWS End User Messaging (SMS and Voice, version 2), or by a server with the same API.
///
/// It has no idempotency key for messages, so one of unknown fate is not sent again.
///
/// Source: https://docs.aws.amazon.com/pinpoint/latest/apireference_smsvoicev2/API_SendTextMessage.html.
public struct AWSGateway: MessageGateway {
    /// What is set up in the account.
    public struct Options: Hashable, Sendable {
        /// A number, a sender ID, a pool, or the ARN of one. Amazon chooses where there is none; a call needs one.
        public var origin: String?
        public var configurationSet: String?
        public var protectConfiguration: String?
        /// Whether Amazon is notified that the code of an SMS was entered.
        public var reportsEntries = false

        public init(origin: String?) { self.origin = origin }
    }

    public let name: String
    public let channels: Set<Channel>
    public let reportsDelivery: Bool
    private let options: Options
    private let client: AWSClient

    /// - Parameters:
    ///   - reportsDelivery: whether its events come (``AWSReceipts``).
    ///   - access: to the service `sms-voice` of ``EndpointURL/amazon(_:in:)`` for Amazon's own.
    public init(
        name: String = "aws",
        credentials: AWSCredentialsProvider,
        region: AWSRegion,
        options: Options,
        channels: Set<Channel> = [.sms],
        reportsDelivery: Bool = false,
        access: VendorAccess
    ) {
        (self.name, self.channels, self.options) = (name, channels, options)
        self.reportsDelivery = reportsDelivery
        client = AWSClient(service: "sms-voice", credentials: credentials, region: region, access: access)
    }

    /// Amazon Polly's, as far as the API has one for a language.
    /// Source: https://docs.aws.amazon.com/pinpoint/latest/apireference_smsvoicev2/API_SendVoiceMessage.html.
    private static let voices = [
        "ar": "ZEINA", "de": "VICKI", "en": "JOANNA", "es": "LUPE", "fr": "LEA", "ja": "MIZUKI", "ko": "SEOYEON",
        "pt": "VITORIA", "zh": "ZHIYU",
    ]

    public func send(_ message: GatewayMessage) async throws(GatewayFailure) -> GatewayReceipt {
        var members = ["DestinationPhoneNumber": JSON.string(message.to.e164)]
        members["OriginationIdentity"] = options.origin.map { .string($0) }
        members["ConfigurationSetName"] = options.configurationSet.map { .string($0) }
        members["ProtectConfigurationId"] = options.protectConfiguration.map { .string($0) }
        if message.channel == .call {
            guard let voice = Self.voices[message.language.language] else {
                throw .failover("no voice of the gateway speaks the language")
            }
            let sentences = message.body.split(separator: "\n").map { RequestFormat.xml.escaped(String($0)) }
            let speech = "<speak>\(sentences.joined(separator: "<break time=\"1s\"/>"))</speak>"
            members["MessageBody"] = .string(speech)
            (members["MessageBodyTextType"], members["VoiceId"]) = ("SSML", .string(voice))
        } else {
            (members["MessageBody"], members["MessageType"]) = (.string(message.body), "TRANSACTIONAL")
            if takesFeedback(by: message.channel) { members["MessageFeedbackEnabled"] = true }
        }
        let response = try await post(message.channel == .call ? "SendVoiceMessage" : "SendTextMessage", members)
        return try response.receipt(messageID: response.json?["MessageId"]?.string)
    }

    public func takesFeedback(by channel: Channel) -> Bool { options.reportsEntries && channel == .sms }

    /// Source: https://docs.aws.amazon.com/pinpoint/latest/apireference_smsvoicev2/API_PutMessageFeedback.html.
    public func report(_ entry: CodeEntry) async throws(GatewayFailure) {
        _ = try await post(
            "PutMessageFeedback",
            ["MessageId": .string(entry.messageID), "MessageFeedbackStatus": "RECEIVED"]
        )
    }

    /// - Returns: a response of 2xx.
    private func post(_ action: String, _ members: [String: JSON]) async throws(GatewayFailure) -> GatewayResponse {
        let response = try await client.post(
            Array(JSON(sorted: members).text.utf8),
            contentType: "application/x-amz-json-1.0",
            headers: [("X-Amz-Target", "PinpointSMSVoiceV2.\(action)")]
        )
        guard let failure = response.statusFailure else { return response }
        guard failure.kind != .retry, let error = response.json else { throw failure }
        // `com.amazonaws.pinpointsmsvoicev2#ConflictException`, or the last part of it.
        let type = (error["__type"]?.string ?? "").split(separator: "#").last.map(String.init) ?? ""
        let reason = error["Reason"]?.string
        throw (Self.failure(type, reason ?? "", error, response) ?? failure).detailed(reason ?? type)
    }

    /// The meaning of an error, or nil for an unknown one. Amazon has no numeric codes, so the status is logged instead.
    /// Source: https://docs.aws.amazon.com/pinpoint/latest/apireference_smsvoicev2/CommonErrors.html, and each action.
    private static func failure(
        _ type: String,
        _ reason: String,
        _ error: JSON,
        _ response: GatewayResponse
    ) -> GatewayFailure? {
        let status = response.status
        let isOfNumber = error["Fields"]?.array?.contains { $0["Name"]?.string == "destinationPhoneNumber" } ?? false
        return switch (type, reason) {
        case ("ThrottlingException", _): .busy(after: response.retryAfter, "the gateway is busy", code: status)
        case (_, "DESTINATION_PHONE_NUMBER_OPTED_OUT"): .refused("the recipient has opted out", code: status)
        case (_, "DESTINATION_PHONE_NUMBER_BLOCKED_BY_PROTECT_NUMBER_OVERRIDE"):
            .refused("the number is barred", code: status)
        case (_, "DESTINATION_COUNTRY_BLOCKED_BY_PROTECT_CONFIGURATION"), (_, "DESTINATION_COUNTRY_BLOCKED"),
            (_, "INTERNATIONAL_SENDING_NOT_SUPPORTED"), (_, "INVALID_IDENTITY_FOR_DESTINATION_COUNTRY"):
            .failover("the gateway does not serve the country", code: status)
        case ("ServiceQuotaExceededException", _): .failover("the account's limit is reached", code: status)
        case ("ValidationException", _) where isOfNumber: .refused("no such number", code: status)
        case ("ExpiredTokenException", _): .failover("the session token has expired", code: status)
        case ("InvalidSignatureException", _): .failover("the signature was refused", code: status)
        case ("UnrecognizedClientException", _): .failover("the access key was refused", code: status)
        case ("AccessDeniedException", _): .failover("the account was refused", code: status)
        default: nil
        }
    }
}
