import CoreEncodings
import DockTestSupport
import PhoneAccounts
import PhoneAdministration
import PhoneDomain
import PhoneHTTP
import PhoneService
import PhoneSignup
import PhoneStore
import PhoneTestSupport
import Testing

@testable import Passkeys

@Suite struct PasskeyServerTests {
    private static func expectRefused(_ answer: Server.Answer, _ fault: CeremonyFault) {
        #expect(answer.status == 422)
        #expect(answer.text("detail") == "credential \(fault.rawValue).")
    }

    @Test func `without its setting there are no routes and no page`() async throws {
        try await Server.run(settings: [:]) { server in #expect(server.routes == []) }
        try await Server.run { server in
            #expect(
                server.routes == [
                    "POST /v1/passkeys/sign-in/options", "POST /v1/passkeys/sign-in", "GET /v1/passkeys",
                    "POST /v1/passkeys",
                    "POST /v1/passkeys/options", "PATCH /v1/passkeys/{id}", "DELETE /v1/passkeys/{id}",
                    "POST /v1/passkeys/{id}/confirm", "GET /v1/admin/accounts/{account}/passkeys",
                    "POST /v1/admin/accounts/{account}/passkeys/{id}/remove",
                ]
            )
        }
    }

    @Test func `options ask for a discoverable key with the person verified, and for no attestation`() async throws {
        try await Server.withPasskey { _, person, _ in
            let options = try #require(JSON(parsing: try await person.send("POST", "/options").body))
            let challenge = try #require(options["challenge"]?.string)
            #expect([UInt8](.base64URL, challenge.utf8)?.count == 54)
            #expect(
                options.with("challenge", nil) == [
                    "rp": ["id": "phone.example", "name": "phone.example"],
                    "user": [
                        "id": .string(person.account.id.bytes.base64URL), "name": "+82 10-1234-5678",
                        "displayName": "+82 10-1234-5678",
                    ],
                    "pubKeyCredParams": [["type": "public-key", "alg": -7], ["type": "public-key", "alg": -257]],
                    "timeout": 300_000,
                    "excludeCredentials": [
                        ["type": "public-key", "id": .string(Person.keyID), "transports": ["internal"]]
                    ],
                    "authenticatorSelection": [
                        "residentKey": "required", "requireResidentKey": true, "userVerification": "required",
                    ],
                    "attestation": "none",
                ]
            )
        }
    }

    @Test func `a person signs in by a passkey, and has a session of its own`() async throws {
        try await Server.withPasskey { server, person, device in
            server.clock.advance(by: .seconds(60))
            let answer = try await server.signIn(device)
            #expect(answer.status == 200)
            #expect(answer.text("phone_number") == "+821012345678")
            #expect(answer.text("id") == person.account.id.description)
            let token = try #require(answer.text("access_token"))
            let session = try await server.accounts.signedIn(by: SecretToken(token)).session
            #expect(session.proof == .key)
            #expect(session.id != person.signedIn.session.id)
            #expect(session.createdAt == server.clock.now())
            #expect(await server.store.acts.suffix(2) == ["add_sign_in_key -", "sign_in_by_key -"])
            #expect(try await person.passkeys().map(\.lastUsedAt) == [server.clock.now()])
        }
    }

    @Test func `step 8 of 7_1 and 12 of 7_2: a challenge is for one session, for minutes, and once`() async throws {
        try await Server.run { server in
            let (person, other) = (try await Person(server), try await Person(server, "010-8765-4321"))
            func register(_ challenge: String, _ id: String, _ who: Person) async throws -> Server.Answer {
                try await who.register(SoftAuthenticator(id: Array(id.utf8)).create(challenge))
            }
            let made = try await person.challenge()
            Self.expectRefused(try await register(made, "a", other), .challenge)
            for wrong in [
                try await server.challenge(), String(made.dropLast()), "A" + made.dropFirst(),
                made.dropLast(24) + String(repeating: "A", count: 24), "",
            ] {
                #expect(try await register(wrong, "a", person).status == 422)
            }
            #expect(try await register(made, "a", person).status == 201)
            #expect(try await register(made, "b", person).status == 422)

            let late = try await person.challenge()
            let device = SoftAuthenticator(id: Array("a".utf8), userHandle: person.account.id.bytes)
            let lateProof = try device.get(try await server.challenge())
            server.clock.advance(by: .seconds(300))
            #expect(try await register(late, "c", person).status == 422)
            #expect(try await server.signIn(lateProof).body == Server.sameRefusal)
            // That of a registration signs nobody in.
            #expect(try await server.signIn(device.get(person.challenge())).status == 401)
            #expect(try await server.signIn(device).status == 200)
        }
    }

    @Test func `step 22 of 7_1: a key is registered once, whoever asks`() async throws {
        try await Server.withPasskey { server, person, device in
            for who in [person, try await Person(server, "010-8765-4321")] {
                Self.expectRefused(try await who.register(device), .known)
            }
        }
    }

    @Test func `a replayed assertion signs nobody in, and does not count against the account`() async throws {
        try await Server.withPasskey { server, _, device in
            let proof = try device.get(try await server.challenge())
            #expect(try await server.signIn(proof).status == 200)
            for _ in 0..<62 { #expect(try await server.signIn(proof).body == Server.sameRefusal) }
            // Of many at once one signs in.
            let again = try device.get(try await server.challenge())
            let statuses = try await atOnce(20) { _ in try await server.signIn(again).status }
            #expect(statuses.count { $0 == 200 } == 1)
        }
    }

    @Test func `a counter that does not go on signs nobody in`() async throws {
        try await Server.withPasskey { server, _, device in
            var device = device
            device.counter = 10
            let first = try await server.signIn(device)
            #expect(first.status == 200)
            #expect(try await server.signIn(device).body == Server.sameRefusal)
            device.counter = 11
            #expect(try await server.signIn(device).status == 200)
        }
    }

    @Test func `a page of another origin gets nobody signed in`() async throws {
        try await Server.withPasskey { server, _, device in
            var device = device
            device.origin = "https://phone.example.evil.example"
            Self.expectRefused(try await server.signIn(device), .origin)
            (device.origin, device.relyingParty) = (SoftAuthenticator.origin, "evil.example")
            Self.expectRefused(try await server.signIn(device), .relyingParty)
        }
    }

    @Test func `the passkey of a deleted account signs nobody in, and is deleted with it`() async throws {
        try await Server.withPasskey { server, person, device in
            _ = try await server.accounts.requestDeletion(of: person.signedIn, from: nil)
            server.clock.advance(by: .seconds(14 * 86_400))
            #expect(try await server.signIn(device).body == Server.sameRefusal)
            let command = DeleteAccount(person.account.id, digester: PlainNumberDigester(), now: server.clock.now())
            #expect(try await server.store.delete(command))
            #expect(try await person.passkeys() == [])
            #expect(try await server.signIn(device).body == Server.sameRefusal)
        }
    }

    @Test func `a passkey brings back who asked for a deletion, as a code does`() async throws {
        try await Server.withPasskey { server, person, device in
            _ = try await server.accounts.requestDeletion(of: person.signedIn, from: nil)
            #expect(try await server.signIn(device).status == 200)
            #expect(try await server.store.account(person.account.id)?.deletionDueAt == nil)
        }
    }

    @Test func `passkeys go with the number, and no other person's`() async throws {
        try await Server.withPasskey { server, person, device in
            let kept = try await Person(server, "010-8765-4321").device()
            let number = try #require(person.account.phoneNumber)
            let command = try EraseNumber(number, digester: PlainNumberDigester(), now: server.clock.now())
            #expect(try await server.store.erase(command).rows["passkey"] == 1)
            #expect(try await person.passkeys() == [])
            #expect(try await server.signIn(device).body == Server.sameRefusal)
            #expect(try await server.signIn(kept).status == 200)
        }
    }

    @Test func `a suspended account has no way in by a passkey`() async throws {
        try await Server.withPasskey { server, person, device in
            try await server.store.execute(.change) { records in
                try records.edit(Account.self, person.account.id) { $0?.suspendedAt = Timestamp(seconds: 1) }
            }
            let refused = try await server.signIn(device)
            #expect((refused.status, refused.text("code")) == (403, "account_suspended"))
        }
    }

    @Test func `nothing says whether a key or a number is known`() async throws {
        try await Server.withPasskey { server, _, device in
            for body in [nil, #"{"phone_number":"+821012345678"}"#] {
                let options = try await server.send("POST", "/v1/passkeys/sign-in/options", body)
                #expect(
                    JSON(parsing: options.body)?.with("challenge", nil) == [
                        "timeout": 300_000, "rpId": "phone.example", "allowCredentials": [],
                        "userVerification": "required",
                    ]
                )
            }
            var device = device
            device.spoilsSignature = true
            #expect(try await server.signIn(device).body == Server.sameRefusal)
            device.id = Array("another".utf8)
            #expect(try await server.signIn(device).body == Server.sameRefusal)
        }
    }

    @Test func `a key that is added by a clock which is behind signs in`() async throws {
        try await Server.run { server in
            let person = try await Person(server)
            try await server.store.transact { records in
                try records.run("UPDATE account SET phone_number_since = phone_number_since + 3000")
                try records.run("UPDATE session SET created_at = created_at + 3000")
            }
            let device = try await person.device()
            #expect(try await person.send("GET", "").text("id") == Person.keyID)
            server.clock.advance(by: .seconds(3))
            #expect(try await server.signIn(device).status == 200)
        }
    }

    @Test func `passkeys are listed, renamed and removed by their owner alone`() async throws {
        try await Server.withPasskey { server, person, _ in
            let (other, path) = (try await Person(server, "010-8765-4321"), "/" + Person.keyID)
            #expect(
                try await person.send("GET", "").body
                    == json(
                        """
                        {"passkeys":[{"id":"\(Person.keyID)",
                        "name":"Passkey",
                        "is_valid":true,
                        "is_backed_up":false,
                        "created_at":"2026-01-01T00:00:00.000Z",
                        "last_used_at":null}]}
                        """
                    )
            )
            for (method, body) in [("PATCH", #"{"name":"Mine"}"#), ("DELETE", nil)] {
                #expect(try await other.send(method, path, body).status == 404)
                #expect(try await server.send(method, "/v1/passkeys" + path, body).status == 401)
            }
            #expect(try await person.send("PATCH", path, #"{"name":"Anna's phone"}"#).status == 204)
            for name in ["", " x", "a\u{202E}b", String(repeating: "a", count: 41)] {
                #expect(try await person.send("PATCH", path, (["name": .string(name)] as JSON).text).status == 422)
            }
            #expect(try await person.send("GET", "").text("name") == "Anna's phone")
            #expect(try await person.send("DELETE", path).status == 204)
            #expect(try await person.send("DELETE", path).status == 404)
            #expect(try await person.send("GET", "").body == #"{"passkeys":[]}"#)
            #expect(await server.store.acts.suffix(1) == ["remove_sign_in_key -"])
        }
    }

    @Test func `a passkey is in the export, without its key`() async throws {
        try await Server.withPasskey { server, person, _ in
            let data = try await server.accounts.personalData(of: person.signedIn)
            #expect(data.others.map(\.kind) == ["passkey"])
            #expect(
                data.others.first?.fields.map(\.name) == [
                    "id", "algorithm", "counter", "backup_eligible", "backed_up", "transports", "name", "created_at",
                    "confirmed_at", "last_used_at",
                ]
            )
        }
    }

    @Test func `an account signs in by its passkeys a bounded number of times`() async throws {
        try await Server.withPasskey { server, _, device in
            var statuses: [Int] = []
            for _ in 0..<61 { statuses.append(try await server.signIn(device).status) }
            #expect(statuses == [Int](repeating: 200, count: 60) + [429])
        }
    }

    @Test func `of many keys that come at once no more are added than there may be`() async throws {
        try await Server.run { server in
            let person = try await Person(server)
            var all: [JSON] = []
            for serial in 0..<UInt8(2 * Passkey.most) {
                all.append(try SoftAuthenticator(id: [serial]).create(try await person.challenge()))
            }
            let refused = try await atOnce(all) { try await person.register($0) }.filter { $0.status != 201 }
            #expect(refused.count == Passkey.most)
            for answer in refused { Self.expectRefused(answer, .tooMany) }
            #expect(try await person.passkeys().count == Passkey.most)
        }
    }

    @Test func `an address fails a bounded number of times, and signs in as often as it likes`() async throws {
        var abuse = AbusePolicy.standard
        abuse.limits.checksByAddress = [RateLimit("3/1h")].compactMap(\.self)
        try await Server.run(
            abusePolicy: abuse,
            settings: ["PHONEPROOF_PASSKEYS_ENABLED": "true"],
            proxies: TrustedProxies(blocks: [try #require(AddressBlock("127.0.0.1"))], header: .xForwardedFor)
        ) { server in
            let device = try await Person(server).device()
            var (wrong, statuses) = (device, [Int]())
            wrong.spoilsSignature = true
            for _ in 0..<5 { statuses.append(try await server.signIn(device, from: "203.0.113.7")) }
            for _ in 0..<4 { statuses.append(try await server.signIn(wrong, from: "203.0.113.7")) }
            #expect(statuses == [200, 200, 200, 200, 200, 401, 401, 401, 429])
            #expect(try await server.signIn(device, from: "203.0.113.8") == 200)
        }
    }

    private static func useless(for domain: String) -> [String] {
        [
            "browsers have no passkeys for \(domain) at https://account.example.com; name its host or a domain above it, "
                + "with a dot (passkeys.rp_id)"
        ]
    }

    @Test(
        arguments: [
            (["RP_ID": "example.com"], []), (["RP_ID": "account.example.com"], []), ([:], []),
            (["RP_ID": "other.org"], useless(for: "other.org")), (["RP_ID": "com"], useless(for: "com")),
            (
                ["RP_ID": "count.example.com", "ORIGINS": "https://account.example.com,https://count.example.com"],
                useless(for: "count.example.com")
            ),
            (
                ["RP_ID": "example.com", "ORIGINS": "https://shop.example.com"],
                [
                    "passkeys of the service's own pages are refused; add https://account.example.com to the others "
                        + "(passkeys.origins)"
                ]
            ),
            (
                ["TOKENS_ISSUER": "https://192.0.2.7"],
                [
                    "browsers have passkeys for a domain alone, and there is none; set tokens.issuer to a URL with one "
                        + "(passkeys.enabled)"
                ]
            ),
        ] as [([String: String], [String])]
    )
    func `settings that leave browsers without passkeys are warned of`(
        settings: [String: String],
        warnings: [String]
    ) throws {
        var environment = ["PHONEPROOF_PASSKEYS_ENABLED": "true"]
        environment["PHONEPROOF_TOKENS_ISSUER"] = settings["TOKENS_ISSUER"] ?? "https://account.example.com"
        for (name, value) in settings where name != "TOKENS_ISSUER" {
            environment["PHONEPROOF_PASSKEYS_" + name] = value
        }
        let passkeys = Passkeys(try SettingsReader(file: nil, environment: environment))
        #expect(passkeys.findings.filter { $0.verdict == .doubtful }.map(\.text) == warnings)
    }

    @Test func `a key is added soon after signing in, or after signing in again`() async throws {
        try await Server.run(["PHONEPROOF_PASSKEYS_FRESH_PROOF_MINUTES": "10"]) { server in
            var person = try await Person(server)
            server.clock.advance(by: .milliseconds(599_999))
            let device = try await person.device()
            server.clock.advance(by: .milliseconds(1))
            let another = SoftAuthenticator(id: Array("another".utf8))
            let refused = try await person.register(another)
            #expect((refused.status, refused.text("code")) == (403, "reauthentication_required"))
            person.token = try #require(try await server.signIn(device).text("access_token"))
            #expect(try await person.register(another).status == 201)
        }
    }

    @Test func `an operator lists and removes the passkeys of an account`() async throws {
        try await Server.withPasskey { server, person, device in
            func path(_ account: Account.ID) -> String { "/v1/admin/accounts/\(account)/passkeys" }
            func send(_ method: String, _ path: String, _ body: String?, _ scope: APIScope) async throws
                -> Server.Answer
            {
                let name = try #require(CallerName("desk"))
                let secret = try await server.keys.create(name: name, scopes: [scope]).secret.text
                return try await server.send(method, path, body, headers: ["Authorization": "Bearer \(secret)"])
            }
            let (own, lost) = (path(person.account.id), #"{"reason":"lost phone"}"#)
            #expect(try await server.send("GET", own).status == 401)
            #expect(try await send("GET", own, nil, .support).status == 403)
            #expect(try await send("GET", own, nil, .admin).text("id") == Person.keyID)
            for (account, body, scope, status) in [
                (Account.ID(bits: 1, 2), lost, .admin, 404), (person.account.id, "{}", .admin, 422),
                (person.account.id, lost, .support, 403), (person.account.id, lost, .admin, 204),
            ] as [(Account.ID, String, APIScope, Int)] {
                let answer = try await send("POST", path(account) + "/\(Person.keyID)/remove", body, scope)
                #expect(answer.status == status)
            }
            #expect(try await server.signIn(device).status == 401)
            let entry = try await server.store.entries(AuditQuery(limit: 1)).entries.first
            #expect(entry?.action == .removeSignInKey)
            #expect(entry?.reason?.description == "lost phone")
            #expect(entry?.subject == person.account.id.description)
        }
    }

    @Test func `records are stored as they are by both descriptions`() throws {
        var device = SoftAuthenticator()
        device.flags = 0x1D
        let registration = try Registration(device.create("AAAA"), at: RegistrationTests.site)
        var passkey = Passkey(
            registration,
            of: Account.ID(bits: 1, 2),
            name: try #require(PasskeyName("애나의 폰")),
            at: Timestamp(seconds: 1)
        )
        #expect(try Passkey(Row(passkey)) == passkey)
        passkey.lastUsedAt = Timestamp(seconds: 2)
        #expect(try Passkey(Row(passkey)) == passkey)
    }
}
