import CoreEncodings
import PhoneAccounts
import PhoneAdministration
import PhoneDomain
import PhoneStore
import PhoneTestSupport
import Testing

/// `/v1/admin`. Every exchange is held to its document besides (``Contract``).
@Suite struct AdminTests {
    /// Its key is named `desk`.
    struct Desk: Sendable {
        let server: TestServer
        let key: String

        init(_ server: TestServer) async throws {
            (self.server, key) = (server, try await server.key("desk", [.admin]))
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

    static func run(_ work: @escaping @Sendable (Desk) async throws -> Void) async throws {
        try await TestServer.run { try await work(Desk($0)) }
    }

    private static let account = "acc_00000000000000000000000000000005"

    @Test func onlyAKeyOfTheScopeAdminIsServed() async throws {
        try await TestServer.run { server in
            let weak = try await server.key("shop", [.verifications, .accounts, .viewer, .support])
            for route in server.routes where route.contains("/v1/admin") {
                let parts = route.split(separator: " ").map(String.init)
                let path = parts[1].replacing("{id}", with: Self.account).replacing("{session}", with: "ses_1")
                    .replacing("{name}", with: "sms")
                // Not even a program on this machine, where none needs a key for other calls.
                let none = try await server.send(parts[0], path, #"{"reason":"x"}"#)
                #expect(none.status == 403, "\(route)")
                let refused = try await server.send(parts[0], path, #"{"reason":"x"}"#, token: weak)
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

    @Test func peopleAreMadeImportedAndExported() async throws {
        try await Self.run { desk in
            let anna =
                #""phone_number":"010-1111-1111","region":"KR","external_id":"u1","created_at":"2024-01-02T03:04:05.000Z""#
            let made = try await desk.post("accounts", #"{\#(anna),"metadata":{"plan":"free"},"reason":"moved"}"#)
            #expect(made.status == 201)
            let id = try #require(made.text("id"))
            let account =
                #"{"id":"\#(id)","phone_number":"+821011111111","national_format":"010-1111-1111","#
                + #""phone_number_verified":true,"phone_number_since":"2024-01-02T03:04:05.000Z","#
                + #""created_at":"2024-01-02T03:04:05.000Z","last_active_at":"2026-01-01T00:00:00.000Z","#
                + #""metadata":{"plan":"free"},"deletion_due_at":null,"consent":null,"external_id":"u1","#
                + #""suspended_at":null}"#
            #expect(made.body == account)
            let again = try await desk.post("accounts", #"{\#(anna),"metadata":{"plan":"free"},"reason":"moved"}"#)
            #expect((again.status, again.body) == (201, account))
            let other = #"{"phone_number":"010-1111-1111","external_id":"u2","reason":"moved"}"#
            try await desk.post("accounts", other).expect(409, code: "conflict")
            #expect(try await desk.items("accounts?external_id=u1") == [id])
            #expect(try await desk.items("accounts?external_id=u2") == [])
            let ben = #""phone_number":"010-2222-2222""#
            for wrong in [
                #""phone_number":"1""#, #""external_id":"x""#, #"\#(ben),"external_id":"é""#,
                #"\#(ben),"created_at":"yesterday""#, #"\#(ben),"created_at":"2026-01-02T00:00:00.000Z""#,
                #"\#(ben),"id":"acc_1""#, #"\#(ben),"consent":{"version":"1"}"#,
            ] {
                #expect(try await desk.post("accounts", "{\(wrong),\"reason\":\"x\"}").status == 422, "\(wrong)")
            }
            let deep = String(repeating: "[", count: 9) + String(repeating: "]", count: 9)
            let batch =
                #"{"items":[{\#(anna)},{"phone_number":"02-312-3456"},{"phone_number":"5"},{\#(ben),"#
                + #""metadata":{"a":\#(deep)}}],"region":"KR","on_conflict":"skip","reason":"moved"}"#
            let imported = try await desk.post("accounts/import", batch)
            let second = try #require(try await desk.items("accounts?phone_number=02-312-3456").first)
            #expect(
                imported.body
                    == #"{"results":[{"status":"unchanged","id":"\#(id)","region":"KR"},"#
                    + #"{"status":"created","id":"\#(second)","region":"KR"},{"status":"failed","#
                    + #""detail":"phone_number is no phone number; write it with + and country code."},"#
                    + #"{"status":"failed","detail":"metadata must not be nested deeper than 8 levels."}]}"#
            )
            let people = String(repeating: "{},", count: 501).dropLast()
            for wrong in [
                #""items":{}"#, #""items":[7]"#, #""items":[\#(people)]"#, #""items":[],"on_conflict":"x""#,
                #""items":[],"region":"XX""#,
            ] {
                let answer = try await desk.post("accounts/import", "{\(wrong),\"reason\":\"x\"}")
                #expect(answer.status == 422, "\(wrong)")
            }
            let page = try await desk.post("accounts/export", #"{"limit":1,"reason":"moving"}"#)
            #expect(page.body.hasPrefix(#"{"items":[{"id":"\#(second)""#))
            let cursor = try #require(page.text("next_cursor"))
            let last = try await desk.post("accounts/export", #"{"cursor":"\#(cursor)","reason":"moving"}"#)
            #expect(last.body == #"{"items":[\#(account)],"next_cursor":null}"#)
            #expect(try await desk.post("accounts/export", #"{"cursor":"x","reason":"moving"}"#).status == 422)
            #expect(
                try await desk.trail() == [
                    "import_account \(id): moved", "import_account \(second): moved",
                    "export_accounts 1 accounts: moving", "export_accounts 1 accounts: moving",
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
            erased.expect(
                200,
                """
                {"accounts":1,"sessions":1,"number_changes":0,"verifications":1,"messages":1,"signups":1,
                 "number_activities":0,"guard_rules":0,"limit_meters":0,"answers":0,"account_metadata":0,
                 "audit_entries":6,"files_are_clean":true,"hindrance":null,"remains":null}
                """
            )
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

    @Test func verificationsAreFoundAndCountedByTheirClientsWords() async throws {
        try await Self.run { desk in
            for (last, words) in ["", #","reference":"a b","tags":{"plan":"free"}"#, #","reference":"c""#].enumerated()
            {
                let body = #"{"phone_number":"010-1234-567\#(last)"\#(words)}"#
                #expect(try await desk.server.send("POST", "/v1/verifications", body).status == 201)
            }
            for (query, found) in [
                ("", ["+821012345672", "+821012345671", "+821012345670"]), ("?reference=a%20b", ["+821012345671"]),
                ("?tag=plan:free", ["+821012345671"]), ("?tag=plan:f", []), ("?reference=c", ["+821012345672"]),
                ("?reference=c&tag=plan:free", []),
            ] {
                #expect(try await desk.items("verifications" + query, "phone_number") == found, "\(query)")
                // The IDs of these have no time, by which others are found.
                if query.contains("reference") {
                    let requested = found.isEmpty ? [] : ["\(found.count)"]
                    #expect(try await desk.items("figures" + query, "requested") == requested, "\(query)")
                }
            }
            for path in [
                "verifications?tag=free", "verifications?tag=:free", "figures?tag=plan:", "figures?reference=%0A",
            ] {
                #expect(try await desk.get(path).status == 422, "\(path)")
            }
            let entry = try #require(Exchange.json(try await desk.get("audit").body.utf8)?["items"]?.array?[1])
            #expect((entry["reference"], entry["tags"]) == ("a b", ["plan": "free"]))
            #expect(entry["measure"]?["prefix"] == ["sent": 1, "approved": 0, "budget": 20])
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
            try await desk.post("messages/retry", all).expect(202, #"{"queued":1,"refused":0}"#)
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
}
