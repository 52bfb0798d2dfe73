import PhoneDomain
import PhoneSignup
import PhoneTestSupport
import Testing

@testable import SMSStub

@Suite("A message in the SMS stub")
struct StubMessageTests {
    private static let start = Timestamp(seconds: 1_767_225_600)

    /// A message in words: status, sender, whether it was sent, error.
    private static func line(_ message: StubMessage) -> String {
        let error = message.errorCode.map { " \($0)" } ?? ""
        return "\(message.status) from \(message.from ?? "-")\(message.sentAt == start ? ", sent" : "")\(error)"
    }

    @Test(
        "goes from one status to the next",
        arguments: [
            ("+2", nil, nil, ["queued from +2", "sending from +2", "sent from +2, sent", "delivered from +2, sent"]),
            (
                "+2", nil, 30008,
                ["queued from +2", "sending from +2", "sent from +2, sent", "undelivered from +2, sent 30008"]
            ),
            (
                nil, "MG1", nil,
                [
                    "accepted from -", "queued from +15005550006", "sending from +15005550006",
                    "sent from +15005550006, sent", "delivered from +15005550006, sent",
                ]
            ),
            (
                "+2", "MG1", nil,
                [
                    "accepted from +2", "queued from +2", "sending from +2", "sent from +2, sent",
                    "delivered from +2, sent",
                ]
            ),
        ] as [(String?, String?, Int?, [String])]
    )
    func history(from: String?, service: String?, lossCode: Int?, lines: [String]) {
        let request = StubRequest(to: "+1", from: from, messagingService: service, body: "a")
        let message = StubMessage(request, sid: "SM1", serial: 7, lossCode: lossCode, at: Self.start)

        #expect(message.history.map(Self.line) == lines)
        #expect(message.history.last == message)
        #expect(message.outcome == (lossCode == nil ? .delivered : .undelivered(code: lossCode)))
    }
}
