import PhoneDomain
import PhoneSignup
import PhoneTestSupport
import Testing

@testable import SMSStub

@Suite("A message in the SMS stub")
struct StubMessageTests {
    private static let start = Timestamp(seconds: 1_767_225_600)
    private static let service = "MG" + String(repeating: "0", count: 32)

    private static func message(
        _ request: StubRequest = StubRequest(to: "+1", from: "+2", body: "a"),
        mode: StubBehavior.Mode = .deliver,
        errorCode: Int? = nil,
        step: Duration = .seconds(10)
    ) -> StubMessage {
        StubMessage(
            request,
            sid: "SM1",
            serial: 7,
            behavior: StubBehavior(mode: mode, delay: .zero, errorCode: errorCode, toPrefix: nil, step: step),
            at: start
        )
    }

    /// A message in words: status, seconds since it was accepted, sender, seconds to when it was sent, error.
    private static func line(_ message: StubMessage) -> String {
        let sent = message.sentAt.map { "\(($0 - start).components.seconds)" } ?? "-"
        let error = message.errorCode.map { " \($0)" } ?? ""
        return
            "\(message.status) at \((message.updatedAt - start).components.seconds) from \(message.request.from ?? "-") "
            + "sent \(sent)\(error)"
    }

    struct History: Sendable {
        var request = StubRequest(to: "+1", from: "+2", body: "a")
        var mode = StubBehavior.Mode.deliver
        var errorCode: Int?
        var step = Duration.seconds(10)
        let lines: [String]
    }

    static let histories = [
        History(lines: [
            "queued at 0 from +2 sent -", "sending at 10 from +2 sent -", "sent at 20 from +2 sent 20",
            "delivered at 30 from +2 sent 20",
        ]),
        History(
            step: .zero,
            lines: [
                "queued at 0 from +2 sent -", "sending at 0 from +2 sent -", "sent at 0 from +2 sent 0",
                "delivered at 0 from +2 sent 0",
            ]
        ),
        History(
            mode: .fail,
            lines: [
                "queued at 0 from +2 sent -", "sending at 10 from +2 sent -", "sent at 20 from +2 sent 20",
                "undelivered at 30 from +2 sent 20 30008",
            ]
        ),
        History(
            request: StubRequest(to: "+1", from: nil, messagingService: service, body: "a"),
            mode: .fail,
            errorCode: 30003,
            lines: [
                "accepted at 0 from - sent -", "queued at 10 from +15005550006 sent -",
                "sending at 20 from +15005550006 sent -", "sent at 30 from +15005550006 sent 30",
                "undelivered at 40 from +15005550006 sent 30 30003",
            ]
        ),
        History(
            request: StubRequest(
                to: "+1",
                from: "+2",
                messagingService: service,
                body: "a",
                sendAt: start + .seconds(600)
            ),
            lines: [
                "scheduled at 0 from +2 sent -", "queued at 600 from +2 sent -", "sending at 610 from +2 sent -",
                "sent at 620 from +2 sent 620", "delivered at 630 from +2 sent 620",
            ]
        ),
        // It waits as long as it may, and a second longer.
        History(
            request: StubRequest(to: "+1", from: "+2", body: "a", validity: .seconds(10)),
            lines: [
                "queued at 0 from +2 sent -", "sending at 10 from +2 sent -", "sent at 20 from +2 sent 20",
                "delivered at 30 from +2 sent 20",
            ]
        ),
        History(
            request: StubRequest(to: "+1", from: "+2", body: "a", validity: .seconds(9)),
            lines: ["queued at 0 from +2 sent -", "failed at 10 from +2 sent - 30036"]
        ),
        // What it waited before it was due does not count.
        History(
            request: StubRequest(
                to: "+1",
                from: "+2",
                messagingService: service,
                body: "a",
                sendAt: start + .seconds(600),
                validity: .seconds(9)
            ),
            lines: [
                "scheduled at 0 from +2 sent -", "queued at 600 from +2 sent -",
                "failed at 610 from +2 sent - 30036",
            ]
        ),
    ]

    @Test("goes from one status to the next, each in its time", arguments: histories.indices)
    func advances(index: Int) {
        let history = Self.histories[index]
        var atOnce = Self.message(
            history.request,
            mode: history.mode,
            errorCode: history.errorCode,
            step: history.step
        )
        var stepwise = atOnce

        let changes = [atOnce] + atOnce.advance(to: Self.start + .seconds(10_000))
        var seen = [stepwise]
        while let next = stepwise.nextChangeAt {
            if history.step > .zero { #expect(stepwise.advance(to: next - .milliseconds(1)) == []) }
            seen += stepwise.advance(to: next)
        }

        #expect(changes.map(Self.line) == history.lines)
        #expect(seen == changes)
        #expect(atOnce == stepwise)
        #expect(atOnce == changes.last)
        #expect(atOnce.advance(to: Self.start + .seconds(20_000)) == [])
    }

    @Test("can be called back until it is being sent, once")
    func cancels() throws {
        for (seconds, isPossible) in [(0, true), (19, true), (20, false), (30, false), (40, false)] {
            var message = Self.message(StubRequest(to: "+1", from: nil, messagingService: Self.service, body: "a"))
            let now = Self.start + .seconds(seconds)
            _ = message.advance(to: now)
            let before = message
            if isPossible {
                try message.cancel(at: now)
                #expect(message.status == .canceled)
                #expect(message.updatedAt == now)
                #expect(message.nextChangeAt == nil)
                #expect(message.advance(to: now + .seconds(1000)) == [])
            } else {
                let refusal = #expect(throws: StubRefusal.self) { try message.cancel(at: now) }
                #expect(refusal?.errorCode == 30409)
                #expect(message == before)
            }
        }
        var canceled = Self.message()
        try canceled.cancel(at: Self.start)
        #expect(throws: StubRefusal.self) { try canceled.cancel(at: Self.start) }
    }

    @Test("its text may be forgotten at any time")
    func forgets() {
        var message = Self.message()
        message.redact(at: Self.start + .seconds(1))
        #expect(message.body == "")
        #expect(message.updatedAt == Self.start + .seconds(1))
        #expect(message.advance(to: Self.start + .seconds(30)).map(\.body) == ["", "", ""])
    }

    @Test(
        "is refused for some of Twilio's numbers",
        arguments: [
            ("+1", "+15005550001", 21212), ("+1", "+15005550007", 21606), ("+1", "+15005550008", 21611),
            ("+15005550001", "+1", 21211), ("+15005550002", "+1", 21612), ("+15005550003", "+1", 21408),
            ("+15005550004", "+1", 21610), ("+15005550009", "+1", 21614), ("+15005550009", nil, 21614),
            ("+15005550006", "+15005550006", nil), ("+15005550000", "+15005550002", nil), ("+1500555000", "Acme", nil),
        ] as [(String, String?, Int?)]
    )
    func magic(to: String, from: String?, code: Int?) {
        #expect(StubRequest(to: to, from: from, body: "a").magicRefusal?.errorCode == code)
    }
}
