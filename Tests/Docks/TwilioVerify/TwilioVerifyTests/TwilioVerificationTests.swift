import CoreEncodings
import DockTestSupport
import PhoneSignup
import PhoneStore
import PhoneTestSupport
import Testing

@testable import PhoneDomain
@testable import TwilioVerify

@Suite struct TwilioVerificationTests {
    private static let to = "To=%2B821012345678"

    @Test func `a number is proven, and the code is then worth nothing`() async throws {
        try await TwilioServer.run { server in
            let key = try await server.twilioAccount()
            let path = try await server.twilioService(key: key)
            let begun = try await server.begin(path, key: key)
            #expect(begun.status == 201)
            let sid = try #require(begun.text("sid"))
            let service = String(path.dropFirst("/Services/".count))
            let attempt = try #require(begun.text("attempt_sid"))
            let shape = json(
                """
                {"sid":"\(sid)",
                 "service_sid":"\(service)",
                 "account_sid":"\(key.sid)",
                 "to":"+821012345678",
                 "channel":"sms",
                 "status":"pending",
                 "valid":false,
                 "date_created":"2026-01-01T00:00:00Z",
                 "date_updated":"2026-01-01T00:00:00Z",
                 "lookup":{},
                 "amount":null,
                 "payee":null,
                 "send_code_attempts":[{"time":"2026-01-01T00:00:00Z","channel":"SMS","attempt_sid":"\(attempt)"}],
                 "sna":null,
                 "url":"http://127.0.0.1:8080/v2\(path)/Verifications/\(sid)"}
                """
            )
            #expect(begun.body == shape)
            for name in [sid, "%2B821012345678", "VE" + sid.dropFirst(2).uppercased()] {
                let shown = try await server.twilio("GET", "\(path)/Verifications/\(name)", key: key)
                #expect(shown.status == 200)
                #expect(shown.body == shape)
            }

            let check = path + "/VerificationCheck"
            let wrong = try await server.twilio("POST", check, Self.to + "&Code=000000", key: key)
            let answer = json(
                """
                {"sid":"\(sid)",
                 "service_sid":"\(service)",
                 "account_sid":"\(key.sid)",
                 "to":"+821012345678",
                 "channel":"sms",
                 "status":"pending",
                 "valid":false,
                 "amount":null,
                 "payee":null,
                 "sna_attempts_error_codes":[],
                 "date_created":"2026-01-01T00:00:00Z",
                 "date_updated":"2026-01-01T00:00:00Z"}
                """
            )
            #expect(wrong.status == 201)
            #expect(wrong.body == answer)
            server.clock.advance(by: .seconds(1))
            let right = try await server.twilio("POST", check, Self.to + "&Code=314159", key: key)
            #expect(right.status == 201)
            #expect(
                right.body
                    == answer.replacing("pending", with: "approved").replacing("false", with: "true")
                    .replacing(
                        #""date_updated":"2026-01-01T00:00:00Z""#,
                        with: #""date_updated":"2026-01-01T00:00:01Z""#
                    )
            )
            for form in [Self.to + "&Code=314159", "VerificationSid=\(sid)&Code=314159"] {
                let again = try await server.twilio("POST", check, form, key: key)
                #expect(again.status == 404)
                #expect(again.body == twilioError(20404, "The requested resource was not found", 404))
            }
        }
    }

    @Test func `five messages of one verification go out, at once if need be, and no sixth`() async throws {
        try await TwilioServer.run { server in
            let key = try await server.twilioAccount()
            let path = try await server.twilioService(key: key) + "/Verifications"
            var sids: Set<String> = []
            for count in 1...5 {
                let sent = try await server.twilio("POST", path, Self.to + "&Channel=sms", key: key)
                #expect(sent.status == 201)
                #expect(sent.body.ranges(of: "attempt_sid").count == count)
                sids.insert(try #require(sent.text("sid")))
            }
            #expect(sids.count == 1)
            let sixth = try await server.twilio("POST", path, Self.to + "&Channel=sms", key: key)
            #expect(sixth.status == 429)
            #expect(sixth.headers["retry-after"] == "600")
            #expect(sixth.body == twilioError(60203, "Max send attempts reached", 429))
            // The end of a tenant clears it.
            let ended = try await server.twilio("POST", "\(path)/\(sids.first ?? "")", "Status=canceled", key: key)
            #expect(ended.status == 200)
            #expect(ended.text("status") == "canceled")
            let anew = try await server.twilio("POST", path, Self.to + "&Channel=sms", key: key)
            #expect(anew.status == 201)
            #expect(anew.text("sid") != sids.first)
        }
    }

    @Test func `five codes are compared, and no sixth before the verification is over`() async throws {
        try await TwilioServer.run { server in
            let key = try await server.twilioAccount()
            let path = try await server.twilioService(key: key)
            let begun = try await server.begin(path, key: key)
            let sid = try #require(begun.text("sid"))
            for count in 1...5 {
                let wrong = try await server.check(path, Self.to + "&Code=111111", key: key)
                #expect(wrong.status == 201)
                #expect(wrong.text("status") == (count < 5 ? "pending" : "max_attempts_reached"))
            }
            for _ in 0..<2 {
                let sixth = try await server.check(path, "VerificationSid=\(sid)&Code=314159", key: key)
                #expect(sixth.status == 429)
                #expect(sixth.headers["retry-after"] == "600")
                #expect(sixth.body == twilioError(60202, "Max check attempts reached", 429))
            }
            let anew = try await server.begin(path, key: key)
            #expect(anew.body == twilioError(60202, "Max check attempts reached", 429))
            server.clock.advance(by: .seconds(600))
            let over = try await server.check(path, Self.to + "&Code=314159", key: key)
            #expect(over.status == 404)
            let next = try await server.begin(path, key: key)
            #expect(next.status == 201)
        }
    }

    @Test func `what is no longer live is not found, by number and by ID, whatever the code looks like`() async throws {
        let ends:
            [(name: String, end: @Sendable (TwilioServer, TwilioServer.TwilioKey, String, String) async throws -> Int)] =
                [
                    (
                        "approved",
                        { server, key, path, sid in
                            let form = "VerificationSid=\(sid)&Code=314159"
                            return try await server.check(path, form, key: key).status
                        }
                    ),
                    (
                        "approved by its service",
                        { server, key, path, sid in
                            try await server.end(path, sid, "approved", key: key)
                                .status
                        }
                    ),
                    (
                        "canceled",
                        { server, key, path, sid in
                            try await server.end(path, sid, "canceled", key: key)
                                .status
                        }
                    ),
                    (
                        "expired",
                        { server, _, _, _ in
                            server.clock.advance(by: .seconds(600))
                            return 200
                        }
                    ),
                    (
                        "locked and expired",
                        { server, key, path, sid in
                            for _ in 1...5 {
                                let form = "VerificationSid=\(sid)&Code=000000"
                                _ = try await server.check(path, form, key: key)
                            }
                            let form = "VerificationSid=\(sid)&Code=abcd"
                            let locked = try await server.check(path, form, key: key)
                            #expect(locked.body == twilioError(60202, "Max check attempts reached", 429))
                            server.clock.advance(by: .seconds(600))
                            return 200
                        }
                    ),
                ]
        for (name, end) in ends {
            try await TwilioServer.run { server in
                let key = try await server.twilioAccount()
                let path = try await server.twilioService(key: key)
                let begun = try await server.begin(path, key: key)
                let sid = try #require(begun.text("sid"))
                #expect([200, 201].contains(try await end(server, key, path, sid)), "\(name)")
                server.clock.advance(by: .seconds(1))
                var answers: [TwilioServer.Answer] = []
                for which in ["VerificationSid=\(sid)", Self.to] {
                    for code in [
                        "314159", "000000", "abcd", "31%2D41%2059", "%F0%9F%98%80%F0%9F%98%80%F0%9F%98%80%F0%9F%98%80",
                    ] {
                        let form = "\(which)&Code=\(code)"
                        answers.append(try await server.check(path, form, key: key))
                    }
                }
                for which in [sid, "%2B821012345678"] {
                    let verification = "\(path)/Verifications/\(which)"
                    answers.append(try await server.twilio("GET", verification, key: key))
                    for status in ["approved", "canceled"] {
                        answers.append(try await server.twilio("POST", verification, "Status=\(status)", key: key))
                    }
                }
                for answer in answers {
                    #expect(answer.body == twilioError(20404, "The requested resource was not found", 404), "\(name)")
                }
            }
        }
    }

    @Test func `a code has the length that its service wants, and what cannot be one is not counted`() async throws {
        try await TwilioServer.run { server in
            let key = try await server.twilioAccount()
            let path = try await server.twilioService("FriendlyName=Acme&CodeLength=4&CustomCodeEnabled=true", key: key)
            _ = try await server.begin(path, key: key)
            for code in ["abcdef", "%EF%BC%91%EF%BC%92ab"] {
                let answer = try await server.check(path, Self.to + "&Code=\(code)", key: key)
                #expect(answer.status == 201)
                #expect(answer.body.firstRange(of: #""valid":false"#) != nil)
            }
            for form in [Self.to, Self.to + "&Code=123", Self.to + "&Code=12345678901", Self.to + "&Code="] {
                let answer = try await server.check(path, form, key: key)
                #expect(answer.status == 400)
                #expect(answer.body == twilioError(60200, "Invalid parameter: Code", 400))
            }
            for (form, name) in [("Code=123456", "To"), ("VerificationSid=VE1&Code=123456", "VerificationSid")] {
                let answer = try await server.check(path, form, key: key)
                #expect(answer.body == twilioError(60200, "Invalid parameter: \(name)", 400))
            }
            let stored = await server.store.outbox
            let verification = try await server.store.verification(try #require(stored.first).verificationID)
            #expect(verification?.checksLeft == 5)
            let right = try await server.check(path, Self.to + "&Code=3141", key: key)
            #expect(right.text("status") == "approved")
        }
    }

    @Test func `a service that may brings codes of its own and says itself when they are right`() async throws {
        try await TwilioServer.run { server in
            let key = try await server.twilioAccount()
            let without = try await server.twilioService(key: key) + "/Verifications"
            let refused = try await server.twilio("POST", without, Self.to + "&Channel=sms&CustomCode=271828", key: key)
            #expect(refused.status == 403)
            #expect(
                refused.body
                    == twilioError(
                        60204,
                        "Service does not support this feature: CustomCode needs CustomCodeEnabled.",
                        403
                    )
            )
            let path = try await server.twilioService("FriendlyName=Acme&CustomCodeEnabled=true", key: key)
            for code in ["27182", "2718281828"] {
                let sent = try await server.begin(path, "&CustomCode=\(code)", key: key)
                #expect(sent.status == 201)
            }
            for code in ["123", "12345678901", "abcd"] {
                let sent = try await server.begin(path, "&CustomCode=\(code)", key: key)
                #expect(sent.status == 400, "\(code)")
            }
            let approved = try await server.end(path, "%2B821012345678", "approved", key: key)
            #expect(approved.status == 200)
            #expect(approved.text("status") == "approved")
            #expect(approved.body.firstRange(of: #""valid":true"#) != nil)
            let again = try await server.end(path, try #require(approved.text("sid")), "approved", key: key)
            #expect(again.status == 404)
            for status in ["pending", "", "deleted"] {
                let answer = try await server.end(path, "%2B821012345678", status, key: key)
                #expect(answer.status == 400)
            }
        }
    }

    @Test func `a verification may be looked at sixty times a minute`() async throws {
        try await TwilioServer.run { server in
            let key = try await server.twilioAccount()
            let path = try await server.twilioService(key: key) + "/Verifications"
            _ = try await server.twilio("POST", path, Self.to + "&Channel=sms", key: key)
            for _ in 0..<60 {
                #expect(try await server.twilio("GET", path + "/%2B821012345678", key: key).status == 200)
            }
            let more = try await server.twilio("GET", path + "/%2B821012345678", key: key)
            #expect(more.status == 429)
            #expect(more.headers["retry-after"] == "1")
            #expect(more.body == twilioError(20429, "Too many requests", 429))
        }
    }

    @Test func `what cannot be sent is refused by Twilio's codes`() async throws {
        try await TwilioServer.run { server in
            let key = try await server.twilioAccount()
            let path = try await server.twilioService(key: key) + "/Verifications"
            for (form, status, code) in [
                ("Channel=sms", 400, 60200), ("To=821012345678&Channel=sms", 400, 60200),
                ("To=010-1234-5678&Channel=sms", 400, 60200), ("To=a%40b.example&Channel=email", 400, 60200),
                ("To=%2B0821012345678&Channel=sms", 400, 60200),
                (Self.to, 400, 60200), (Self.to + "&Channel=pigeon", 400, 60200),
                (Self.to + "&Channel=call", 403, 60223),
                (Self.to + "&Channel=whatsapp", 403, 60223), (Self.to + "&Channel=sms&Amount=5", 403, 60204),
                (Self.to + "&Channel=sms&Locale=klingon_language", 400, 60200),
                (Self.to + "&Channel=sms&AppHash=short", 400, 60200),
                (Self.to + "&Channel=sms&CustomFriendlyName=www.evil.example", 400, 60248),
                (Self.to + "&Channel=sms&CustomFriendlyName=Quite+A+Long+Name+Indeed", 400, 60247),
                (Self.to + "&Channel=sms&TemplateSid=HJ70726f6d6f0000000000000000000000", 400, 60224),
                (
                    Self.to + "&Channel=sms&TemplateSid=HJ70726f6d6f0000000000000000000000"
                        + "&TemplateCustomSubstitutions=%7B%22amount%22%3A5%7D", 400, 60229
                ),
                (Self.to + "&Channel=sms&TemplateCustomSubstitutions=nonsense", 400, 60200),
                (Self.to + "&Channel=sms&TemplateCustomSubstitutions=%7B%22a%22%3A%5B%5D%7D", 400, 60200),
                (Self.to + "&Channel=sms&RateLimits=%7B%22ip%22%3A%22192.0.2.1%22%7D", 400, 60200),
                (Self.to + "&Channel=sms&DeviceIp=nowhere", 400, 60200),
                ("To=%2B8223456789&Channel=sms", 403, 60205), ("To=%2B14155550100&Channel=sms", 403, 60605),
                ("To=%2B999123&Channel=sms", 403, 60605),
            ] {
                let answer = try await server.twilio("POST", path, form, key: key)
                #expect(answer.status == status, "\(form)")
                #expect(answer.body.hasPrefix(#"{"code":\#(code),"message":""#), "\(form) \(answer.body)")
            }
            for (channel, says) in [
                ("email", "Invalid parameter `Channel`: email is not among sms, call, whatsapp and auto"),
                ("pigeon", "Invalid parameter: Channel. It must be sms, call, whatsapp or auto."),
            ] {
                let answer = try await server.twilio("POST", path, Self.to + "&Channel=\(channel)", key: key)
                #expect(answer.body == twilioError(60200, says, 400))
            }
            let outbox = await server.store.outbox
            #expect(outbox.isEmpty)
            let auto = try await server.twilio("POST", path, Self.to + "&Channel=auto", key: key)
            #expect(auto.status == 201)
            #expect(auto.text("channel") == "sms")
        }
    }

    @Test func `a client that checks for risks itself gets its message where the guard has doubts`() async throws {
        let policy = AbusePolicy(limits: .none, trafficGuard: try GuardPolicy(prefixSample: 5), testNumbers: .none)
        try await TwilioServer.run(abusePolicy: policy) { server in
            let key = try await server.twilioAccount()
            let path = try await server.twilioService(key: key) + "/Verifications"
            func send(_ number: Int, _ risks: String = "") async throws -> Int {
                let form = "To=%2B82101234560\(number)&Channel=sms" + risks
                return try await server.twilio("POST", path, form, key: key).status
            }
            // Nobody enters these codes, which puts the prefix in doubt.
            for number in 0..<5 { #expect(try await send(number) == 201) }
            #expect(try await send(5) == 403)
            #expect(try await send(5, "&RiskCheck=disable") == 201)
        }
    }

    @Test func `a request says how its message is worded and by what it is counted`() async throws {
        try await TwilioServer.run { server in
            let key = try await server.twilioAccount()
            let path = try await server.twilioService("FriendlyName=Acme&DoNotShareWarningEnabled=true", key: key)
            let form =
                Self.to + "&Channel=sms&Locale=en&AppHash=He42w354ol9&CustomFriendlyName=Acme+Pay&DeviceIp=192.0.2.7"
                + "&TemplateSid=HJ70726f6d6f0000000000000000000000"
                + "&TemplateCustomSubstitutions=%7B%22amount%22%3A%22%245%22%7D&Tags=%7B%22a%22%3A%22b%22%2C%22c%22%3A%22%22%2C%22d+e%22%3A%22f%22%7D"
            let sent = try await server.twilio("POST", path + "/Verifications", form, key: key)
            #expect(sent.status == 201)
            #expect(await server.store.acts.last == "begin 192.0.2.7")
            let message = try #require(await server.store.outbox.last)
            let verification = try #require(await server.store.verification(message.verificationID))
            #expect(verification.language == .english)
            // What no tag of a verification can be is left out.
            #expect(verification.labels.tags?.description == "a:b")
            #expect(
                await server.store.outbox.map(\.wording) == [
                    MessageWording(
                        service: "Acme Pay",
                        template: TemplateName("promo"),
                        appHash: "He42w354ol9",
                        warnsAgainstSharing: true,
                        substitutions: ["amount": "$5"]
                    )
                ]
            )
            // By default messages are in the language of the number's country.
            server.clock.advance(by: .seconds(700))
            _ = try await server.begin(path, key: key)
            let later = try #require(await server.store.outbox.last)
            #expect(try await server.store.verification(later.verificationID)?.language == .korean)
        }
    }

    @Test func `a service with lookup returns the kind of a number`() async throws {
        try await TwilioServer.run { server in
            let key = try await server.twilioAccount()
            let path = try await server.twilioService("FriendlyName=Acme&LookupEnabled=true", key: key)
            let sent = try await server.begin(path, key: key)
            let lookup =
                #""lookup":{"carrier":{"mobile_country_code":null,"mobile_network_code":null,"name":null,"type":"mobile","#
                + #""error_code":null}}"#
            #expect(sent.body.firstRange(of: lookup) != nil)
        }
    }

    @Test func `no code stands in an answer, and no number in the log`() async throws {
        try await TwilioServer.run { server in
            let key = try await server.twilioAccount()
            let path = try await server.twilioService("FriendlyName=Acme&CustomCodeEnabled=true", key: key)
            let form = Self.to + "&Channel=sms&CustomCode=271828"
            let sent = try await server.twilio("POST", path + "/Verifications", form, key: key)
            let check = try await server.check(path, Self.to + "&Code=271829", key: key)
            #expect(!(sent.body + check.body).contains("27182"))
            let log = server.log.lines.joined(separator: "\n")
            #expect(!log.contains("27182") && !log.contains("1012345678") && !log.contains(key.field.dropFirst(6)))
            #expect(log.contains("/v2/Services/{service}/Verifications"))
        }
    }

    @Test func `only a code that the service made speaks for the number to all others`() async throws {
        try await TwilioServer.run { server in
            let key = try await server.twilioAccount()
            let honest = try await server.twilioService(key: key)
            let other = try await server.twilioService("FriendlyName=Other&CustomCodeEnabled=true", key: key)
            func failures() async throws -> Int {
                try await server.store.activeNumbers(sends: 0, failures: 0, after: "", limit: 1).first?.activity
                    .consecutiveFailures
                    ?? 0
            }
            _ = try await server.begin(honest, key: key)
            _ = try await server.check(honest, Self.to + "&Code=000000", key: key)
            #expect(try await failures() == 1)
            // With a code of its own, which only the client checks.
            let form = Self.to + "&Channel=sms&CustomCode=314159"
            _ = try await server.twilio("POST", other + "/Verifications", form, key: key)
            let own = try await server.check(other, Self.to + "&Code=314159", key: key)
            #expect(own.text("status") == "approved")
            #expect(try await failures() == 1)
            _ = try await server.begin(other, key: key)
            let number = "/Verifications/%2B821012345678"
            let word = try await server.twilio("POST", other + number, "Status=approved", key: key)
            #expect(word.text("status") == "approved")
            #expect(try await failures() == 1)
            let prefix = try await server.store.traffic(of: .prefix("+82101234"))
            #expect(prefix.lastDay(at: server.clock.now()).approved == 1)
            let right = try await server.check(honest, Self.to + "&Code=314159", key: key)
            #expect(right.text("status") == "approved")
            #expect(try await failures() == 0)
            #expect(
                try await server.store.traffic(of: .prefix("+82101234")).lastDay(at: server.clock.now()).approved == 2
            )
        }
    }

    @Test(arguments: [
        ("++82 10-1234-5678", "\u{200B}314159"), ("tel:+82-10-1234-5678", "314ー159"),
        ("\u{202A}＋８２ 10\u{2011}1234\u{2011}5678\u{202C}", "３１４１５９"),
    ])
    func `what a person typed is read as everywhere`(number: String, code: String) async throws {
        try await TwilioServer.run { server in
            let key = try await server.twilioAccount()
            let path = try await server.twilioService(key: key)
            let form = "To=\(number.percentEncoded)&Channel=sms"
            let begun = try await server.twilio("POST", path + "/Verifications", form, key: key)
            #expect(begun.text("to") == "+821012345678")
            let check = try await server.check(path, Self.to + "&Code=\(code.percentEncoded)", key: key)
            #expect(check.text("status") == "approved")
        }
    }

    @Test(arguments: ["+82 10-1234-567 x8", "+82101234567;ext=8", "+8210d12345678"])
    func `a number with an extension is refused`(number: String) async throws {
        try await TwilioServer.run { server in
            let key = try await server.twilioAccount()
            let path = try await server.twilioService(key: key)
            let form = "To=\(number.percentEncoded)&Channel=sms"
            #expect(try await server.twilio("POST", path + "/Verifications", form, key: key).status == 400)
        }
    }
}
