import PhoneDomain
import PhoneSignup
import Testing

@testable import SMSStub

@Suite("What is asked of the SMS stub")
struct StubFilterTests {
    private static let messages = (1...5).map { serial in
        let from: String? = serial == 3 ? nil : serial == 4 ? "Acme" : "+9"
        var request = StubRequest(to: serial.isMultiple(of: 2) ? "+2" : "+1", from: from, body: "")
        if from == nil { request.messagingService = "MG" }
        let moment = Timestamp(seconds: Int64(serial * 100))
        var message = StubMessage(request, sid: "SM\(serial)", serial: serial, behavior: .deliver, at: moment)
        // The last is not sent.
        if serial < 5 { _ = message.advance(to: moment) }
        return message
    }

    private func found(limit: Int = 10, _ change: (inout StubFilter) -> Void) -> [Int] {
        var filter = StubFilter()
        change(&filter)
        return filter.matches(in: Self.messages, limit: limit).map(\.serial)
    }

    @Test("is found newest first, whatever it is")
    func finds() {
        #expect(found { _ in } == [5, 4, 3, 2, 1])
        #expect(found { $0.to = "+1" } == [5, 3, 1])
        for part in ["1", "+"] { #expect(found { $0.to = part } == []) }
        #expect(found { $0.from = "+9" } == [5, 2, 1])
        #expect(found { $0.sentSince = Timestamp(seconds: 200) } == [4, 3, 2])
        #expect(found { $0.sentBefore = Timestamp(seconds: 200) } == [1])
        #expect(found { ($0.sentSince, $0.sentBefore) = (Timestamp(seconds: 200), Timestamp(seconds: 300)) } == [2])
        #expect(found { $0.olderThan = 3 } == [2, 1])
        #expect(found { $0.newerThan = 3 } == [5, 4])
        #expect(found { ($0.to, $0.olderThan) = ("+1", 5) } == [3, 1])
    }

    @Test("is no more than is asked for: the newest, or those next to where one comes from")
    func limits() {
        #expect(found(limit: 2) { _ in } == [5, 4])
        #expect(found(limit: 2) { $0.olderThan = 4 } == [3, 2])
        #expect(found(limit: 2) { $0.newerThan = 1 } == [3, 2])
        #expect(found(limit: 0) { $0.newerThan = 1 } == [])
        #expect(found(limit: -1) { _ in } == [])
    }
}
