import DockTestSupport
import PhoneAccounts
import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneStore
import PhoneTestSupport
import Testing

@testable import TwilioVerify

/// Twilio Verify's services, response by response, and who may call them.
@Suite struct TwilioServiceTests {
    @Test func `a service has every member that Twilio's has`() async throws {
        try await TwilioServer.run { server in
            let key = try await server.twilioAccount()
            let made = try await server.twilio(
                "POST",
                "/Services",
                "FriendlyName=Acme+Bank&CodeLength=8&CustomCodeEnabled=true&DoNotShareWarningEnabled=True",
                key: key
            )
            let url = "http://127.0.0.1:8080/v2/Services/VA000000000000000000000000000007d1"
            let body = json(
                """
                {"sid":"VA000000000000000000000000000007d1",
                 "account_sid":"\(key.sid)",
                 "friendly_name":"Acme Bank",
                 "code_length":8,
                 "lookup_enabled":false,
                 "psd2_enabled":false,
                 "skip_sms_to_landlines":false,
                 "dtmf_input_required":true,
                 "tts_name":null,
                 "do_not_share_warning_enabled":true,
                 "custom_code_enabled":true,
                 "push":{"include_date":false,"apn_credential_sid":null,"fcm_credential_sid":null},
                 "totp":{"issuer":null,"time_step":30,"code_length":6,"skew":1},
                 "whatsapp":{"msg_service_sid":null,"from":null},
                 "passkeys":{"relying_party":null},
                 "default_template_sid":null,
                 "verify_event_subscription_enabled":false,
                 "date_created":"2026-01-01T00:00:00Z",
                 "date_updated":"2026-01-01T00:00:00Z",
                 "url":"\(url)",
                 "links":{"verification_checks":"\(url)/VerificationCheck",
                "verifications":"\(url)/Verifications",
                "rate_limits":"\(url)/RateLimits",
                "messaging_configurations":"\(url)/MessagingConfigurations",
                "entities":"\(url)/Entities",
                "webhooks":"\(url)/Webhooks",
                "access_tokens":"\(url)/AccessTokens"}}
                """
            )
            #expect(made.status == 201)
            #expect(made.body == body)
            let shown = try await server.twilio("GET", "/Services/VA000000000000000000000000000007D1", key: key)
            #expect(shown.status == 200)
            #expect(shown.body == body)

            server.clock.advance(by: .milliseconds(61_500))
            let path = "/Services/VA000000000000000000000000000007d1"
            let changed = try await server.twilio("POST", path, "CodeLength=4&CustomCodeEnabled=false", key: key)
            #expect(changed.status == 200)
            #expect(
                changed.body
                    == body.replacing(#""code_length":8"#, with: #""code_length":4"#)
                    .replacing(#""custom_code_enabled":true"#, with: #""custom_code_enabled":false"#)
                    .replacing(
                        #""date_updated":"2026-01-01T00:00:00Z""#,
                        with: #""date_updated":"2026-01-01T00:01:01Z""#
                    )
            )
            let gone = try await server.twilio("DELETE", path, key: key)
            #expect(gone.status == 204)
            #expect(gone.body == "")
            for method in ["GET", "DELETE"] {
                let answer = try await server.twilio(method, path, key: key)
                #expect(answer.status == 404)
                #expect(answer.body == twilioError(20404, "The requested resource was not found", 404))
            }
        }
    }

    @Test func `what cannot be is refused by Twilio's codes`() async throws {
        try await TwilioServer.run { server in
            let key = try await server.twilioAccount()
            for (form, status, code) in [
                ("", 400, 60200), ("FriendlyName=", 400, 60200), ("FriendlyName=Call+12345", 400, 60248),
                ("FriendlyName=evil.example", 400, 60248), ("FriendlyName=%F0%9F%98%80", 400, 60248),
                ("FriendlyName=%E3%85%A4", 400, 60248),
                ("FriendlyName=Acme&CodeLength=3", 400, 60200), ("FriendlyName=Acme&CodeLength=11", 400, 60200),
                ("FriendlyName=Acme&CodeLength=six", 400, 60200),
                ("FriendlyName=Acme&CustomCodeEnabled=maybe", 400, 60200),
                ("FriendlyName=Acme&Psd2Enabled=true", 403, 60204), ("FriendlyName=Acme&Totp.Issuer=Acme", 403, 60204),
                ("FriendlyName=Acme&DefaultTemplateSid=HJ1", 400, 60200),
                ("FriendlyName=Acme&DefaultTemplateSid=HJ6e6f6e65000000000000000000000000", 404, 60228),
                ("FriendlyName=A+Name+Longer+Than+One+SMS", 400, 60247),
            ] {
                let answer = try await server.twilio("POST", "/Services", form, key: key)
                #expect(answer.status == status, "\(form)")
                #expect(answer.body.hasPrefix(#"{"code":\#(code),"message":""#), "\(form) \(answer.body)")
                #expect(
                    answer.body.hasSuffix(
                        #","more_info":"https://www.twilio.com/docs/errors/\#(code)","status":\#(status)}"#
                    )
                )
            }
            // An option that is off is not asked for.
            let off = try await server.twilio("POST", "/Services", "FriendlyName=Acme&Psd2Enabled=false", key: key)
            #expect(off.status == 201)
            let json = try await server.send(
                "POST",
                "/v2/Services",
                #"{"FriendlyName":"Acme"}"#,
                headers: ["Authorization": key.field]
            )
            #expect(json.status == 415)
            #expect(
                json.body
                    == twilioError(20415, "Send the parameters as a form (application/x-www-form-urlencoded).", 415)
            )
        }
    }

    @Test func `services are listed page by page, newest first`() async throws {
        try await TwilioServer.run { server in
            let key = try await server.twilioAccount()
            for name in ["One", "Two", "Three"] {
                _ = try await Shop(server, "FriendlyName=\(name)", key: key)
                server.clock.advance(by: .seconds(1))
            }
            let first = try await server.twilio("GET", "/Services?PageSize=2", key: key)
            let base = "http://127.0.0.1:8080/v2/Services?PageSize=2"
            #expect(first.body.firstRange(of: "Three") != nil && first.body.firstRange(of: "One") == nil)
            #expect(
                first.body.hasSuffix(
                    json(
                        """
                        "meta":{"page":0,
                        "page_size":2,
                        "first_page_url":"\(base)&Page=0",
                        "previous_page_url":null,
                        "url":"\(base)&Page=0",
                        "next_page_url":"\(base)&Page=1",
                        "key":"services"}}
                        """
                    )
                )
            )
            let second = try await server.twilio("GET", "/Services?PageSize=2&Page=1", key: key)
            #expect(second.body.firstRange(of: "One") != nil && second.body.firstRange(of: "Two") == nil)
            #expect(second.body.firstRange(of: #""next_page_url":null"#) != nil)
            #expect(second.text("previous_page_url") == "\(base)&Page=0")
        }
    }

    @Test func `nobody is served without a key of an account`() async throws {
        try await TwilioServer.run { server in
            let account = try await server.twilioAccount()
            let native = try await server.keys.create(name: try #require(.init("native")), scopes: [.verifications])
            let other = try await server.twilioKey(of: account)
            let wrong = String(account.field.dropLast(4)) + "AAA="
            let nativeID = native.key.id.hexadecimal
            var fields: [String?] = [
                nil, "Basic", "Basic ???", "Bearer \(native.secret.text)", wrong, server.basic("AC1:x"),
                server.basic("SK\(nativeID):\(native.secret.text)"),
                server.basic("AC\(nativeID):\(native.secret.text)"),
                server.basic(account.sid), server.basic("\(account.sid):"),
            ]
            // A key's SID is not the account's, nor the other way round.
            fields.append(account.field.replacing(server.basic("AC").prefix(9), with: server.basic("SK").prefix(9)))
            for field in fields {
                let headers = field.map { ["Authorization": $0] } ?? [:]
                let answer = try await server.send("GET", "/v2/Services", headers: headers)
                #expect(answer.status == 401, "\(field ?? "")")
                #expect(answer.headers["www-authenticate"] == #"Basic realm="Twilio API""#)
                #expect(answer.body == twilioError(20003, "Authenticate", 401))
            }
            for key in [account, other] {
                #expect(try await server.twilio("GET", "/Services", key: key).status == 200)
            }
            _ = try await server.store.revoke(
                try #require(.init(hexadecimal: account.sid.dropFirst(2))),
                at: server.clock.now()
            )
            #expect(try await server.twilio("GET", "/Services", key: account).status == 401)
            #expect(try await server.twilio("GET", "/Services", key: other).status == 200)
        }
    }

    @Test func `accounts know nothing of one another, nor does a key of one service of others`() async throws {
        try await TwilioServer.run { server in
            let (alice, bob) = (try await server.twilioAccount(), try await server.twilioAccount())
            let shop = try await Shop(server, key: alice)
            let (path, second) = (shop.path, try await Shop(server, "FriendlyName=Second", key: alice).path)
            let narrow = try await server.twilioKey(of: alice, service: shop.sid)
            let sid = try #require(try await shop.begin().text("sid"))
            let (verification, elsewhere) = ("\(path)/Verifications/\(sid)", "\(second)/Verifications/\(sid)")
            for (method, path, form, key) in [
                ("GET", path, nil, bob), ("POST", path, "FriendlyName=Mine", bob), ("DELETE", path, nil, bob),
                ("GET", verification, nil, bob), ("POST", verification, "Status=approved", bob),
                ("POST", path + "/VerificationCheck", "To=%2B821012345678&Code=314159", bob),
                ("GET", elsewhere, nil, alice), ("GET", second, nil, narrow),
                ("POST", second + "/Verifications", "To=%2B821012345678&Channel=sms", narrow),
            ] as [(String, String, String?, TwilioServer.TwilioKey)] {
                let answer = try await server.twilio(method, path, form, key: key)
                #expect(answer.status == 404, "\(method) \(path)")
            }
            #expect(try await server.twilio("GET", "/Services", key: bob).body.hasPrefix(#"{"services":[],"#))
            #expect(try await server.twilio("GET", "/Attempts", key: bob).body.hasPrefix(#"{"attempts":[],"#))
            let seen = try await server.twilio("GET", "/Services", key: narrow).body
            #expect(seen.firstRange(of: "Second") == nil && seen.firstRange(of: "Acme") != nil)
            for (method, path) in [
                ("POST", "/Services"), ("POST", path), ("DELETE", path), ("POST", "/SafeList/Numbers"),
            ] {
                let form = method == "POST" ? "FriendlyName=New&PhoneNumber=%2B821012345678" : nil
                let answer = try await server.twilio(method, path, form, key: narrow)
                #expect(answer.status == 403)
                #expect(answer.body == twilioError(20403, "This key is good for one service alone.", 403))
            }
            #expect(try await server.twilio("GET", verification, key: narrow).status == 200)
        }
    }

    @Test func `what does not exist is answered as Twilio answers`() async throws {
        try await TwilioServer.open { shop in
            for target in [
                "/Services/VA1", "/Nothing", shop.path + "/Entities", shop.path + "/Webhooks",
                shop.path + "/Verifications/VE1",
            ] {
                let answer = try await shop.call("GET", target)
                #expect(answer.status == 404, "\(target)")
                #expect(answer.body == twilioError(20404, "The requested resource was not found", 404))
            }
            #expect(try await shop.call("GET", shop.path).status == 200)
            shop.store.fail(with: Outage())
            let down = try await shop.call("GET", shop.path)
            #expect(down.status == 503)
            #expect(down.headers["retry-after"] == "1")
            #expect(
                down.body == twilioError(20503, "The service cannot do this at the moment; try again.", 503)
            )
            #expect(down.body.firstRange(of: "secret of the store") == nil)
        }
    }

    @Test func `an HTTP error is answered as Twilio answers`() async throws {
        try await TwilioServer.run { server in
            let key = try await server.twilioAccount()
            for (method, path, status, allow) in [
                ("PUT", "/v2/Services", 405, "GET, HEAD, OPTIONS, POST"), ("GET", "/v2", 404, nil),
                ("PATCH", "/v2/Nothing", 405, "DELETE, GET, HEAD, OPTIONS, POST"),
            ] {
                let answer = try await server.send(method, path, headers: ["Authorization": key.field])
                #expect(answer.status == status)
                #expect(answer.headers["allow"] == allow)
                #expect(answer.headers["content-type"] == "application/json")
                let code = status == 405 ? 20004 : 20404
                #expect(answer.body.hasPrefix(#"{"code":\#(code),"message":""#), "\(answer.body)")
            }
            for (path, isTwilios) in [
                ("/v2?PageSize=1", true), ("/v2/", true), ("/2010-04-01/Nothing", true), ("/v20", false),
                ("/v2.json", false), ("/v", false), ("/nothing/v2/", false),
            ] {
                let answer = try await server.send("GET", path, headers: ["Authorization": key.field])
                #expect(answer.status == 404)
                #expect(answer.body.hasPrefix(#"{"code":20404,"#) == isTwilios, "\(path)")
            }
            let service = try await Shop(server, key: key).path
            for host in ["evil\"example", "a@b", "a/b"] {
                let headers = ["Authorization": key.field, "Host": host]
                let answer = try await server.send("GET", "/v2" + service, headers: headers)
                #expect(answer.status != 200 || answer.text("url") == "http://localhost/v2" + service, "\(host)")
            }
        }
    }

    private struct Outage: Error, CustomStringConvertible {
        let description = "secret of the store"
    }
}
