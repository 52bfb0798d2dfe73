import DockTestSupport
import OneTimePasswordSMS
import PhoneAccounts
import PhoneDomain
import PhoneTestSupport
import Testing

/// The scenarios of CAMARA's test definitions, by their IDs
/// (https://github.com/camaraproject/OTPValidation/tree/r3.2/code/Test_definitions).
@Suite struct ScenarioTests {
    typealias Server = DockServer<OneTimePasswordSMS>
    private static let number = "+821012345678"
    private static let message = "{{code}} is your code for Acme"

    // MARK: send-code

    @Test func `OTPvalidationAPI_01_send_code_success_scenario`() async throws {
        try await Server.open { server, token in
            let sent = try await server.call("send-code", Self.sending(), token)
            #expect(sent.status == 200)
            #expect(sent.headers["content-type"] == "application/json")
            #expect(sent.headers["x-correlator"] == "b4333c46-49c0-4f62-80d7-f0ef930f1c46")
            let pattern = /{"authenticationId":"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"}/
            #expect(sent.body.wholeMatch(of: pattern) != nil)
            #expect(await server.store.outbox.map(\.wording?.text?.description) == [Self.message])
        }
    }

    @Test func `OTPvalidationAPI_02_send_code_success_scenario_without_x-correlator`() async throws {
        try await Server.open { server, token in
            let sent = try await server.call("send-code", Self.sending(), token, correlator: nil)
            #expect(sent.status == 200)
            #expect(sent.headers["content-type"] == "application/json")
            #expect(sent.headers["x-correlator"] == nil)
            #expect(sent.text("authenticationId")?.count == 36)
        }
    }

    @Test func `OTPvalidationAPI_400.1_send_code_no_request_body`() async throws {
        try await Server.expect("send-code", nil, 400, "INVALID_ARGUMENT")
    }

    @Test func `OTPvalidationAPI_400.2_send_code_empty_request_body`() async throws {
        try await Server.expect("send-code", "{}", 400, "INVALID_ARGUMENT")
    }

    @Test(arguments: ["3301", "+3301", "+0212345678", "821012345678", "+82 10 1234 5678", "+1234567890123456", "", "+"])
    func `OTPvalidationAPI_400.4_send_code_incorrect_phone_number_request_body`(number: String) async throws {
        try await Server.expect("send-code", Self.sending(number), 400, "INVALID_ARGUMENT")
    }

    @Test(arguments: ["", #","message":null"#, #","message":"""#, #","message":7"#, #","message":["{{code}}"]"#])
    func `OTPvalidationAPI_400.5_send_code_missing_message`(member: String) async throws {
        try await Server.expect("send-code", #"{"phoneNumber":"\#(Self.number)"\#(member)}"#, 400, "INVALID_ARGUMENT")
    }

    @Test(arguments: ["message without code", "{code}", "{{ code }}", #"{{code}}\u0000"#])
    func `OTPvalidationAPI_400.6_send_code_missing_code_request_body`(message: String) async throws {
        try await Server.expect("send-code", Self.sending(message: message), 400, "INVALID_ARGUMENT")
    }

    @Test func `OTPvalidationAPI_400.7_send_code_message_too_long`() async throws {
        let longest = "{{code}}" + String(repeating: "a", count: 152)
        try await Server.open { server, token in
            #expect(try await server.call("send-code", Self.sending(message: longest), token).status == 200)
            let refused = try await server.call("send-code", Self.sending(message: longest + "a"), token)
            refused.expect(400, "INVALID_ARGUMENT")
        }
    }

    @Test func `OTPvalidationAPI_401.1_send_code_no_authorization_header`() async throws {
        try await Server.open { server, _ in
            try await server.call("send-code", Self.sending(), nil).expect(401, "UNAUTHENTICATED")
        }
    }

    @Test func `OTPvalidationAPI_401.2_send_code_expired_access_token`() async throws {
        try await Server.open { server, token in
            server.clock.advance(by: .seconds(900))
            try await server.call("send-code", Self.sending(), token).expect(401, "UNAUTHENTICATED")
        }
    }

    @Test(arguments: ["x", "ct_9", "pk_1"])
    func `OTPvalidationAPI_401.3_send_code_invalid_access_token`(token: String) async throws {
        try await Server.open { server, _ in
            try await server.call("send-code", Self.sending(), token).expect(401, "UNAUTHENTICATED")
        }
    }

    @Test func `OTPvalidationAPI_03_send_code_max_otp_code`() async throws {
        try await Server.open { server, token in
            for _ in 1...10 { #expect(try await server.call("send-code", Self.sending(), token).status == 200) }
            let refused = try await server.call("send-code", Self.sending(), token)
            refused.expect(403, "ONE_TIME_PASSWORD_SMS.MAX_OTP_CODES_EXCEEDED")
            #expect(refused.headers["retry-after"] == "86400")
        }
    }

    /// Free numbers (080) and nationwide ones (1588).
    @Test(arguments: ["+82801234567", "+8215881234"])
    func `OTPvalidationAPI_04_send_code_phone_number_not_allowed`(number: String) async throws {
        try await Server.expect(
            "send-code",
            Self.sending(number),
            403,
            "ONE_TIME_PASSWORD_SMS.PHONE_NUMBER_NOT_ALLOWED"
        )
    }

    @Test func `OTPvalidationAPI_05_send_code_phone_number_not_allowed_3`() async throws {
        try await Server.expect(
            "send-code",
            Self.sending("+8223123456"),
            403,
            "ONE_TIME_PASSWORD_SMS.PHONE_NUMBER_NOT_ALLOWED"
        )
    }

    /// A number that an operator blocks; what a person has told the carrier, nobody tells us.
    @Test func `OTPvalidationAPI_06_send_code_phone_number_blocked`() async throws {
        try await Server.open { server, token in
            let rule = GuardRule(prefix: Self.number, action: .block, until: nil, createdAt: server.clock.now())
            try await server.store.set(try #require(rule))
            try await server.call("send-code", Self.sending(), token)
                .expect(403, "ONE_TIME_PASSWORD_SMS.PHONE_NUMBER_BLOCKED")
        }
    }

    /// A number of a country that this service does not serve, or of none.
    @Test(arguments: ["+14155552671", "+999123456789"])
    func `OTPvalidationAPI_404.1_send_code_phone_number_not_belong_to_operator`(number: String) async throws {
        try await Server.expect("send-code", Self.sending(number), 404, "NOT_FOUND")
    }

    // MARK: validate-code

    @Test func `OTPvalidationAPI_01_validate_code_sucess_scenario`() async throws {
        try await Server.open { server, token in
            let id = try await server.authenticationID(token)
            let valid = try await server.call("validate-code", Self.checking(id), token)
            #expect(valid.status == 204)
            #expect(valid.body.isEmpty)
            #expect(valid.headers["x-correlator"] == "b4333c46-49c0-4f62-80d7-f0ef930f1c46")
        }
    }

    @Test func `OTPvalidationAPI_02_validate_code_sucess_scenario_without_x-correlator`() async throws {
        try await Server.open { server, token in
            let id = try await server.authenticationID(token)
            let valid = try await server.call("validate-code", Self.checking(id), token, correlator: nil)
            #expect(valid.status == 204)
            #expect(valid.headers["x-correlator"] == nil)
        }
    }

    @Test func `OTPvalidationAPI_400.1_validate_code_no_request_body`() async throws {
        try await Server.expect("validate-code", nil, 400, "INVALID_ARGUMENT")
    }

    @Test func `OTPvalidationAPI_400.2_validate_code_empty_request_body`() async throws {
        try await Server.expect("validate-code", "{}", 400, "INVALID_ARGUMENT")
    }

    @Test(arguments: ["", #","authenticationId":null"#, #","authenticationId":"""#, #","authenticationId":{}"#])
    func `OTPvalidationAPI_400.3_validate_code_missing_authenticationId`(member: String) async throws {
        try await Server.expect("validate-code", #"{"code":"314159"\#(member)}"#, 400, "INVALID_ARGUMENT")
    }

    @Test(arguments: ["", #","code":null"#, #","code":"""#, #","code":314159"#])
    func `OTPvalidationAPI_400.3_validate_code_missing_code`(member: String) async throws {
        try await Server.open { server, token in
            let id = try await server.authenticationID(token)
            try await server.call("validate-code", #"{"authenticationId":"\#(id)"\#(member)}"#, token)
                .expect(400, "INVALID_ARGUMENT")
        }
    }

    @Test func `OTPvalidationAPI_400.4_validate_code_exceed_code_max_length`() async throws {
        try await Server.open { server, token in
            let id = try await server.authenticationID(token)
            try await server.call("validate-code", Self.checking(id, "thisCodeExceedsTenCharacters"), token)
                .expect(400, "INVALID_ARGUMENT")
        }
    }

    @Test(arguments: ["000000", "31415", "3141592", "AJY3", "３１４１５９"])
    func `OTPvalidationAPI_400.5_validate_code_invalid_otp_scenario`(code: String) async throws {
        try await Server.open { server, token in
            let id = try await server.authenticationID(token)
            try await server.call("validate-code", Self.checking(id, code), token)
                .expect(400, "ONE_TIME_PASSWORD_SMS.INVALID_OTP")
            #expect(try await server.call("validate-code", Self.checking(id), token).status == 204)
        }
    }

    @Test func `OTPvalidationAPI_400.6_validate_code_verification_expired_scenario_1`() async throws {
        try await Server.open { server, token in
            let id = try await server.authenticationID(token)
            server.clock.advance(by: .seconds(600))
            try await server.call("validate-code", Self.checking(id), token)
                .expect(400, "ONE_TIME_PASSWORD_SMS.VERIFICATION_EXPIRED")
        }
    }

    @Test func `OTPvalidationAPI_400.7_validate_code_verification_expired_scenario_2`() async throws {
        try await Server.open { server, token in
            let (first, second) = (try await server.authenticationID(token), try await server.authenticationID(token))
            #expect(first != second)
            try await server.call("validate-code", Self.checking(first), token)
                .expect(400, "ONE_TIME_PASSWORD_SMS.VERIFICATION_EXPIRED")
            #expect(try await server.call("validate-code", Self.checking(second), token).status == 204)
            try await server.call("validate-code", Self.checking(first), token)
                .expect(400, "ONE_TIME_PASSWORD_SMS.VERIFICATION_EXPIRED")
        }
    }

    @Test func `OTPvalidationAPI_400.8_validate_code_verification_expired_scenario_3`() async throws {
        try await Server.open { server, token in
            let id = try await server.authenticationID(token)
            #expect(try await server.call("validate-code", Self.checking(id), token).status == 204)
            try await server.call("validate-code", Self.checking(id), token)
                .expect(400, "ONE_TIME_PASSWORD_SMS.VERIFICATION_EXPIRED")
        }
    }

    /// Whatever the wrong codes look like; and the right one is too late then.
    @Test(arguments: ["000000", "wrong"])
    func `OTPvalidationAPI_400.9_validate_code_verification_failed_scenario`(code: String) async throws {
        try await Server.open { server, token in
            let id = try await server.authenticationID(token)
            for _ in 1...4 {
                try await server.call("validate-code", Self.checking(id, code), token)
                    .expect(400, "ONE_TIME_PASSWORD_SMS.INVALID_OTP")
            }
            for last in [code, "314159"] {
                try await server.call("validate-code", Self.checking(id, last), token)
                    .expect(400, "ONE_TIME_PASSWORD_SMS.VERIFICATION_FAILED")
            }
            // Another send brings a new code with checks of its own, within the day of the number.
            let next = try await server.authenticationID(token)
            #expect(try await server.call("validate-code", Self.checking(next), token).status == 204)
        }
    }

    @Test func `OTPvalidationAPI_401.1_validate_code_no_authorization_header`() async throws {
        try await Server.open { server, token in
            let id = try await server.authenticationID(token)
            try await server.call("validate-code", Self.checking(id), nil).expect(401, "UNAUTHENTICATED")
        }
    }

    @Test func `OTPvalidationAPI_401.2_validate_code_expired_access_token`() async throws {
        try await Server.open { server, token in
            let id = try await server.authenticationID(token)
            server.clock.advance(by: .seconds(900))
            try await server.call("validate-code", Self.checking(id), token).expect(401, "UNAUTHENTICATED")
        }
    }

    @Test func `OTPvalidationAPI_401.3_validate_code_invalid_access_token`() async throws {
        try await Server.open { server, token in
            let id = try await server.authenticationID(token)
            try await server.call("validate-code", Self.checking(id), token + "0").expect(401, "UNAUTHENTICATED")
        }
    }

    @Test(arguments: [
        "ea0840f3-3663-4149-bd10-c7c6b8912105", "ea0840f336634149bd10c7c6b8912105", "x",
        "EA0840F3-3663-4149-BD10-C7C6B8912105",
    ])
    func `OTPvalidationAPI_404_validate_code_resource_not_found`(id: String) async throws {
        try await Server.expect("validate-code", Self.checking(id), 404, "NOT_FOUND")
    }

    // MARK: Beyond the scenarios

    @Test func `a client's token is for its own codes, as long as it is a client and has the scope`() async throws {
        try await Server.open { server, token in
            let id = try await server.authenticationID(token)
            let other = try await server.client(["one-time-password-sms:send-validate"])
            try await server.call("validate-code", Self.checking(id), other.token).expect(404, "NOT_FOUND")
            let without = try await server.client(["number-verification:verify"])
            for operation in ["send-code", "validate-code"] {
                try await server.call(operation, Self.sending(), without.token).expect(403, "PERMISSION_DENIED")
            }
            _ = try await server.accounts.clients.revoke(other.client.id)
            try await server.call("send-code", Self.sending(), other.token).expect(401, "UNAUTHENTICATED")
        }
    }

    @Test func `of checks at once one is accepted, and of sends at once the last is valid`() async throws {
        try await Server.open { server, token in
            let ids = try await atOnce(5) { _ in try await server.authenticationID(token) }
            #expect(Set(ids).count == 5)
            let statuses = try await atOnce(ids + ids) { id in
                try await server.call("validate-code", Self.checking(id), token).status
            }
            #expect(statuses.sorted() == [204] + Array(repeating: 400, count: 9))
        }
    }

    @Test func `what is no request of the API has its errors too`() async throws {
        try await Server.open { server, token in
            try await server.call("send-code", Self.sending(), token, method: "GET").expect(405, "METHOD_NOT_ALLOWED")
            try await server.call("codes", Self.sending(), token).expect(404, "NOT_FOUND")
            try await server.call("send-code", "[]", token).expect(400, "INVALID_ARGUMENT")
            try await server.call("send-code", "{", token).expect(400, "INVALID_ARGUMENT")
            try await server.call("send-code", "x", token, type: "text/plain").expect(415, "UNSUPPORTED_MEDIA_TYPE")
            let sent = try await server.call("send-code", Self.sending(), token, correlator: "a b")
            sent.expect(400, "INVALID_ARGUMENT", correlator: "a b")
            server.store.fail(with: CancellationError())
            try await server.call("send-code", Self.sending(), token).expect(503, "UNAVAILABLE")
        }
    }

    @Test func `it is off unless its setting is on`() async throws {
        try await Server.run { server in
            let answer = try await server.send("POST", "/one-time-password-sms/v1/send-code", "{}")
            #expect(answer.status == 404)
        }
    }

    fileprivate static func sending(_ number: String = number, message: String = message) -> String {
        #"{"phoneNumber":"\#(number)","message":"\#(message)"}"#
    }

    private static func checking(_ id: String, _ code: String = "314159") -> String {
        #"{"authenticationId":"\#(id)","code":"\#(code)"}"#
    }
}

extension DockServer<OneTimePasswordSMS> {
    /// `work` gets the token of a client.
    static func open(_ work: (DockServer, String) async throws -> Void) async throws {
        try await run(settings: ["PHONEPROOF_CAMARA_ENABLED": "true"]) { server in
            try await work(server, server.client(["one-time-password-sms:send-validate"]).token)
        }
    }

    /// An error of one request.
    static func expect(_ operation: String, _ body: String?, _ status: Int, _ code: String) async throws {
        try await open { try await $0.call(operation, body, $1).expect(status, code) }
    }

    func client(_ scopes: Set<String>) async throws -> (client: OAuthClient, token: String) {
        let name = try #require(DisplayName("Shop"))
        let profile = ClientProfile(name: name, redirectURIs: [], scopes: Set(scopes.compactMap { ClientScope($0) }))
        let client = try await accounts.clients.create(profile, isPublic: false).client
        return (client, try #require(try await accounts.clientToken(for: client, nil)).text)
    }

    func call(
        _ operation: String,
        _ body: String?,
        _ token: String?,
        correlator: String? = "b4333c46-49c0-4f62-80d7-f0ef930f1c46",
        method: String = "POST",
        type: String = "application/json"
    ) async throws -> Answer {
        var headers = ["Content-Type": type]
        headers["Authorization"] = token.map { "Bearer " + $0 }
        headers["x-correlator"] = correlator
        return try await send(method, "/one-time-password-sms/v1/" + operation, body, type: type, headers: headers)
    }

    func authenticationID(_ token: String) async throws -> String {
        try #require(try await call("send-code", ScenarioTests.sending(), token).text("authenticationId"))
    }
}

extension HTTPAnswer {
    func expect(
        _ status: Int,
        _ code: String,
        correlator: String = "b4333c46-49c0-4f62-80d7-f0ef930f1c46",
        _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(self.status == status, "\(body)", sourceLocation: location)
        #expect(headers["content-type"] == "application/json", sourceLocation: location)
        #expect(headers["x-correlator"] == correlator, sourceLocation: location)
        let start = #"{"status":\#(status),"code":"\#(code)","message":""#
        #expect(body.hasPrefix(start), "\(body)", sourceLocation: location)
        #expect((text("message") ?? "").count > 10, sourceLocation: location)
    }
}
