import PhoneDomain

extension StubMessage {
    /// The message as Twilio's Messages API shows it, every member that it has and no other
    /// (https://github.com/twilio/twilio-oai, `api.v2010.account.message`).
    ///
    /// - Parameters:
    ///   - account: the account that the path names.
    ///   - isNew: whether this is the answer to its sending. It is then on its way still, whatever has become of it
    ///     meanwhile, as it is with Twilio.
    func twilioJSON(account: String, isNew: Bool = false) -> JSON {
        let isByService = TwilioSID.isMessagingService(from)
        let path = "/2010-04-01/Accounts/\(account)/Messages/\(sid)"
        let isOnItsWay = isNew || status == .queued
        let date = JSON.string(createdAt.rfc2822)
        return [
            "account_sid": .string(account),
            "api_version": "2010-04-01",
            "body": .string(body),
            "date_created": date,
            "date_sent": isOnItsWay ? nil : date,
            "date_updated": date,
            "direction": "outbound-api",
            "error_code": isNew ? nil : .integer(errorCode),
            "error_message": isNew || errorCode == nil ? nil : "The message was not delivered",
            "from": isByService ? nil : .string(from),
            "messaging_service_sid": isByService ? .string(from) : nil,
            "num_media": "0",
            // A messaging service has not split it yet when it answers.
            "num_segments": .string(isByService && isOnItsWay ? "0" : String(segments)),
            "price": nil,
            "price_unit": "USD",
            "sid": .string(sid),
            "status": isNew ? (isByService ? "accepted" : "queued") : .string(status.rawValue),
            "subresource_uris": ["media": .string(path + "/Media.json")],
            "to": .string(to),
            "uri": .string(path + ".json"),
        ]
    }
}
