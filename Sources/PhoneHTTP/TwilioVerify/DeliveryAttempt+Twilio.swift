import PhoneDomain

extension DeliveryAttempt {
    /// The message as Twilio Verify shows an attempt (https://github.com/twilio/twilio-oai, `verify.v2.verification_attempt`).
    /// What nobody here knows, the price and the carrier, is null.
    func twilioJSON(_ account: TenantAccount.ID, _ place: TwilioPlace) -> JSON {
        let verificationSID = JSON.string(TwilioSID.of(verification.id))
        return [
            "sid": .string(TwilioSID.of(message.id)),
            "account_sid": .string(TwilioSID.of(account)),
            "service_sid": .string(verification.owner.tenant.map { TwilioSID.of($0) }),
            "verification_sid": verificationSID,
            "date_created": .string(message.createdAt.wholeSecondsText),
            "date_updated": .string(max(message.createdAt, verification.updatedAt).wholeSecondsText),
            "conversion_status": isConverted ? "converted" : "unconverted",
            "channel": .string(verification.channel.rawValue),
            "price": ["value": nil, "currency": nil],
            "channel_data": [
                "verification_sid": verificationSID,
                "to": .string(verification.phoneNumber.e164),
                "status": .string(verification.recordedStatus.rawValue),
                "message_status": .string(messageStatus),
                "error_code": .string(errorCode),
                "country": .string(verification.phoneNumber.region.description),
                "code_length": nil,
                "locale": .string(verification.language.description),
                "mcc": nil,
                "mnc": nil,
                "carrier": nil,
            ],
            "url": .string("\(place.address)/Attempts/\(TwilioSID.of(message.id))"),
        ]
    }

    /// What was held back in silence looks as if it had been sent.
    private var messageStatus: String {
        switch message.status {
        case .queued: "queued"
        case .sent, .withheld: "sent"
        case .unknown: "unknown"
        case .delivered: "delivered"
        case .undelivered: "undelivered"
        case .failed: "failed"
        case .dropped: "canceled"
        }
    }

    /// The gateway's code, which stands in brackets at the end of what is kept of a failure.
    private var errorCode: String? {
        guard let failure = message.failure, failure.hasSuffix(")"), let start = failure.lastIndex(of: "(") else {
            return nil
        }
        let code = failure[failure.index(after: start)...].dropLast()
        return code.isEmpty || !code.allSatisfy(\.isNumber) ? nil : String(code)
    }
}
