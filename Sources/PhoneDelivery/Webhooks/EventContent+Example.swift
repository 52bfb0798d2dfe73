import PhoneDomain

extension EventContent {
    /// What an example of this kind tells of: a number that looks like one, and names made of zeros.
    static func example(of kind: Event.Kind, at now: Timestamp) throws -> EventContent {
        switch kind {
        case .verificationApproved: .verification(try exampleVerification(.approved, at: now))
        case .verificationFailed: .verification(try exampleVerification(.maxAttemptsReached, at: now))
        case .messageDelivered:
            .message(exampleMessage(.delivered, at: now), try exampleVerification(.pending, at: now))
        case .messageUndelivered:
            .message(exampleMessage(.undelivered, at: now), try exampleVerification(.pending, at: now))
        case .accountCreated, .numberChanged:
            .account(
                Account(
                    id: Account.ID(bits: 0, 0),
                    phoneNumber: try PhoneNumber(e164: exampleNumber),
                    createdAt: now,
                    createdBy: Verification.ID(bits: 0, 0)
                )
            )
        case .guardBlocked:
            .traffic(
                prefix: String(exampleNumber.dropLast(4)),
                Traffic(hours: [], blockedUntil: now + .seconds(43_200), refusedInBlock: 0)
            )
        }
    }

    private static let exampleNumber = "+821012345678"

    private static func exampleVerification(
        _ status: VerificationStatus,
        at now: Timestamp
    ) throws -> Verification {
        Verification(
            id: Verification.ID(bits: 0, 0),
            phoneNumber: try PhoneNumber(e164: exampleNumber),
            owner: .local,
            channel: .sms,
            language: .korean,
            code: SealedCode(keyID: "", mac: [], ciphertext: []),
            createdAt: now,
            isTest: true,
            expiresAt: now + Verification.longestLife,
            nextSendAt: now,
            sendsLeft: 0,
            checksLeft: 0,
            recordedStatus: status,
            updatedAt: now,
            consumedBy: nil
        )
    }

    private static func exampleMessage(_ status: OutboxMessage.Status, at now: Timestamp) -> OutboxMessage {
        OutboxMessage(
            id: OutboxMessage.ID(bits: 0, 0),
            verificationID: Verification.ID(bits: 0, 0),
            createdAt: now,
            status: status,
            attempts: 1,
            nextAttemptAt: now,
            gateway: "twilio",
            gatewayMessageID: "SM00000000000000000000000000000000",
            failure: status == .undelivered ? "lost on its way (30008)" : nil
        )
    }
}
