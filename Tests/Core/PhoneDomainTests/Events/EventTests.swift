import PhoneDomain
import PhoneSignup
import Testing

@Suite struct EventTests {
    private static let now = Timestamp(seconds: 1_767_225_600)

    @Test(arguments: [
        (
            Event.Kind.verificationFailed, EventSubject.verification(Verification.ID(bits: 0, 1)),
            "evt_verification_failed_00000000000000000000000000000001_1767225600000"
        ),
        (
            .messageDelivered, .message(OutboxMessage.ID(bits: 0, 2)),
            "evt_message_delivered_00000000000000000000000000000002_1767225600000"
        ),
        (
            .accountCreated, .account(Account.ID(bits: 0, 3)),
            "evt_account_created_00000000000000000000000000000003"
        ),
        (
            .verificationApproved, .verification(Verification.ID(bits: 0, 1)),
            "evt_verification_approved_00000000000000000000000000000001"
        ),
        (.guardBlocked, .prefix("+82101234"), "evt_guard_blocked_82101234_1767225600000"),
        (
            .messageFeedback, .verification(Verification.ID(bits: 0, 1)),
            "evt_message_feedback_00000000000000000000000000000001"
        ),
        (.auditRecorded, .auditEntry(1_853_068_673_843_200_007), "evt_audit_recorded_1853068673843200007"),
    ])
    func `its name is of what happened to what`(_ kind: Event.Kind, _ subject: EventSubject, name: String) {
        let event = Event(kind, of: subject, occurredAt: Self.now, at: Self.now)
        #expect(event.id.description == name)
        #expect(EventID(name) == event.id)
        #expect(EventSubject(subject.description) == subject)
        let later = Event(kind, of: subject, occurredAt: Self.now + .seconds(1), at: Self.now)
        // What can happen only once has one name.
        let happensOnce = [Event.Kind.accountCreated, .auditRecorded, .messageFeedback, .verificationApproved].contains(
            kind
        )
        #expect((later.id == event.id) == happensOnce)
    }

    @Test(arguments: [
        "", "evt", "msg_00000000000000000000000000000002", "evt_a.b", "evt_A", "evt_a b", "evt_ü",
        "evt_" + String(repeating: "a", count: 97),
    ])
    func `a name has no full stop, and nothing that would have to be quoted`(_ text: String) {
        #expect(EventID(text) == nil)
    }

    @Test(arguments: ["", "ver_1", "KR", "service", "sig_00000000000000000000000000000001"])
    func `nothing else is a subject`(_ text: String) {
        #expect(EventSubject(text) == nil)
    }

    @Test func `an example has a name that no event has`() {
        #expect(EventID(exampleOf: (1, 2)).description == "evt_test_00000000000000010000000000000002")
    }
}
