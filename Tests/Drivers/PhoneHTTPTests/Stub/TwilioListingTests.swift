import PhoneDomain
import PhoneSignup
import Testing

@testable import PhoneHTTP
@testable import SMSStub

/// Filters and pages of Twilio's Messages API.
@Suite struct TwilioListingTests {
    private static let day = Timestamp(seconds: 1_767_225_600)

    private func listing(_ query: [String: String]) throws(TwilioError) -> TwilioListing {
        try TwilioListing(query: FormFields(query.map { ($0.key, $0.value) }), account: "AC1")
    }

    private func filter(since: Timestamp? = nil, before: Timestamp? = nil) -> StubFilter {
        var filter = StubFilter()
        filter.isCall = false
        (filter.sentSince, filter.sentBefore) = (since, before)
        return filter
    }

    @Test func aDateIsADayOrASecond() throws {
        let (day, next) = (Self.day, Self.day + .seconds(86_400))
        let moment = "2026-01-01T00:00:10Z"
        #expect(try listing([:]).filter == filter())
        #expect(try listing(["DateSent": "2026-01-01"]).filter == filter(since: day, before: next))
        // The libraries write a day like this.
        #expect(try listing(["DateSent": "2026-01-01T00:00:00Z"]).filter == filter(since: day, before: next))
        #expect(
            try listing(["DateSent": moment]).filter == filter(since: day + .seconds(10), before: day + .seconds(11))
        )
        #expect(try listing(["DateSent<": "2026-01-01"]).filter == filter(before: next))
        #expect(try listing(["DateSent<": "2026-01-01T00:00:00Z"]).filter == filter(before: day + .seconds(1)))
        #expect(try listing(["DateSent>": "2026-01-01"]).filter == filter(since: day))
        #expect(try listing(["DateSent>": moment]).filter == filter(since: day + .seconds(10)))
        #expect(
            try listing(["DateSent>": "2026-01-01", "DateSent<": moment]).filter
                == filter(since: day, before: day + .seconds(11))
        )
        #expect(
            try listing(["DateSent": "2026-01-01", "DateSent<": moment]).filter
                == filter(since: day, before: day + .seconds(11))
        )
        for name in ["DateSent", "DateSent<", "DateSent>"] {
            for text in ["yesterday", "2026-13-01", "2026-01-01T25:00:00Z"] {
                let error = #expect(throws: TwilioError.self) { try listing([name: text]) }
                #expect(error?.code == 20001)
            }
        }
    }

    @Test func aPageHasItsPlaceByItsTokenOrElseByItsNumber() throws {
        let byNumber = try listing(["Page": "2", "PageSize": "3"])
        #expect([byNumber.page, byNumber.size, byNumber.offset] == [2, 3, 6])
        let byToken = try listing(["Page": "2", "PageSize": "3", "PageToken": "PA7"])
        #expect([byToken.page, byToken.size, byToken.offset] == [2, 3, 0])
        #expect(byToken.filter.olderThan == 7)
        #expect(try listing(["PageToken": "PB7"]).filter.newerThan == 7)
        for (name, text) in [("PageSize", "0"), ("PageSize", "1001"), ("PageSize", "x"), ("Page", "-1"), ("Page", "x")]
        {
            let standard = try listing([name: text])
            #expect([standard.page, standard.size, standard.offset] == [0, 50, 0])
        }
        for token in ["7", "PC7", "PA", "PAx"] {
            let error = #expect(throws: TwilioError.self) { try listing(["PageToken": token]) }
            #expect(error?.code == 20001)
        }
    }

    @Test func itsAddressContainsTheFilters() throws {
        let listing = try listing([
            "To": "+82", "From": "A&B", "DateSent": "2026-01-01", "DateSent<": "2026-01-02", "DateSent>": "2025-12-31",
            "Other": "x",
        ])
        #expect(
            listing.address(ofPage: 1, token: "PA7")
                == "/2010-04-01/Accounts/AC1/Messages.json?To=%2B82&From=A%26B&DateSent=2026-01-01&"
                + "DateSent%3C=2026-01-02&DateSent%3E=2025-12-31&PageSize=50&Page=1&PageToken=PA7"
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
