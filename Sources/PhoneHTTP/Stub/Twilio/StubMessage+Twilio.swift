import PhoneDomain

extension StubMessage {
    /// The message as Twilio's Messages API shows it, every member that it has and no other
    /// (https://github.com/twilio/twilio-oai, `api.v2010.account.message`).
    ///
    /// - Parameter account: the account that the path names.
    func twilioJSON(account: String) -> JSON {
        let path = "/2010-04-01/Accounts/\(account)/Messages/\(sid)"
        // A messaging service has not split it yet.
        let isSplit = status != .accepted && (status != .scheduled || messagingService == nil)
        return [
            "account_sid": .string(account),
            "api_version": "2010-04-01",
            "body": .string(body),
            "date_created": .string(createdAt.rfc2822),
            "date_sent": .string(sentAt?.rfc2822),
            "date_updated": .string(updatedAt.rfc2822),
            "direction": "outbound-api",
            "error_code": .integer(errorCode),
            "error_message": .string(errorMessage),
            "from": .string(from),
            "messaging_service_sid": .string(messagingService),
            "num_media": "0",
            "num_segments": .string(isSplit ? String(segments) : "0"),
            "price": nil,
            "price_unit": "USD",
            "sid": .string(sid),
            "status": .string(status.rawValue),
            "subresource_uris": ["media": .string(path + "/Media.json")],
            "to": .string(to),
            "uri": .string(path + ".json"),
        ]
    }

    private var errorMessage: String? {
        switch status {
        case .undelivered: "The message was not delivered"
        case .failed: "The message was not sent"
        case .accepted, .scheduled, .queued, .sending, .sent, .delivered, .canceled: nil
        }
    }
}
