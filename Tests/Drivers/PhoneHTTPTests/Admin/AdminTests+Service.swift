import CoreEncodings
import PhoneAdministration
import PhoneDomain
import PhoneSignup
import PhoneStore
import PhoneTestSupport
import Testing

/// What operators ask and do about the service rather than about people.
extension AdminTests {
    @Test func aGatewayIsShownPausedResumedAndTested() async throws {
        // What was sent in a day is found by the time that IDs begin with.
        let ordered = { (clock: ManualClock) in OrderedIdentifiers(random: CountingIdentifiers(), clock: clock) }
        try await TestServer.run(identifiers: ordered) { server in
            let desk = try await Desk(server)
            _ = try await server.send("POST", "/v1/verifications", #"{"phone_number":"010-1234-5678"}"#)
            let end = server.clock.now() + .seconds(60)
            let claim = try #require(try await server.store.claim(limit: 9, at: server.clock.now(), until: end).first)
            server.clock.advance(by: .milliseconds(300))
            _ = try await server.store.settle([
                SettleMessage(
                    id: claim.message.id,
                    attempt: claim.message.attempts,
                    result: .sent(gateway: "sms", gatewayMessageID: "SM1"),
                    now: server.clock.now()
                )
            ])
            server.clock.advance(by: .milliseconds(1700))
            let receipt = RecordReceipt(
                gateway: "sms",
                gatewayMessageID: "SM1",
                outcome: .delivered,
                now: server.clock.now()
            )
            #expect(try await server.store.record(receipt))
            #expect(try await desk.items("messages", "delivered_at") == ["2026-01-01T00:00:02.000Z"])
            #expect(try await desk.post("gateways/sms/pause").status == 204)
            try await desk.get("gateways").expect(
                200,
                """
                {"items":[
                 {"name":"sms","channels":["sms"],"address":null,"state":"paused",
                  "finding":{"kind":"gateway_paused","subject":"sms","verdict":"warning",
                   "text":"is paused by an operator","since":"2026-01-01T00:00:02.000Z",
                   "advice":"`phoneproof gateways resume sms` when it may send again"},
                  "paused_since":"2026-01-01T00:00:02.000Z",
                  "this_instance":{"breaker":"open","requests":9,"accepted":4},
                  "messages":1,"delivered":1,"undelivered":0,
                  "milliseconds_to_acceptance":{"p50":300,"p95":300},
                  "milliseconds_to_delivery":{"p50":2000,"p95":2000}}],
                 "next_cursor":null,
                 "findings":[
                 {"kind":"no_gateway","subject":"messages","verdict":"error",
                  "text":"no gateway accepts messages: sms is paused by an operator",
                  "since":"2026-01-01T00:00:02.000Z",
                  "advice":"messages wait only until their codes expire: fix or resume a gateway, or add one"},
                 {"kind":"gateway_paused","subject":"sms","verdict":"error",
                  "text":"is paused by an operator","since":"2026-01-01T00:00:02.000Z",
                  "advice":"`phoneproof gateways resume sms` when it may send again"}]}
                """
            )
            try await desk.post("gateways/sms/pause").expect(409, code: "conflict")
            try await desk.post("gateways/other/pause").expect(404, code: "not_found")
            #expect(try await desk.post("gateways/sms/resume").status == 204)
            try await desk.post("gateways/sms/resume").expect(409, code: "conflict")
            func test(_ number: String, by gateway: String = "sms") async throws -> Answer {
                try await desk.post("gateways/\(gateway)/test", #"{"phone_number":"\#(number)","reason":"new"}"#)
            }
            try await test("010-1234-5678").expect(
                200,
                #"{"accepted":true,"phone_number":"+821012345678","gateway_message_id":"SM1","milliseconds":120,"failure":null}"#
            )
            try await test("010-1234-0000").expect(
                200,
                #"{"accepted":false,"phone_number":"+821012340000","gateway_message_id":null,"milliseconds":null,"failure":"no credit (402)"}"#
            )
            try await test("+1 212 555 0123").expect(403, code: "region_not_allowed")
            try await test("010-1234-5678", by: "other").expect(404, code: "not_found")
            for _ in 0..<8 { #expect(try await test("010-1234-5678").status == 200) }
            try await test("010-1234-5678").expect(429, code: "rate_limited")
            #expect(
                try await desk.trail().prefix(4) == [
                    "pause_gateway sms: ticket 7", "resume_gateway sms: ticket 7", "test_gateway sms: new",
                    "test_gateway sms: new",
                ]
            )
            #expect(try await desk.trail().count == 12)
        }
    }

    @Test func theGuardsModeIsSetOverTheSettingAndLevelsAreCompared() async throws {
        try await Self.run { desk in
            for index in 0..<3 {
                let body = #"{"phone_number":"010-1234-567\#(index)"}"#
                _ = try await desk.server.send("POST", "/v1/verifications", body)
            }
            let shown = try await desk.get("guard/policy")
            shown.expect(
                200,
                """
                {"mode":"enforce","mode_of_settings":"enforce","prefix_sample":20,"prefix_percent":15,
                 "country_sample":500,"country_percent":5,
                 "what_if":[
                 {"by":"prefix","level":null,"requested":3,"suppressed":0,"closed":0,"approved":0},
                 {"by":"prefix","level":"basic","requested":3,"suppressed":0,"closed":0,"approved":0},
                 {"by":"prefix","level":"standard","requested":3,"suppressed":0,"closed":0,"approved":0},
                 {"by":"prefix","level":"max","requested":3,"suppressed":0,"closed":0,"approved":0},
                 {"by":"country","level":null,"requested":3,"suppressed":0,"closed":0,"approved":0},
                 {"by":"country","level":"basic","requested":3,"suppressed":0,"closed":0,"approved":0},
                 {"by":"country","level":"standard","requested":3,"suppressed":0,"closed":0,"approved":0},
                 {"by":"country","level":"max","requested":3,"suppressed":0,"closed":0,"approved":0}]}
                """
            )
            let shadow = try await desk.post("guard/mode", #"{"mode":"shadow","reason":"people"}"#)
            #expect(shadow.text("mode") == "shadow")
            #expect(shadow.text("mode_of_settings") == "enforce")
            try await desk.post("guard/mode", #"{"mode":"shadow","reason":"people"}"#).expect(409, code: "conflict")
            try await desk.post("guard/mode", #"{"mode":"odd","reason":"x"}"#).expect(422, code: "invalid_request")
            #expect(try await desk.post("guard/mode", #"{"mode":null,"reason":"over"}"#).text("mode") == "enforce")
            #expect(
                try await desk.trail() == ["set_guard_mode shadow: people", "set_guard_mode as set: over"]
            )
        }
    }

    @Test func healthSaysWhatIsKnown() async throws {
        try await Self.run { desk in
            #expect(try await desk.post("gateways/sms/pause").status == 204)
            let started = desk.server.clock.now()
            let one = Instance(
                id: Instance.ID(bits: 0, 7),
                host: "web-1",
                process: 7,
                version: "1.0",
                startedAt: started,
                seenAt: started
            )
            try await desk.server.store.record(one)
            let answer = try await desk.get("health")
            let seen = try #require(try await desk.server.store.instances().first).seenAt
            #expect(
                answer.body.contains(
                    """
                    "instances":[{"id":"\(one.id)","host":"web-1","process":7,"version":"1.0",\
                    "started_at":"2026-01-01T00:00:00.000Z","seen_at":"\(seen)"}]
                    """
                )
            )
            #expect(
                answer.body.contains(#""encryption_keys":{"count":2,"changed_at":"2025-12-01T00:00:00.000Z"}"#)
            )
            #expect(answer.status == 200)
            let json = try #require(Exchange.json(answer.body.utf8))
            #expect(json["database"]?["engine"]?.scalarText == "SQLite")
            #expect(json["database"]?["schema_version"]?.scalarText == "1")
            #expect(answer.body.contains(#""api_keys":{"valid":1,"oldest_created_at":"2026-01-01T00:00:00.000Z"}"#))
            #expect(
                answer.body.contains(
                    #""overrides":[{"name":"gateway sms","value":"paused","since":"2026-01-01T00:00:00.000Z"}]"#
                )
            )
            #expect(
                answer.body.contains(
                    #""settings":[{"name":"retention","value":"30 days"}],"warnings":["a test"]"#
                )
            )
        }
    }

    @Test func limitsAndTheGuardAreShownAndChanged() async throws {
        try await Self.run { desk in
            _ = try await desk.server.send("POST", "/v1/verifications", #"{"phone_number":"010-1234-5678"}"#)
            #expect(try await desk.items("limits", "limit").contains("service-sends-1h"))
            let cleared = try await desk.post("limits/clear", #"{"limit":"service-sends-1h","reason":"a test"}"#)
            cleared.expect(200, #"{"cleared":"limit service-sends-1h"}"#)
            try await desk.post("limits/clear", #"{"phone_number":"010-1234-5678","reason":"a test"}"#)
                .expect(200, #"{"cleared":"the limits of +82 10-****-5678"}"#)
            #expect(try await desk.items("guard", "numbers") == [])
            #expect(try await desk.items("guard?all=true", "numbers") == ["+82101234", "KR"])
            #expect(try await desk.get("guard?all=true&limit=1").text("next_cursor") == "5 1 +82101234")
            #expect(try await desk.items("guard?all=true&limit=1&cursor=5%201%20%2B82101234", "numbers") == ["KR"])
            #expect(try await desk.items("guard?all=true&limit=1&cursor=5+1+%2B82101234", "numbers") == ["KR"])
            #expect(try await desk.items("guard?all=true&limit=1&cursor=5%201%20+82101234", "numbers") == ["KR"])
            try await desk.get("guard?cursor=5").expect(422, code: "invalid_request")
            let rule = #"{"prefix":"+8210123","action":"block","seconds":3600,"reason":"pumping"}"#
            try await desk.post("guard/rules", rule).expect(
                200,
                """
                {"prefix":"+8210123","action":"block","until":"2026-01-01T01:00:00.000Z",
                 "created_at":"2026-01-01T00:00:00.000Z"}
                """
            )
            #expect(try await desk.items("guard/rules", "prefix") == ["+8210123"])
            let explained = try await desk.get("guard/explain?phone_number=%2B821012345678")
            #expect(explained.text("verdict") == "block")
            #expect(explained.body.contains("a rule blocks these numbers"))
            try await desk.get("guard/reach?prefix=%2B8210").expect(
                200,
                #"{"prefix":"+8210","sent":1,"approved":0,"covers_calling_code":false}"#
            )
            for prefix in ["%2B82", "%2B8", "%2B1"] {
                let reach = try await desk.get("guard/reach?prefix=\(prefix)")
                #expect(reach.body.contains(#""covers_calling_code":true"#), "\(prefix)")
            }
            try await desk.get("guard/reach?prefix=82").expect(422, code: "invalid_request")
            let unblocked = try await desk.post("guard/unblock", #"{"subject":"+8210123","reason":"people"}"#)
            #expect(unblocked.body.contains(#""unblocked":[]"#))
            try await desk.post("guard/unblock", #"{"subject":"+8210123","reason":"people"}"#)
                .expect(404, code: "not_found")
            try await desk.post("guard/unblock", #"{"subject":"8210123","reason":"people"}"#)
                .expect(422, code: "invalid_request")
            #expect(
                try await desk.trail() == [
                    "clear_limit service-sends-1h: a test", "clear_number +82 10-****-5678: a test",
                    "block_prefix +8210123: pumping", "remove_rule +8210123: people",
                ]
            )
        }
    }

    @Test func keysAndClientsAreMadeAndRevoked() async throws {
        try await Self.run { desk in
            let made = try await desk.post("keys", #"{"name":"shop","scopes":["verifications"],"reason":"new"}"#)
            #expect(made.status == 201)
            let (id, secret) = (try #require(made.text("id")), try #require(made.text("secret")))
            let number = "/v1/phone-numbers/01012345678"
            #expect(try await desk.server.send("GET", number, token: secret).status == 200)
            #expect(try await desk.items("keys", "name") == ["desk", "shop"])
            #expect(try await desk.post("keys/\(id)/revoke").text("revoked_at") == "2026-01-01T00:00:00.000Z")
            #expect(try await desk.server.send("GET", number, token: secret).status == 401)
            try await desk.post("keys", #"{"name":"shop","scopes":["root"],"reason":"new"}"#)
                .expect(422, code: "invalid_request")

            let client = try await desk.post(
                "clients",
                #"{"name":"Shop","redirect_uris":["https://shop.example/back"],"reason":"new"}"#
            )
            #expect(client.status == 201)
            let clientID = try #require(client.text("id"))
            #expect(client.text("client_secret") != nil)
            for body in [
                #"{"name":"Shop","reason":"new"}"#,
                #"{"name":"Shop","redirect_uris":["http://x.example"],"reason":"n"}"#,
                #"{"name":"Shop","public":true,"scopes":["a"],"reason":"n"}"#,
            ] {
                #expect(try await desk.post("clients", body).status == 422, "\(body)")
            }
            let edited = try await desk.server.send(
                "PATCH",
                "/v1/admin/clients/\(clientID)",
                #"{"name":"Store","pkce_required":false,"reason":"renamed"}"#,
                token: desk.key
            )
            #expect(edited.text("name") == "Store")
            let rotated = try await desk.post(
                "clients/\(clientID)/rotate-secret",
                #"{"overlap_hours":1,"reason":"old"}"#
            )
            #expect(rotated.text("former_secret_ends_at") == "2026-01-01T01:00:00.000Z")
            #expect(try await desk.post("clients/\(clientID)/revoke").status == 200)
            try await desk.post("clients/\(clientID)/rotate-secret").expect(409, code: "conflict")
            #expect(try await desk.items("clients", "name") == ["Store"])
            #expect(
                try await desk.trail().map { String($0.prefix { $0 != " " }) } == [
                    "create_key", "revoke_key", "create_client", "update_client", "rotate_client_secret",
                    "revoke_client",
                ]
            )
        }
    }

    @Test func theAuditLogFiguresAndCostsAreShown() async throws {
        try await Self.run { desk in
            _ = try await desk.server.signIn()
            #expect(try await desk.items("audit?action=sign_up", "masked_number") == ["+82 10-****-5678"])
            #expect(try await desk.items("audit?phone_number=%2B821012345678&limit=1", "action") == ["sign_up"])
            let page = try await desk.get("audit?limit=1")
            let cursor = try #require(page.text("next_cursor"))
            #expect(try await desk.items("audit?limit=1&cursor=\(cursor)", "action") == ["approve"])
            #expect(try await desk.items("figures", "name") == [])
            _ = try await desk.server.store.rollUp(RollUp(now: desk.server.clock.now(), limit: 10, maxChecks: 5))
            try await desk.get("figures?by=caller").expect(
                200,
                """
                {"items":[
                 {"name":"signup","requested":1,"suppressed":0,"sent":0,"delivered":0,"checked":1,"approved":1,
                  "signed_up":1,"seconds_to_approval":{"p50":10,"p95":10},"cost":0.000000}],
                 "next_cursor":null}
                """
            )
            #expect(try await desk.items("figures?by=day&days=7", "name") == ["2026-01-01"])
            #expect(try await desk.items("figures?by=region", "name") == ["KR"])
            #expect(try await desk.items("costs?by=channel").count <= 1)
            #expect(try await desk.get("figures?by=odd").status == 422)
        }
    }
}
