import HTTPTypes
import PhoneSignup
import Testing

@testable import PhoneHTTP

@Suite struct QueryTests {
    private static func request(_ query: String) -> Request {
        Request(.get, "/?" + query)
    }

    /// As browsers' forms, Python's and Go's libraries write a query, and as people do.
    @Test(arguments: [
        ("q=010+1234+5678", "010 1234 5678"), ("q=%2B82+10-8888-0001", "+82 10-8888-0001"),
        ("q=the+recipient+has+opted+out", "the recipient has opted out"), ("q=a%2Bb", "a+b"), ("q=a%20b", "a b"),
        ("q=+821012345678", "+821012345678"), ("q=+82+10+1234+5678", "+82 10 1234 5678"), ("q=+1", "+1"),
        // A space in front of what a person has copied.
        ("q=+010-1234-5678", " 010-1234-5678"), ("q=+%2B82+10", " +82 10"), ("q=++821012345678", "  821012345678"),
        ("q=+", " "), ("q=a=+1", "a= 1"), ("x=1&q=+2&q=3", "+2"), ("q=%+1", "% 1"), ("q=%zz", "%zz"),
    ])
    func aPlusSignIsASpaceUnlessItBeginsANumber(query: String, value: String) {
        #expect(Self.request(query).query("q") == value)
    }

    @Test func aPlusSignInANameIsASpace() {
        let fields = Self.request("a+b=1&+2=3").queryParameters
        #expect(fields.map(\.name) == ["a b", " 2"])
    }

    @Test(arguments: ["2026-01-01T09:00:00+09:00", "2026-01-01T09:00:00%2B09:00", "2026-01-01T00:00:00Z"])
    func anOffsetNeedNotBeEncoded(text: String) throws {
        let value = try #require(Self.request("since=\(text)").query("since"))
        #expect(Timestamp(inQuery: value)?.description == "2026-01-01T00:00:00.000Z")
        #expect(Timestamp(inQuery: "2026-01-01 00:00") == nil)
    }
}
