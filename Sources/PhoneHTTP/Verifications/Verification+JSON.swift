import PhoneDomain

extension Verification {
    /// The verification as its owner is shown it at this moment: with what may be done next, and when.
    func json(at now: Timestamp) -> JSON {
        [
            "id": .string(id.description),
            "phone_number": .string(phoneNumber.e164),
            "national_format": .string(phoneNumber.nationalFormat),
            "region": .string(phoneNumber.region.description),
            "channel": .string(channel.rawValue),
            "status": .string(status(at: now).rawValue),
            "created_at": .string(createdAt.description),
            "expires_at": .string(expiresAt.description),
            "next_send_at": .string(nextSendAt.description),
            "sends_left": .integer(sendsLeft),
            "checks_left": .integer(checksLeft),
        ]
    }
}
