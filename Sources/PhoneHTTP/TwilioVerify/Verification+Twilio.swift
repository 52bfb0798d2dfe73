import PhoneDomain

extension SentVerification {
    /// The verification as Twilio Verify shows it, every member that it has and no other
    /// (https://github.com/twilio/twilio-oai, `verify.v2.service.verification`).
    ///
    /// - Parameters:
    ///   - tenant: whose it is.
    ///   - place: where it is.
    ///   - now: this moment.
    func twilioJSON(_ tenant: Tenant, _ place: TwilioPlace, at now: Timestamp) -> JSON {
        let (sid, channel) = (TwilioSID.of(verification.id), verification.channel)
        return [
            "sid": .string(sid),
            "service_sid": .string(TwilioSID.of(tenant.id)),
            "account_sid": .string(TwilioSID.of(tenant.account)),
            "to": .string(verification.phoneNumber.e164),
            "channel": .string(channel.rawValue),
            "status": .string(verification.status(at: now).rawValue),
            "valid": .bool(verification.recordedStatus == .approved),
            "date_created": .string(verification.createdAt.wholeSecondsText),
            "date_updated": .string(max(verification.updatedAt, verification.sentAt).wholeSecondsText),
            "lookup": tenant.options.contains(.lookup) ? verification.phoneNumber.twilioLookup : [:],
            "amount": nil,
            "payee": nil,
            "send_code_attempts": .array(
                messages.map { message in
                    [
                        "time": .string(message.createdAt.wholeSecondsText),
                        "channel": .string(channel.rawValue.uppercased()),
                        "attempt_sid": .string(TwilioSID.of(message.id)),
                    ]
                }
            ),
            "sna": nil,
            "url": .string(place.service(tenant.id) + "/Verifications/\(sid)"),
        ]
    }

}

extension Verification {
    /// The verification as Twilio Verify shows a check of its code (`verify.v2.service.verification_check`).
    func twilioCheckJSON(_ tenant: Tenant, at now: Timestamp) -> JSON {
        [
            "sid": .string(TwilioSID.of(id)),
            "service_sid": .string(TwilioSID.of(tenant.id)),
            "account_sid": .string(TwilioSID.of(tenant.account)),
            "to": .string(phoneNumber.e164),
            "channel": .string(channel.rawValue),
            "status": .string(status(at: now).rawValue),
            "valid": .bool(recordedStatus == .approved),
            "amount": nil,
            "payee": nil,
            "sna_attempts_error_codes": [],
            "date_created": .string(createdAt.wholeSecondsText),
            "date_updated": .string(updatedAt.wholeSecondsText),
        ]
    }
}

extension PhoneNumber {
    /// What the numbering plan says of it, where Twilio tells what carriers say. Which carrier has it nobody knows here.
    fileprivate var twilioLookup: JSON {
        let type =
            switch kind {
            case .mobile, .fixedLineOrMobile: "mobile"
            case .voip: "voip"
            default: "landline"
            }
        return [
            "carrier": [
                "mobile_country_code": nil,
                "mobile_network_code": nil,
                "name": nil,
                "type": .string(type),
                "error_code": nil,
            ]
        ]
    }
}
