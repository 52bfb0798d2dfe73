import PhoneDomain
import PhoneSignup
import Testing

@Suite struct SessionOpeningTests {
    @Test(
        arguments: [
            (nil, nil), ("", nil), ("\u{0}\n한글🙂", nil), ("Firefox/142.0", "Firefox/142.0"),
            ("a\u{1B}[31mb\r\nc\u{7F}é~ ", "a[31mbc~ "),
        ] as [(String?, String?)]
    )
    func `of what a device calls itself printable ASCII is kept`(_ text: String?, _ kept: String?) {
        #expect(SessionOpening(tokenDigests: [], userAgent: text, policy: .standard).userAgent == kept)
    }

    @Test func `what a device calls itself is cut off behind 200 characters, those that are dropped not counted`() {
        let text = String(repeating: "é", count: 300) + String(repeating: "a", count: 201)
        let opening = SessionOpening(tokenDigests: [], userAgent: text, policy: .standard)
        #expect(opening.userAgent == String(repeating: "a", count: 200))
    }

    @Test func `a session ends by the first of its two ends`() {
        let start = Timestamp(seconds: 1000)
        func session(_ life: Int64, _ idle: Int64) -> Session {
            Session(
                id: Session.ID(bits: 0, 1),
                accountID: Account.ID(bits: 0, 1),
                userAgent: nil,
                createdAt: start,
                expiresAt: start + .seconds(life),
                tokenDigest: [],
                refreshedAt: start,
                idleUntil: start + .seconds(idle)
            )
        }
        #expect(session(60, 30).end == start + .seconds(30))
        #expect(session(60, 90).end == start + .seconds(60))
        #expect(!session(60, 90).hasEnded(at: start + .milliseconds(59_999)))
        #expect(session(60, 90).hasEnded(at: start + .seconds(60)))
    }

    @Test func `a session has the digits of the verification that opened it`() {
        let id = Session.id(openedBy: Verification.ID(bits: 1, 2))
        #expect(id.description == "ses_00000000000000010000000000000002")
    }
}
