import PhoneDomain

extension StubChange {
    /// The form that Twilio posts.
    /// Source: https://www.twilio.com/docs/messaging/guides/track-outbound-message-status.
    var fields: [(name: String, value: String)] {
        let status = message.status.rawValue
        var fields = [
            ("MessageSid", message.sid), ("MessageStatus", status), ("SmsSid", message.sid), ("SmsStatus", status),
            ("AccountSid", callback.account), ("To", message.to), ("ApiVersion", "2010-04-01"),
        ]
        if let from = message.from { fields.append(("From", from)) }
        if let service = message.messagingService { fields.append(("MessagingServiceSid", service)) }
        if let code = message.errorCode { fields.append(("ErrorCode", "\(code)")) }
        if [.delivered, .undelivered].contains(message.status) {
            fields.append(("RawDlrDoneDate", message.updatedAt.carrierDate))
        }
        return fields
    }
}

extension Timestamp {
    /// The moment as carriers write it into receipts, to the minute, in UTC: `2601010000` (SMPP 3.4, appendix B).
    var carrierDate: String {
        String(description.filter(\.isNumber).dropFirst(2).prefix(10))
    }
}
