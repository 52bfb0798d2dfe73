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
        try await TwilioServer.open { shop in
            let begun = try await shop.begin()
            #expect(begun.status == 201)
            let sid = try #require(begun.text("sid"))
            let attempt = try #require(begun.text("attempt_sid"))
            let shape = json(
                """
                {"sid":"\(sid)",
                 "service_sid":"\(shop.sid)",
                 "account_sid":"\(shop.key.sid)",
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
                 "url":"http://127.0.0.1:8080/v2\(shop.path)/Verifications/\(sid)"}
                """
            )
            #expect(begun.body == shape)
            for name in [sid, "%2B821012345678", "VE" + sid.dropFirst(2).uppercased()] {
                let shown = try await shop.show(name)
                #expect(shown.status == 200)
                #expect(shown.body == shape)
            }

            let wrong = try await shop.check("000000")
            let answer = json(
                """
                {"sid":"\(sid)",
                 "service_sid":"\(shop.sid)",
                 "account_sid":"\(shop.key.sid)",
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
            shop.clock.advance(by: .seconds(1))
            let right = try await shop.check("314159")
            #expect(right.status == 201)
            #expect(
                right.body
                    == answer.replacing("pending", with: "approved").replacing("false", with: "true")
                    .replacing(
                        #""date_updated":"2026-01-01T00:00:00Z""#,
                        with: #""date_updated":"2026-01-01T00:00:01Z""#
                    )
            )
            for which in [Self.to, "VerificationSid=\(sid)"] {
                let again = try await shop.check("314159", of: which)
                #expect(again.status == 404)
                #expect(again.body == twilioError(20404, "The requested resource was not found", 404))
            }
        }
    }

    @Test func `five messages of one verification go out, at once if need be, and no sixth`() async throws {
        try await TwilioServer.open { shop in
            var sids: Set<String> = []
            for count in 1...5 {
                let sent = try await shop.begin()
                #expect(sent.status == 201)
                #expect(sent.body.ranges(of: "attempt_sid").count == count)
                sids.insert(try #require(sent.text("sid")))
            }
            #expect(sids.count == 1)
            let sixth = try await shop.begin()
            #expect(sixth.status == 429)
            #expect(sixth.headers["retry-after"] == "600")
            #expect(sixth.body == twilioError(60203, "Max send attempts reached", 429))
            // The end of a tenant clears it.
            let ended = try await shop.end(sids.first ?? "", "canceled")
            #expect(ended.status == 200)
            #expect(ended.text("status") == "canceled")
            let anew = try await shop.begin()
            #expect(anew.status == 201)
            #expect(anew.text("sid") != sids.first)
        }
    }

    @Test func `five codes are compared, and no sixth before the verification is over`() async throws {
        try await TwilioServer.open { shop in
            let begun = try await shop.begin()
            let sid = try #require(begun.text("sid"))
            for count in 1...5 {
                let wrong = try await shop.check("111111")
                #expect(wrong.status == 201)
                #expect(wrong.text("status") == (count < 5 ? "pending" : "max_attempts_reached"))
            }
            for _ in 0..<2 {
                let sixth = try await shop.check("314159", of: "VerificationSid=\(sid)")
                #expect(sixth.status == 429)
                #expect(sixth.headers["retry-after"] == "600")
                #expect(sixth.body == twilioError(60202, "Max check attempts reached", 429))
            }
            let anew = try await shop.begin()
            #expect(anew.body == twilioError(60202, "Max check attempts reached", 429))
            shop.clock.advance(by: .seconds(600))
            let over = try await shop.check("314159")
            #expect(over.status == 404)
            let next = try await shop.begin()
            #expect(next.status == 201)
        }
    }

    @Test func `what is no longer live is not found, by number and by ID, whatever the code looks like`() async throws {
        let ends: [(name: String, end: @Sendable (Shop, String) async throws -> Int)] = [
            ("approved", { shop, sid in try await shop.check("314159", of: "VerificationSid=\(sid)").status }),
            ("approved by its service", { shop, sid in try await shop.end(sid, "approved").status }),
            ("canceled", { shop, sid in try await shop.end(sid, "canceled").status }),
            (
                "expired",
                { shop, _ in
                    shop.clock.advance(by: .seconds(600))
                    return 200
                }
            ),
            (
                "locked and expired",
                { shop, sid in
                    for _ in 1...5 { _ = try await shop.check("000000", of: "VerificationSid=\(sid)") }
                    let locked = try await shop.check("abcd", of: "VerificationSid=\(sid)")
                    #expect(locked.body == twilioError(60202, "Max check attempts reached", 429))
                    shop.clock.advance(by: .seconds(600))
                    return 200
                }
            ),
        ]
        for (name, end) in ends {
            try await TwilioServer.open { shop in
                let sid = try #require(try await shop.begin().text("sid"))
                #expect([200, 201].contains(try await end(shop, sid)), "\(name)")
                shop.clock.advance(by: .seconds(1))
                var answers: [TwilioServer.Answer] = []
                for which in ["VerificationSid=\(sid)", Self.to] {
                    for code in [
                        "314159", "000000", "abcd", "31%2D41%2059", "%F0%9F%98%80%F0%9F%98%80%F0%9F%98%80%F0%9F%98%80",
                    ] {
                        answers.append(try await shop.check(code, of: which))
                    }
                }
                for which in [sid, "%2B821012345678"] {
                    answers.append(try await shop.show(which))
                    for status in ["approved", "canceled"] { answers.append(try await shop.end(which, status)) }
                }
                for answer in answers {
                    #expect(answer.body == twilioError(20404, "The requested resource was not found", 404), "\(name)")
                }
            }
        }
    }

    @Test func `a code has the length that its service wants, and what cannot be one is not counted`() async throws {
        try await TwilioServer.open("FriendlyName=Acme&CodeLength=4&CustomCodeEnabled=true") { shop in
            _ = try await shop.begin()
            for code in ["abcdef", "%EF%BC%91%EF%BC%92ab"] {
                let answer = try await shop.check(code)
                #expect(answer.status == 201)
                #expect(answer.body.firstRange(of: #""valid":false"#) != nil)
            }
            for code in ["", "123", "12345678901"] {
                let answer = try await shop.check(code)
                #expect(answer.status == 400)
                #expect(answer.body == twilioError(60200, "Invalid parameter: Code", 400))
            }
            for (which, name) in [("Other=1", "To"), ("VerificationSid=VE1", "VerificationSid")] {
                let answer = try await shop.check("123456", of: which)
                #expect(answer.body == twilioError(60200, "Invalid parameter: \(name)", 400))
            }
            let stored = await shop.store.outbox
            let verification = try await shop.store.verification(try #require(stored.first).verificationID)
            #expect(verification?.checksLeft == 5)
            let right = try await shop.check("3141")
            #expect(right.text("status") == "approved")
        }
    }

    @Test func `a service that may brings codes of its own and says itself when they are right`() async throws {
        try await TwilioServer.open { without in
            let refused = try await without.begin("&CustomCode=271828")
            #expect(refused.status == 403)
            #expect(
                refused.body
                    == twilioError(
                        60204,
                        "Service does not support this feature: CustomCode needs CustomCodeEnabled.",
                        403
                    )
            )
            let shop = try await Shop(without.server, "FriendlyName=Acme&CustomCodeEnabled=true", key: without.key)
            for code in ["27182", "2718281828"] {
                let sent = try await shop.begin("&CustomCode=\(code)")
                #expect(sent.status == 201)
            }
            for code in ["123", "12345678901", "abcd"] {
                let sent = try await shop.begin("&CustomCode=\(code)")
                #expect(sent.status == 400, "\(code)")
            }
            let approved = try await shop.end("%2B821012345678", "approved")
            #expect(approved.status == 200)
            #expect(approved.text("status") == "approved")
            #expect(approved.body.firstRange(of: #""valid":true"#) != nil)
            let again = try await shop.end(try #require(approved.text("sid")), "approved")
            #expect(again.status == 404)
            for status in ["pending", "", "deleted"] {
                let answer = try await shop.end("%2B821012345678", status)
                #expect(answer.status == 400)
            }
        }
    }

    @Test func `a verification may be looked at sixty times a minute`() async throws {
        try await TwilioServer.open { shop in
            _ = try await shop.begin()
            for _ in 0..<60 {
                #expect(try await shop.show().status == 200)
            }
            let more = try await shop.show()
            #expect(more.status == 429)
            #expect(more.headers["retry-after"] == "1")
            #expect(more.body == twilioError(20429, "Too many requests", 429))
        }
    }

    @Test func `what cannot be sent is refused by Twilio's codes`() async throws {
        try await TwilioServer.open { shop in
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
                let answer = try await shop.send(form)
                #expect(answer.status == status, "\(form)")
                #expect(answer.body.hasPrefix(#"{"code":\#(code),"message":""#), "\(form) \(answer.body)")
            }
            for (channel, says) in [
                ("email", "Invalid parameter `Channel`: email is not among sms, call, whatsapp and auto"),
                ("pigeon", "Invalid parameter: Channel. It must be sms, call, whatsapp or auto."),
            ] {
                let answer = try await shop.send(Self.to + "&Channel=\(channel)")
                #expect(answer.body == twilioError(60200, says, 400))
            }
            let outbox = await shop.store.outbox
            #expect(outbox.isEmpty)
            let auto = try await shop.send(Self.to + "&Channel=auto")
            #expect(auto.status == 201)
            #expect(auto.text("channel") == "sms")
        }
    }

    @Test func `a client that checks for risks itself gets its message where the guard has doubts`() async throws {
        let policy = AbusePolicy(limits: .none, trafficGuard: try GuardPolicy(prefixSample: 5), testNumbers: .none)
        try await TwilioServer.open(abusePolicy: policy) { shop async throws in
            func send(_ number: Int, _ risks: String = "") async throws -> Int {
                let form = "To=%2B82101234560\(number)&Channel=sms" + risks
                return try await shop.send(form).status
            }
            // Nobody enters these codes, which puts the prefix in doubt.
            for number in 0..<5 { #expect(try await send(number) == 201) }
            #expect(try await send(5) == 403)
            #expect(try await send(5, "&RiskCheck=disable") == 201)
        }
    }

    @Test func `a request says how its message is worded and by what it is counted`() async throws {
        try await TwilioServer.open("FriendlyName=Acme&DoNotShareWarningEnabled=true") { shop in
            let form =
                Self.to + "&Channel=sms&Locale=en&AppHash=He42w354ol9&CustomFriendlyName=Acme+Pay&DeviceIp=192.0.2.7"
                + "&TemplateSid=HJ70726f6d6f0000000000000000000000"
                + "&TemplateCustomSubstitutions=%7B%22amount%22%3A%22%245%22%7D&Tags=%7B%22a%22%3A%22b%22%2C%22c%22%3A%22%22%2C%22d+e%22%3A%22f%22%7D"
            let sent = try await shop.send(form)
            #expect(sent.status == 201)
            #expect(await shop.store.acts.last == "begin 192.0.2.7")
            let message = try #require(await shop.store.outbox.last)
            let verification = try #require(await shop.store.verification(message.verificationID))
            #expect(verification.language == .english)
            // What no tag of a verification can be is left out.
            #expect(verification.labels.tags?.description == "a:b")
            #expect(
                await shop.store.outbox.map(\.wording) == [
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
            shop.clock.advance(by: .seconds(700))
            _ = try await shop.begin()
            let later = try #require(await shop.store.outbox.last)
            #expect(try await shop.store.verification(later.verificationID)?.language == .korean)
        }
    }

    @Test func `a service with lookup returns the kind of a number`() async throws {
        try await TwilioServer.open("FriendlyName=Acme&LookupEnabled=true") { shop in
            let sent = try await shop.begin()
            let lookup =
                #""lookup":{"carrier":{"mobile_country_code":null,"mobile_network_code":null,"name":null,"type":"mobile","#
                + #""error_code":null}}"#
            #expect(sent.body.firstRange(of: lookup) != nil)
        }
    }

    @Test func `no code stands in an answer, and no number in the log`() async throws {
        try await TwilioServer.open("FriendlyName=Acme&CustomCodeEnabled=true") { shop in
            let sent = try await shop.begin("&CustomCode=271828")
            let check = try await shop.check("271829")
            #expect(!(sent.body + check.body).contains("27182"))
            let log = shop.server.log.lines.joined(separator: "\n")
            #expect(!log.contains("27182") && !log.contains("1012345678") && !log.contains(shop.key.field.dropFirst(6)))
            #expect(log.contains("/v2/Services/{service}/Verifications"))
        }
    }

    @Test func `only a code that the service made speaks for the number to all others`() async throws {
        try await TwilioServer.open { honest in
            let (store, form) = (honest.store, "FriendlyName=Other&CustomCodeEnabled=true")
            let other = try await Shop(honest.server, form, key: honest.key)
            func failures() async throws -> Int {
                let numbers = try await store.activeNumbers(sends: 0, failures: 0, after: "", limit: 1)
                return numbers.first?.activity.consecutiveFailures ?? 0
            }
            func approvals() async throws -> Int {
                try await store.traffic(of: .prefix("+82101234")).lastDay(at: honest.clock.now()).approved
            }
            _ = try await honest.begin()
            _ = try await honest.check("000000")
            #expect(try await failures() == 1)
            // With a code of its own, which only the client checks.
            _ = try await other.begin("&CustomCode=314159")
            #expect(try await other.check("314159").text("status") == "approved")
            #expect(try await failures() == 1)
            _ = try await other.begin()
            #expect(try await other.end("%2B821012345678", "approved").text("status") == "approved")
            #expect(try await failures() == 1)
            #expect(try await approvals() == 1)
            #expect(try await honest.check("314159").text("status") == "approved")
            #expect(try await failures() == 0)
            #expect(try await approvals() == 2)
        }
    }

    @Test(arguments: [
        ("++82 10-1234-5678", "\u{200B}314159"), ("tel:+82-10-1234-5678", "314ー159"),
        ("\u{202A}＋８２ 10\u{2011}1234\u{2011}5678\u{202C}", "３１４１５９"),
    ])
    func `what a person typed is read as everywhere`(number: String, code: String) async throws {
        try await TwilioServer.open { shop in
            let begun = try await shop.send("To=\(number.percentEncoded)&Channel=sms")
            #expect(begun.text("to") == "+821012345678")
            let check = try await shop.check(code.percentEncoded)
            #expect(check.text("status") == "approved")
        }
    }

    @Test(arguments: ["+82 10-1234-567 x8", "+82101234567;ext=8", "+8210d12345678"])
    func `a number with an extension is refused`(number: String) async throws {
        try await TwilioServer.open { shop in
            let answer = try await shop.send("To=\(number.percentEncoded)&Channel=sms")
            #expect(answer.status == 400)
        }
    }
}
