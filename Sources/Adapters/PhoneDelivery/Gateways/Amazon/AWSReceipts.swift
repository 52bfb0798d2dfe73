import CoreEncodings
import Logging
public import PhoneDomain

/// Records the events of a configuration set, which come by an HTTPS subscription of an SNS topic or by an API
/// destination of EventBridge, with a token in the URL or in `Authorization`.
///
/// The token proves them, as for other vendors: what SNS signs with is a certificate at an address in the message. A
/// subscription is confirmed at an address of SNS alone.
///
/// Sources: https://docs.aws.amazon.com/sms-voice/latest/userguide/configuration-sets-event-types.html and
/// https://docs.aws.amazon.com/sns/latest/dg/http-subscription-confirmation-json.html.
public struct AWSReceipts: ReportIntake {
    private static let delivered: Set = ["TEXT_DELIVERED", "VOICE_ANSWERED", "VOICE_COMPLETED"]
    private static let undelivered: Set = [
        "TEXT_INVALID", "TEXT_INVALID_MESSAGE", "TEXT_UNREACHABLE", "TEXT_CARRIER_UNREACHABLE", "TEXT_BLOCKED",
        "TEXT_CARRIER_BLOCKED", "TEXT_SPAM", "TEXT_TTL_EXPIRED", "TEXT_PROTECT_BLOCKED", "VOICE_BUSY",
        "VOICE_NO_ANSWER", "VOICE_FAILED", "VOICE_TTL_EXPIRED",
    ]

    private let gateway: String
    private let proof: HTTPReportProof
    private let dispatcher: OutboxDispatcher
    public var signatureHeader: String? { proof.header }
    public let acceptsToken = true

    public init(of gateway: String, proof: HTTPReportProof, dispatcher: OutboxDispatcher) {
        (self.gateway, self.proof, self.dispatcher) = (gateway, proof, dispatcher)
    }

    public func take(_ report: GatewayReport) async throws -> Bool {
        guard try proof.isGenuine(report) else { return false }
        let content = try report.content()
        switch content["Type"]?.string {
        case "SubscriptionConfirmation": try await confirm(content)
        case "Notification":
            guard let event = content["Message"]?.string.flatMap(JSON.init(parsing:)) else {
                throw UnreadableReport("its message is no well-formed JSON")
            }
            try await record(event)
        default: try await record(content["detail"] ?? content)
        }
        return true
    }

    private func record(_ event: JSON) async throws {
        guard let id = event["messageId"]?.string, let outcome = Self.outcome(of: event) else { return }
        try await dispatcher.record(DeliveryReceipt(messageID: id, outcome: outcome), of: gateway)
    }

    /// Nil for a message in transit. Some carriers report no more than that they have it, which is final then.
    static func outcome(of event: JSON) -> DeliveryReceipt.Outcome? {
        let (type, isFinal) = (event["eventType"]?.string ?? "", event["isFinal"] == true)
        if delivered.contains(type) || type == "TEXT_SUCCESSFUL" && isFinal { return .delivered }
        return undelivered.contains(type) && isFinal ? .undelivered(code: nil) : nil
    }

    private func confirm(_ content: JSON) async throws {
        guard let url = content["SubscribeURL"]?.string.flatMap(Self.confirmation) else {
            throw UnreadableReport("its SubscribeURL is none of Amazon SNS")
        }
        let response = try await withTimeout(.seconds(10), on: dispatcher.clock) {
            try await GatewayClient(connectTimeout: .seconds(5)).get(url)
        }
        guard let response else { throw GatewayFailure.retry("the gateway was not reached in time") }
        try response.requireSuccess()
        let metadata: Logger.Metadata = ["gateway.name": "\(gateway)"]
        dispatcher.logger.notice("A subscription to a gateway's events was confirmed", metadata: metadata)
    }

    /// The address, unless it is one that SNS has not.
    static func confirmation(at text: String) -> String? {
        let address = /https:\/\/sns\.[a-z0-9-]+\.amazonaws\.com(\.cn)?\/\?[!-~]+/
        return text.wholeMatch(of: address) == nil ? nil : text
    }
}
