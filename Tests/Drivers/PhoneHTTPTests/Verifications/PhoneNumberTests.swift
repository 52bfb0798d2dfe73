import PhoneTestSupport
import Testing

@Suite struct PhoneNumberTests {
    @Test(arguments: [
        ("01012345678", "01012345678"),
        ("+821012345678", "+821012345678"),
        ("%2B82%2010-1234-5678", "+82 10-1234-5678"),
        ("%EF%BC%90%EF%BC%91%EF%BC%90%EF%BC%8D12345678", "０１０－12345678"),
    ])
    func aMobileNumber(_ encoded: String, input: String) async throws {
        try await TestServer.run { server in
            let answer = try await server.send("GET", "/v1/phone-numbers/\(encoded)?region=KR")
            answer.expect(
                200,
                """
                {"input":"\(input)",
                 "formatted":"\(input.hasPrefix("+") ? "+82 10-1234-5678" : "010-1234-5678")",
                 "is_valid":true,
                 "is_mobile":true,
                 "e164":"+821012345678",
                 "national_format":"010-1234-5678",
                 "international_format":"+82 10-1234-5678",
                 "region":"KR",
                 "type":"mobile",
                 "can_receive_code":true,
                 "reason":null}
                """
            )
        }
    }

    @Test func aFixedLineIsANumberThatReceivesNoCode() async throws {
        try await TestServer.run { server in
            let answer = try await server.send("GET", "/v1/phone-numbers/02-123-4567")
            #expect(
                answer.body
                    == json(
                        """
                        {"input":"02-123-4567",
                         "formatted":"02-123-4567",
                         "is_valid":true,
                         "is_mobile":false,
                         "e164":"+8221234567",
                         "national_format":"02-123-4567",
                         "international_format":"+82 2-123-4567",
                         "region":"KR",
                         "type":"fixed_line",
                         "can_receive_code":false,
                         "reason":{"code":"invalid_phone_number",
                          "detail":"A code cannot be sent to this kind of number; use a mobile number.",
                          "message":"This is a landline. Use a mobile number."}}
                        """
                    )
            )
        }
    }

    @Test(arguments: [
        (
            "0101", "0101", "010-1", "invalid_phone_number", "Add the missing digits.", "This number is incomplete."
        ),
        (
            "hello%2Fworld", "hello/world", "hello/world", "invalid_phone_number",
            "Use digits only, no extension; spaces, hyphens, dots, slashes, parentheses and a leading + are allowed.",
            "That's not a phone number. Enter digits only, no extension. For another country, start with +."
        ),
        (
            "%F0%9F%93%B1", "📱", "📱", "invalid_phone_number",
            "Use digits only, no extension; spaces, hyphens, dots, slashes, parentheses and a leading + are allowed.",
            "That's not a phone number. Enter digits only, no extension. For another country, start with +."
        ),
        (
            "%2B99912345678", "+99912345678", "+99912345678", "region_not_allowed",
            "Codes are not sent to numbers of this country; use one of allowed_regions.",
            "Numbers from this country aren't supported. Use a number from: South Korea."
        ),
        (
            "%22%5C%00", #"\"\\\u0000"#, #"\"\\�"#, "invalid_phone_number",
            "Use digits only, no extension; spaces, hyphens, dots, slashes, parentheses and a leading + are allowed.",
            "That's not a phone number. Enter digits only, no extension. For another country, start with +."
        ),
    ])
    func whatIsNoNumberIsSaidToBeNone(
        _ encoded: String,
        input: String,
        formatted: String,
        code: String,
        detail: String,
        message: String
    ) async throws {
        try await TestServer.run { server in
            let answer = try await server.send("GET", "/v1/phone-numbers/\(encoded)")
            answer.expect(
                200,
                """
                {"input":"\(input)",
                 "formatted":"\(formatted)",
                 "is_valid":false,
                 "is_mobile":false,
                 "e164":null,
                 "national_format":null,
                 "international_format":null,
                 "region":null,
                 "type":null,
                 "can_receive_code":false,
                 "reason":{"code":"\(code)",
                  "detail":"\(detail)",
                  "message":"\(message)"}}
                """
            )
        }
    }

    @Test func aPathThatIsNoTextIsMalformed() async throws {
        try await TestServer.run { server in
            for text in ["%FF", "%ED%A0%80", "%", "%4", "%zz"] {
                let answer = try await server.server.sendRaw("GET /v1/phone-numbers/\(text) HTTP/1.1")
                answer.expect(400, code: "invalid_request", detail: "The path is not percent-encoded UTF-8.")
            }
        }
    }

    @Test func aRegionMustBeOne() async throws {
        try await TestServer.run { server in
            let answer = try await server.send("GET", "/v1/phone-numbers/01012345678?region=Korea")
            answer.expect(422, code: "invalid_request", field: "region")
        }
    }

    @Test(arguments: ["?", "?=", "?&&", "?region", "?region=", "?x=%", "?%=&=%&region"])
    func anEmptyQueryMeansTheDefaultRegion(_ query: String) async throws {
        try await TestServer.run { server in
            let answer = try await server.server.sendRaw("GET /v1/phone-numbers/01012345678\(query) HTTP/1.1")
            #expect(answer.status == 200)
            #expect(answer.text("region") == "KR")
        }
    }
}
