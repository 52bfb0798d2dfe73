public import PhoneDomain

/// Takes in what Twilio reports of messages (`StatusCallback`).
///
/// Only what is signed for the address that was configured is believed: the one that a request names is the caller's choice.
/// Source: https://www.twilio.com/docs/messaging/guides/track-outbound-message-status.
public struct TwilioReceipts: ReceiptIntake {
    private let check: TwilioCallbackCheck
    private let gateway: String
    private let take: @Sendable (DeliveryReceipt, String) async throws -> Void

    /// An intake for one account.
    ///
    /// - Parameters:
    ///   - account: whose token signs.
    ///   - address: where Twilio was told to report, letter by letter.
    ///   - gateway: the name of the gateway that told it so.
    ///   - authenticator: makes signatures and compares them.
    ///   - dispatcher: records what was reported.
    public init(
        account: TwilioAccount,
        address: CallbackAddress,
        gateway: String = "twilio",
        authenticator: any RequestAuthenticator,
        dispatcher: OutboxDispatcher
    ) {
        check = TwilioCallbackCheck(address: address, account: account, authenticator: authenticator)
        self.gateway = gateway
        take = { try await dispatcher.take($0, of: $1) }
    }

    public func take(_ report: SignedForm) async throws -> Bool {
        guard try check.isRight(of: report) else { return false }
        guard let outcome = Self.outcome(of: report), let name = GatewayReceipt(reading: report["MessageSid"]) else {
            return true
        }
        try await take(DeliveryReceipt(messageID: name.messageID, outcome: outcome), gateway)
        return true
    }

    /// How the message fared; nil as long as it is on its way.
    private static func outcome(of report: SignedForm) -> DeliveryReceipt.Outcome? {
        switch report["MessageStatus"] {
        case "delivered", "read": .delivered
        case "undelivered", "failed": .undelivered(code: report["ErrorCode"].flatMap { Int($0) }?.asGatewayCode)
        default: nil
        }
    }
}
