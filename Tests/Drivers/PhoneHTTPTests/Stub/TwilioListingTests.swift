import CoreEncodings
import PhoneSignup
import PhoneTestSupport
import Testing

@testable import PhoneHTTP
@testable import SMSStub

/// Filters and pages of Twilio's Messages API.
@Suite struct TwilioListingTests {
    private static let day = Timestamp(seconds: 1_767_225_600)

    private func listing(_ query: [String: String]) throws(TwilioError) -> TwilioListing {
        try TwilioListing(query: FormFields(query.map { ($0.key, $0.value) }), account: "AC1")
    }

    private func includes(_ query: [String: String], _ seconds: Int64, serial: Int = 7) throws -> Bool {
        let request = StubRequest(to: "+82", from: "A&B", body: "x")
        let moment = Self.day + .seconds(seconds)
        return try listing(query).includes(
            StubMessage(request, sid: "SM1", serial: serial, lossCode: nil, at: moment)
        )
    }

    @Test(
        arguments: [
            (["DateSent": "2026-01-01"], 0, 86_400),
            // The libraries write a day like this.
            (["DateSent": "2026-01-01T00:00:00Z"], 0, 86_400), (["DateSent": "2026-01-01T00:00:10Z"], 10, 11),
            (["DateSent<": "2026-01-01"], nil, 86_400), (["DateSent<": "2026-01-01T00:00:00Z"], nil, 1),
            (["DateSent>": "2026-01-01"], 0, nil), (["DateSent>": "2026-01-01T00:00:10Z"], 10, nil),
            (["DateSent>": "2026-01-01", "DateSent<": "2026-01-01T00:00:10Z"], 0, 11),
            (["DateSent": "2026-01-01", "DateSent<": "2026-01-01T00:00:10Z"], 0, 11), ([:], nil, nil),
        ] as [([String: String], Int64?, Int64?)]
    )
    func aDateIsADayOrASecond(_ query: [String: String], since: Int64?, before: Int64?) throws {
        let (first, end) = (since ?? -1_000_000, before ?? 1_000_000)
        #expect(try includes(query, first))
        #expect(try includes(query, end - 1))
        #expect(try includes(query, first - 1) == (since == nil))
        #expect(try includes(query, end) == (before == nil))
    }

    @Test(arguments: ["DateSent", "DateSent<", "DateSent>"], ["yesterday", "2026-13-01", "2026-01-01T25:00:00Z"])
    func aDateMustBeOne(_ name: String, _ text: String) {
        let error = #expect(throws: TwilioError.self) { try listing([name: text]) }
        #expect(error?.code == 20001)
    }

    @Test func numbersAreComparedAsTheyAreWritten() throws {
        #expect(try includes(["To": "+82", "From": "A&B"], 0))
        #expect(try !includes(["To": "+8"], 0))
        #expect(try !includes(["From": "A"], 0))
    }

    @Test func aPageBeginsAfterTheMessageOfItsToken() throws {
        let page = ["Page": "2", "PageSize": "3", "PageToken": "PA7"]
        #expect(try includes(page, 0, serial: 6))
        #expect(try !includes(page, 0, serial: 7))
        #expect(try listing(page).size == 3)
        #expect(try includes(["Page": "2"], 0))
        for text in ["0", "1001", "x"] { #expect(try listing(["PageSize": text]).size == 50) }
        for token in ["7", "PB7", "PA", "PAx"] {
            let error = #expect(throws: TwilioError.self) { try listing(["PageToken": token]) }
            #expect(error?.code == 20001)
        }
    }

    @Test func itsAddressContainsTheFilters() throws {
        let page = try listing([
            "To": "+82", "From": "A&B", "DateSent": "2026-01-01", "DateSent<": "2026-01-02", "DateSent>": "2025-12-31",
            "Other": "x", "Page": "1", "PageToken": "PA7",
        ])
        #expect(
            page.page(of: [], account: "AC1")["uri"]?.string
                == "/2010-04-01/Accounts/AC1/Messages.json?To=%2B82&From=A%26B&DateSent=2026-01-01&"
                + "DateSent%3C=2026-01-02&DateSent%3E=2025-12-31&PageSize=50&Page=1"
        )
    }

    @Test func theInequalityIsReadHoweverItIsWritten() async throws {
        try await TestServer.run { server in
            _ = try await server.inbox.accept(to: "+82", from: "A", body: "x")
            let path = "/2010-04-01/Accounts/AC" + String(repeating: "0", count: 32) + "/Messages.json?"
            for (query, isFound) in [
                ("DateSent%3C=2026-01-01", true), ("DateSent%3C%3D2025-12-31", true), ("DateSent%3C=2025-12-31", false),
                ("DateSent%3E=2026-01-01T00%3A00%3A00Z", true), ("DateSent%3E=2026-01-01T00%3A00%3A01Z", false),
                ("DateSent=2026-01-01T00%3A00%3A00Z", true), ("DateSent=2026-01-02", false),
            ] {
                let answer = try await server.send("GET", path + query)
                #expect(answer.status == 200)
                #expect(answer.body.contains("SM0") == isFound)
            }
        }
    }
}
