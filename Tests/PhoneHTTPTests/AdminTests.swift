import PhoneAdministration
import PhoneDomain
import PhoneTestSupport
import Records
import Testing
import TextEncodings

/// `/v1/admin`. Every exchange is held to its document besides (``Contract``).
@Suite struct AdminTests {
    /// Its key is named `desk`.
    private struct Desk: Sendable {
        let server: TestServer
        let key: String

        init(_ server: TestServer) async throws {
            let name = try #require(CallerName("desk"))
            (self.server, key) = (server, try await server.keys.create(name: name, scopes: [.admin]).secret.text)
        }

        func get(_ path: String) async throws -> Answer {
            try await server.send("GET", "/v1/admin/" + path, token: key)
        }

        func post(_ path: String, _ body: String = #"{"reason":"ticket 7"}"#) async throws -> Answer {
            try await server.send("POST", "/v1/admin/" + path, body, token: key)
        }

        func items(_ path: String, _ member: String = "id") async throws -> [String] {
            let answer = try await get(path)
            let json = try #require(Exchange.json(answer.body.utf8))
            return (json["items"]?.array ?? []).map { $0[member]?.scalarText ?? "null" }
        }

        /// What it has done, oldest first.
        func trail() async throws -> [String] {
            var query = AuditQuery(limit: 50)
            query.owner = .caller(try #require(CallerName("desk")))
            return try await server.store.entries(query).entries.reversed().map {
                "\($0.action.rawValue) \($0.subject ?? $0.maskedNumber ?? "-"): \($0.reason?.description ?? "-")"
            }
        }
    }

    private static func run(_ work: @escaping @Sendable (Desk) async throws -> Void) async throws {
        try await TestServer.run { try await work(Desk($0)) }
    }

    private static let account = "acc_00000000000000000000000000000005"

    @Test func onlyAKeyOfTheScopeAdminIsServed() async throws {
        try await TestServer.run { server in
            let shop = try #require(CallerName("shop"))
            let weak = try await server.keys.create(name: shop, scopes: [.verifications, .accounts, .viewer, .support])
            for route in server.routes where route.contains("/v1/admin") {
                let parts = route.split(separator: " ").map(String.init)
                let path = parts[1].replacing("{id}", with: Self.account).replacing("{session}", with: "ses_1")
                    .replacing("{name}", with: "sms")
                // Not even a program on this machine, where none needs a key for other calls.
                let none = try await server.send(parts[0], path, #"{"reason":"x"}"#)
                #expect(none.status == 403, "\(route)")
                let refused = try await server.send(parts[0], path, #"{"reason":"x"}"#, token: weak.secret.text)
                #expect(refused.status == 403, "\(route)")
                #expect(refused.text("code") == "insufficient_scope")
            }
        }
    }

    @Test func aChangeWithoutAReasonIsRefused() async throws {
        try await Self.run { desk in
            _ = try await desk.server.signIn()
            for route in desk.server.routes where route.hasPrefix("POST /v1/admin") {
                let path = String(route.dropFirst("POST /v1/admin/".count)).replacing("{id}", with: Self.account)
                    .replacing("{name}", with: "sms")
                for body in ["{}", #"{"reason":""}"#, #"{"reason":"two\nlines"}"#, #"{"reason":7}"#] {
                    let answer = try await desk.post(path, body)
                    #expect(answer.status == 422, "\(route) \(body)")
                }
            }
            #expect(try await desk.trail() == [])
        }
    }

    @Test func anAccountIsFoundSuspendedRestoredAndSignedOut() async throws {
        try await Self.run { desk in
            let device = try await desk.server.signIn()
            try await desk.get("accounts?phone_number=010-1234-5678").expect(
                200,
                """
                {"items":[
                 {"id":"acc_00000000000000000000000000000005",
                  "phone_number":"+821012345678",
                  "national_format":"010-1234-5678",
                  "phone_number_verified":true,
                  "phone_number_since":"2026-01-01T00:01:00.000Z",
                  "created_at":"2026-01-01T00:01:00.000Z",
                  "last_active_at":"2026-01-01T00:01:00.000Z",
                  "metadata":{},
                  "deletion_due_at":null,
                  "consent":null,
                  "suspended_at":null}],
                 "next_cursor":null}
                """
            )
            #expect(try await desk.items("accounts?phone_number=%2B821099999999") == [])
            #expect(try await desk.items("accounts/\(Self.account)/sessions", "user_agent") == ["null"])
            let suspended = try await desk.post("accounts/\(Self.account)/suspend")
            #expect(suspended.status == 200)
            #expect(suspended.text("suspended_at") == "2026-01-01T00:01:00.000Z")
            #expect(try await desk.server.send("GET", "/v1/accounts/me", token: device.accessToken).status == 401)
            let refused = try await desk.server.signUp()
            refused.expect(403, code: "account_suspended")
            let again = try await desk.post("accounts/\(Self.account)/suspend")
            again.expect(409, code: "conflict")
            #expect(try await desk.post("accounts/\(Self.account)/restore").text("suspended_at") == nil)
            #expect(try await desk.server.signUp().status == 200)
            #expect(try await desk.post("accounts/\(Self.account)/sign-out").status == 200)
            #expect(try await desk.items("accounts/\(Self.account)/sessions") == [])
            #expect(
                try await desk.trail() == [
                    "suspend_account \(Self.account): ticket 7", "restore_account \(Self.account): ticket 7",
                    "sign_out \(Self.account): ticket 7",
                ]
            )
        }
    }

    @Test func anAccountIsEditedMovedExportedDeletedAndErased() async throws {
        try await Self.run { desk in
            _ = try await desk.server.signIn()
            let edited = try await desk.server.send(
                "PATCH",
                "/v1/admin/accounts/\(Self.account)",
                #"{"metadata":{"plan":"free"},"reason":"downgraded"}"#,
                token: desk.key
            )
            #expect(edited.body.contains(#""metadata":{"plan":"free"}"#))
            let moved = try await desk.post(
                "accounts/\(Self.account)/change-number",
                #"{"phone_number":"010-8765-4321","reason":"lost"}"#
            )
            #expect(moved.text("phone_number") == "+821087654321")
            let bad = try await desk.post(
                "accounts/\(Self.account)/change-number",
                #"{"phone_number":"12","reason":"lost"}"#
            )
            bad.expect(422, code: "invalid_request")
            let exported = try await desk.post("accounts/\(Self.account)/export")
            #expect(exported.status == 200)
            #expect(exported.body.contains(#""exported_at""#))
            #expect(try await desk.post("accounts/\(Self.account)/delete").status == 202)
            let erased = try await desk.post(
                "phone-numbers/erase",
                #"{"phone_number":"+821087654321","reason":"asked"}"#
            )
            #expect(erased.body.hasPrefix(#"{"accounts":1,"sessions":"#))
            try await desk.get("accounts/\(Self.account)").expect(404, code: "not_found")
            #expect(
                try await desk.trail().map { String($0.prefix { $0 != " " }) } == [
                    "update_account", "leave_number", "change_number", "export_account", "request_deletion", "erase",
                ]
            )
        }
    }

    @Test func aChangeOfNumberIsUndoneForTheOwnerOfTheOldOne() async throws {
        try await Self.run { desk in
            let device = try await desk.server.signIn()
            _ = try await desk.server.changeNumber(device)
            let path = "accounts/\(Self.account)/undo-number-change"
            try await desk.post(path, #"{"change_id":"chg_1","reason":"theft"}"#).expect(422, code: "invalid_request")
            let other = #"{"change_id":"chg_000000000000000000000000000000ff","reason":"theft"}"#
            try await desk.post(path, other).expect(409, code: "conflict")
            #expect(try await desk.trail() == [])
            let undone = try await desk.post(path, #"{"reason":"theft"}"#)
            #expect(undone.text("phone_number") == "+821012345678")
            #expect(try await desk.server.send("GET", "/v1/accounts/me", token: device.accessToken).status == 401)
            try await desk.post(path, #"{"reason":"theft"}"#).expect(409, code: "conflict")
            #expect(
                try await desk.trail() == [
                    "undo_change +82 10-****-5678: theft", "leave_number +82 10-****-4321: theft",
                ]
            )
        }
    }

    @Test func deliveriesAreListedAndAFailedOneIsSentAgain() async throws {
        try await Self.run { desk in
            let server = desk.server
            _ = try await server.send("POST", "/v1/verifications", #"{"phone_number":"010-1234-5678"}"#)
            let begun = try await server.send("POST", "/v1/verifications", #"{"phone_number":"010-8765-4321"}"#)
            let id = try #require(begun.text("id"))
            #expect(try await desk.items("verifications", "phone_number") == ["+821087654321", "+821012345678"])
            #expect(try await desk.items("verifications?phone_number=%2B821087654321&owner=local") == [id])
            #expect(try await desk.items("verifications?status=approved") == [])
            let page = try await desk.get("verifications?limit=1")
            #expect(page.text("next_cursor") == id)
            #expect(try await desk.items("verifications?limit=1&cursor=\(id)", "phone_number") == ["+821012345678"])
            let shown = try await desk.get("verifications/\(id)")
            #expect(shown.body.contains(#""messages":[{"id":"msg_"#))
            #expect(try await desk.items("messages?status=queued", "phone_number").count == 2)
            let message = try #require(try await desk.items("messages?verification=\(id)").first)
            try await desk.post("messages/\(message)/retry").expect(409, code: "conflict")
            let claims = try await server.store.claim(limit: 9, at: server.clock.now(), until: server.clock.now())
            _ = try await server.store.settle(
                claims.map {
                    SettleMessage(
                        id: $0.message.id,
                        attempt: $0.message.attempts,
                        result: .failed("no credit"),
                        now: server.clock.now()
                    )
                }
            )
            #expect(try await desk.items("messages?status=failed&failure=no%20credit").count == 2)
            // Its verification failed with it.
            try await desk.post("messages/\(message)/retry").expect(
                202,
                #"{"id":"\#(message)","status":"queued"}"#
            )
            #expect(try await desk.items("messages?status=queued") == [message])
            let all = #"{"status":"failed","failure":"no credit","reason":"funded"}"#
            try await desk.post("messages/retry", all).expect(202, #"{"queued":1}"#)
            try await desk.post("messages/retry", all).expect(409, code: "conflict")
            for status in ["sent", "odd"] {
                let answer = try await desk.post("messages/retry", #"{"status":"\#(status)","reason":"x"}"#)
                answer.expect(422, code: "invalid_request")
            }
            #expect(try await desk.items("webhooks") == [])
            let unknown = try await desk.post(
                "webhooks/evt_verification_approved_\(String(repeating: "0", count: 32))/redeliver"
            )
            unknown.expect(404, code: "not_found")
            for path in [
                "verifications?status=odd", "messages?cursor=x", "messages?since=noon", "verifications?owner=x",
                "verifications?account=acc_1", "messages?limit=0", "audit?cursor=x",
            ] {
                #expect(try await desk.get(path).status == 422, "\(path)")
            }
        }
    }

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
                 {"name":"sms","channels":["sms"],"paused_since":"2026-01-01T00:00:02.000Z",
                  "this_instance":{"breaker":"open","requests":9,"accepted":4},
                  "messages":1,"delivered":1,"undelivered":0,
                  "milliseconds_to_acceptance":{"p50":300,"p95":300},
                  "milliseconds_to_delivery":{"p50":2000,"p95":2000}}],
                 "next_cursor":null}
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
                #"{"accepted":true,"gateway_message_id":"SM1","milliseconds":120,"failure":null}"#
            )
            try await test("010-1234-0000").expect(
                200,
                #"{"accepted":false,"gateway_message_id":null,"milliseconds":null,"failure":"no credit (402)"}"#
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
            _ = try await desk.server.store.rollUp(RollUp(now: desk.server.clock.now(), limit: 10))
            try await desk.get("figures?by=caller").expect(
                200,
                """
                {"items":[
                 {"name":"signup","requested":1,"suppressed":0,"sent":1,"delivered":0,"checked":1,"approved":1,
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
