import Testing

@testable import PhoneDelivery

@Suite("What a gateway to Amazon SNS is made of")
struct SNSValuesTests {
    private static let keys: [(id: String, secret: String, token: String?, areSome: Bool)] = [
        ("AKIDEXAMPLE", "s3cret", nil, true), ("AKIAIOSFODNN7EXAMPLE", "s3cret", "t0ken", true),
        ("AKID", "s3cret", nil, false), ("AKID EXAMPLE", "s3cret", nil, false), ("AKID/EXAMPLE", "s3cret", nil, false),
        ("AKIDEXAMPLE", "", nil, false), ("AKIDEXAMPLE", "s3 cret", nil, false),
        ("AKIDEXAMPLE", "s3cret\r\nX: y", nil, false), ("AKIDEXAMPLE", "s3cret", "t0\nken", false),
        ("AKIDEXAMPLE", "s3cret", "", false),
    ]

    @Test("credentials are a name, a secret and perhaps a token", arguments: keys)
    func credentials(id: String, secret: String, token: String?, areSome: Bool) {
        #expect((AWSCredentials(accessKeyID: id, secretAccessKey: secret, sessionToken: token) != nil) == areSome)
    }

    @Test("credentials show no secret")
    func silence() throws {
        let credentials = AWSCredentials(accessKeyID: "AKIDEXAMPLE", secretAccessKey: "s3cret", sessionToken: "t0ken")
        let some = try #require(credentials)
        var dumped = ""
        dump(some, to: &dumped)
        #expect("\(some)" == "AKIDEXAMPLE")
        let shown = dumped + String(reflecting: some)
        #expect(!shown.contains("s3cret") && !shown.contains("t0ken"))
    }

    @Test(
        "a region is words and a number",
        arguments: [
            ("ap-northeast-2", true), ("us-gov-west-1", true), ("us-east-1", true), ("useast1", false),
            ("us-east", false),
            ("US-EAST-1", false), ("us--1", false), ("us-east-1.evil.example/", false), ("us-east-100", false),
            ("", false),
        ]
    )
    func region(text: String, isOne: Bool) {
        #expect((AWSRegion(text)?.description == text) == isOne)
    }

    @Test(
        "a sender's name is letters and digits",
        arguments: [
            ("Acme", true), ("Acme24", true), ("A2345678901", true), ("A23456789012", false), ("12345", false),
            ("Acme Inc", false), ("에이스", false), ("", false),
        ]
    )
    func senderID(text: String, isOne: Bool) {
        #expect((SNSSenderID(text)?.description == text) == isOne)
    }

    @Test(
        "a sender's number is a short code or a number in E.164",
        arguments: [
            ("12345", true), ("1234", false), ("+15005550006", true), ("15005550006", true), ("+05005550006", false),
            ("+1500", false), ("++15005550006", false), ("Acme", false), ("", false),
        ]
    )
    func originationNumber(text: String, isOne: Bool) {
        #expect((SNSOriginationNumber(text)?.description == text) == isOne)
    }
}
