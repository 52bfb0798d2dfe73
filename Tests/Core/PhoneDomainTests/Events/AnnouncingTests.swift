import PhoneDomain
import PhoneSignup
import PhoneTestSupport
import Testing

@Suite struct AnnouncingTests {
    private static let now = Timestamp(seconds: 1_767_225_600)
    private static let later = now + .seconds(3600)

    private func verification(
        _ status: VerificationStatus,
        isTest: Bool = false,
        channel: Channel = .sms,
        checksLeft: Int = 5
    ) throws -> Verification {
        try sampleVerification(channel: channel, at: Self.now, isTest: isTest, status: status, checksLeft: checksLeft)
    }

    private static func message(_ status: OutboxMessage.Status, isWithheld: Bool = false) -> OutboxMessage {
        OutboxMessage(
            id: OutboxMessage.ID(bits: 0, 2),
            verificationID: Verification.ID(bits: 0, 1),
            createdAt: now,
            isWithheld: isWithheld,
            status: status,
            attempts: 1,
            nextAttemptAt: now,
            gateway: nil,
            gatewayMessageID: nil
        )
    }

    @Test(
        arguments: [
            (VerificationStatus.pending, nil), (.approved, .verificationApproved), (.canceled, nil),
            (.expired, .verificationFailed), (.maxAttemptsReached, .verificationFailed), (.failed, .verificationFailed),
        ] as [(VerificationStatus, Event.Kind?)]
    )
    func `a verification announces its end, but for one that its owner wanted`(
        _ status: VerificationStatus,
        kind: Event.Kind?
    ) throws {
        for isTest in [false, true] {
            let event = Event(
                try verification(status, isTest: isTest),
                was: try verification(.pending, isTest: isTest),
                at: Self.later
            )
            #expect(event?.kind == kind)
            #expect(event.map(\.subject) == kind.map { _ in .verification(Verification.ID(bits: 0, 1)) })
        }
    }

    @Test(arguments: VerificationStatus.allCases)
    func `gateways get the approval by a code, once, and none of a test number or without a code`(
        _ status: VerificationStatus
    ) throws {
        func event(_ verification: Verification, was: VerificationStatus?) throws -> Event? {
            Event(feedbackOn: verification, was: try was.map { try self.verification($0) }, at: Self.later)
        }
        let approved = try event(try verification(status), was: .pending)
        #expect(approved?.kind == (status == .approved ? .messageFeedback : nil))
        #expect(approved?.occurredAt == (status == .approved ? Self.later : nil))
        #expect(try event(try verification(status), was: .approved) == nil)
        #expect(try event(try verification(status, isTest: true), was: .pending) == nil)
        for channel in [Channel.inbound, .sim] {
            #expect(try event(try verification(status, channel: channel), was: .pending) == nil)
        }
    }

    @Test func `an end is announced once, whatever else changes`() throws {
        for status in VerificationStatus.allCases {
            let (one, other) = (try verification(status), try verification(status, checksLeft: 4))
            #expect(Event(other, was: one, at: Self.later) == nil)
        }
    }

    @Test func `a verification expired when its time ran out, and no later than it was found out`() throws {
        let expired = try verification(.expired)
        let pending = try verification(.pending)
        let event = try #require(Event(expired, was: pending, at: Self.later))
        #expect(event.occurredAt == Self.now + .seconds(600))
        #expect(event.nextAttemptAt == Self.later)
        // The clock was ahead when it was begun.
        #expect(Event(expired, was: pending, at: Self.now)?.occurredAt == Self.now)
        #expect(Event(try verification(.approved), was: pending, at: Self.later)?.occurredAt == Self.later)
    }

    @Test(
        arguments: [
            (OutboxMessage.Status.queued, nil), (.sent, nil), (.unknown, nil), (.dropped, nil), (.withheld, nil),
            (.delivered, .messageDelivered), (.undelivered, .messageUndelivered), (.failed, .messageUndelivered),
        ] as [(OutboxMessage.Status, Event.Kind?)]
    )
    func `a message announces what became of it, unless the guard withholds it`(
        _ status: OutboxMessage.Status,
        kind: Event.Kind?
    ) {
        let before = Self.message(status == .queued ? .failed : .queued)
        #expect(Event(Self.message(status), was: before, at: Self.later)?.kind == kind)
        #expect(Event(Self.message(status), was: Self.message(status), at: Self.later) == nil)
        #expect(Event(Self.message(status, isWithheld: true), was: before, at: Self.later) == nil)
    }

    @Test func `a prefix announces that a block began, and not that it holds, is renewed or ends`() {
        func traffic(_ seconds: Int64?) -> Traffic {
            Traffic(hours: [], blockedUntil: seconds.map { Self.now + .seconds($0) })
        }
        func kind(_ before: Int64?, _ after: Int64?) -> Event.Kind? {
            Event(traffic(after), was: traffic(before), of: "+82101234", at: Self.now)?.kind
        }
        #expect(kind(nil, 60) == .guardBlocked)
        #expect(kind(60, 60) == nil)
        #expect(kind(60, 120) == nil)
        #expect(kind(60, nil) == nil)
        #expect(kind(nil, nil) == nil)
    }

    @Test func `each state confirms the events that it announces, and no others`() throws {
        let before = try verification(.pending)
        for status in VerificationStatus.allCases {
            let verification = try verification(status)
            for kind in [Event.Kind.verificationApproved, .verificationFailed] {
                let event = Event(kind, of: .verification(verification.id), occurredAt: Self.now, at: Self.now)
                let announced = Event(verification, was: status == .pending ? nil : before, at: Self.now)?.kind
                #expect(event.isConfirmed(by: .verification(verification)) == (announced == kind))
            }
        }
        let undelivered = Event(
            .messageUndelivered,
            of: .message(Self.message(.failed).id),
            occurredAt: Self.now,
            at: Self.now
        )
        for (status, isSo) in [
            (OutboxMessage.Status.undelivered, true), (.failed, true), (.queued, false), (.sent, false),
            (.delivered, false),
        ] {
            #expect(undelivered.isConfirmed(by: .message(Self.message(status), before)) == isSo)
        }
    }

    @Test func `a block that was lifted did begin`() {
        let event = Event(.guardBlocked, of: .prefix("+82101234"), occurredAt: Self.now, at: Self.now)
        #expect(event.isConfirmed(by: .traffic(prefix: "+82101234", .none)))
    }
}
