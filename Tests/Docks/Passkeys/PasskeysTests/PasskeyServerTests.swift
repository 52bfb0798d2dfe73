import CoreEncodings
import DockTestSupport
import PhoneAccounts
import PhoneAdministration
import PhoneDomain
import PhoneHTTP
import PhoneNumbers
import PhoneService
import PhoneSignup
import PhoneStore
import PhoneTestSupport
import Testing

@testable import OpenSSLCrypto
@testable import Passkeys

typealias Server = DockServer<Passkeys>

/// A person with a phone, signed in by a code.
struct Person {
    let server: Server
    var number = "010-1234-5678"
    private(set) var account: Account
    private(set) var session: Session
    var token: String

    init(_ server: Server, _ number: String = "010-1234-5678") async throws {
        (self.server, self.number) = (server, number)
        let context = RequestContext(owner: .local, region: .korea, language: .english)
        let begun = try await server.useCase.begin(PhoneNumber(parsing: number, region: .korea), context: context)
        let secret = SecretToken("secret of \(number) \(begun.verification.id)")
        let opening = try server.accounts.opening(of: begun.verification.id, by: secret, userAgent: nil)
        let options = CheckOptions(opening: opening)
        let signedUp = try await server.useCase.signUp("314159", for: begun.verification.id, options, context: context)
        let tokens = try #require(try await server.accounts.tokens(of: signedUp, by: secret))
        (account, session) = (tokens.signedIn.account, tokens.signedIn.session)
        token = tokens.accessToken.text
    }

    /// - Returns: the answer to a request of this person's.
    func send(_ method: String, _ path: String, _ body: String? = nil) async throws -> Server.Answer {
        try await server.send(method, "/v1/passkeys\(path)", body, headers: ["Authorization": "Bearer \(token)"])
    }

    func changeNumber(to text: String) async throws {
        let context = RequestContext(owner: .session(session.id), region: .korea, language: .english)
        let number = try PhoneNumber(parsing: text, region: .korea)
        let id = try await server.useCase.begin(number, context: context).verification.id
        _ = try await server.useCase.check("314159", for: id, context: context) { check throws(PhoneFailure) in
            try await server.accounts.changeNumber(by: check)
        }
    }

    func register(_ device: SoftAuthenticator, name: String? = nil) async throws -> Server.Answer {
        let challenge = try #require(try await send("POST", "/options").text("challenge"))
        let body: JSON = ["credential": try device.create(challenge), "name": .string(name)]
        return try await send("POST", "", body.text)
    }

    /// The device with a key of this person's.
    func device() async throws -> SoftAuthenticator {
        var device = SoftAuthenticator()
        device.id = Array("key of \(number)".utf8)
        device.userHandle = account.id.bytes
        let registered = try await register(device)
        #expect(registered.status == 201, "\(registered.body)")
        return device
    }
}

extension DockServer<Passkeys> {
    static func run(
        _ more: [String: String] = [:],
        policy: AccountPolicy = .standard,
        _ work: (Server) async throws -> Void
    ) async throws {
        let settings = ["PHONEPROOF_PASSKEYS_ENABLED": "true"].merging(more) { $1 }
        try await run(accountPolicy: policy, settings: settings, work)
    }

    func signIn(_ credential: JSON) async throws -> Answer {
        try await send("POST", "/v1/passkeys/sign-in", (["credential": credential] as JSON).text)
    }

    func challenge() async throws -> String {
        try #require(try await send("POST", "/v1/passkeys/sign-in/options").text("challenge"))
    }

    func signIn(_ device: SoftAuthenticator) async throws -> Answer { try await signIn(device.get(challenge())) }

    func signIn(_ device: SoftAuthenticator, from address: String) async throws -> Int {
        let body = (["credential": try device.get(try await challenge())] as JSON).text
        return try await send("POST", "/v1/passkeys/sign-in", body, headers: ["X-Forwarded-For": address]).status
    }

    func passkeys(of person: Person) async throws -> [Passkey] {
        try await store.all(Passkey.self, "WHERE account_id = \(person.account.id)")
    }
}

@Suite struct PasskeyServerTests {
    private static let sameRefusal = json(
        """
        {"type":"urn:phoneproof:problem:unauthorized",
        "title":"Unauthorized",
        "status":401,
        "detail":"This passkey does not sign in: it is not known, has ended, or the response is not valid. Sign in with the phone number.",
        "code":"unauthorized",
        "message":"That passkey doesn't work here. Sign in with your phone number."}
        """
    )

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
        try await Server.run { server in
            let person = try await Person(server)
            _ = try await person.device()
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
                        [
                            "type": "public-key", "id": .string(Array("key of 010-1234-5678".utf8).base64URL),
                            "transports": ["internal"],
                        ]
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
        try await Server.run { server in
            let person = try await Person(server)
            let device = try await person.device()
            server.clock.advance(by: .seconds(60))
            let answer = try await server.signIn(device)
            #expect(answer.status == 200)
            #expect(answer.text("phone_number") == "+821012345678")
            #expect(answer.text("id") == person.account.id.description)
            let token = try #require(answer.text("access_token"))
            let signedIn = try await server.accounts.signedIn(by: SecretToken(token))
            #expect(signedIn.session.proof == .key)
            #expect(signedIn.session.id != person.session.id)
            #expect(signedIn.session.createdAt == server.clock.now())
            let acts = await server.store.acts
            #expect(acts.suffix(2) == ["add_sign_in_key -", "sign_in_by_key -"])
            let passkey = try #require(try await server.passkeys(of: person).first)
            #expect(passkey.lastUsedAt == server.clock.now())
        }
    }

    @Test func `step 8 of 7_1 and 12 of 7_2: a challenge is for one session, for minutes, and once`() async throws {
        try await Server.run { server in
            let (person, other) = (try await Person(server), try await Person(server, "010-8765-4321"))
            let made = try #require(try await person.send("POST", "/options").text("challenge"))
            func register(_ challenge: String, _ id: String, _ who: Person) async throws -> Server.Answer {
                var device = SoftAuthenticator()
                device.id = Array(id.utf8)
                return try await who.send("POST", "", (["credential": try device.create(challenge)] as JSON).text)
            }
            let refused = try await register(made, "a", other)
            #expect(refused.status == 422)
            #expect(refused.text("detail") == "credential \(CeremonyFault.challenge.rawValue).")
            #expect(try await register(try await server.challenge(), "a", person).status == 422)
            for wrong in [
                String(made.dropLast()), "A" + made.dropFirst(), made.dropLast(24) + String(repeating: "A", count: 24),
                "",
            ] {
                #expect(try await register(wrong, "a", person).status == 422)
            }
            #expect(try await register(made, "a", person).status == 201)
            #expect(try await register(made, "b", person).status == 422)

            let late = try #require(try await person.send("POST", "/options").text("challenge"))
            var device = SoftAuthenticator()
            (device.id, device.userHandle) = (Array("a".utf8), person.account.id.bytes)
            let lateProof = try device.get(try await server.challenge())
            server.clock.advance(by: .seconds(300))
            #expect(try await register(late, "c", person).status == 422)
            #expect(try await server.signIn(lateProof).body == Self.sameRefusal)
            // That of a registration signs nobody in.
            #expect(
                try await server.signIn(
                    device.get(try #require(try await person.send("POST", "/options").text("challenge")))
                ).status == 401
            )
            #expect(try await server.signIn(device).status == 200)
        }
    }

    @Test func `step 22 of 7_1: a key is registered once, whoever asks`() async throws {
        try await Server.run { server in
            let (person, other) = (try await Person(server), try await Person(server, "010-8765-4321"))
            let device = try await person.device()
            for who in [person, other] {
                let refused = try await who.register(device)
                #expect(refused.status == 422)
                #expect(refused.text("detail") == "credential \(CeremonyFault.known.rawValue).")
            }
        }
    }

    @Test func `a replayed assertion signs nobody in`() async throws {
        try await Server.run { server in
            let person = try await Person(server)
            let proof = try await person.device().get(try await server.challenge())
            #expect(try await server.signIn(proof).status == 200)
            let replayed = try await server.signIn(proof)
            #expect(replayed.status == 401)
            #expect(replayed.body == Self.sameRefusal)
            // Of many at once one signs in.
            let challenge = try await server.challenge()
            let again = try SoftAuthenticator.of(person).get(challenge)
            let all = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<20 { group.addTask { try await server.signIn(again).status } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(all.count { $0 == 200 } == 1)
        }
    }

    @Test func `a counter that goes back signs nobody in`() async throws {
        try await Server.run { server in
            let person = try await Person(server)
            var device = try await person.device()
            device.counter = 10
            #expect(try await server.signIn(device).status == 200)
            for counter: UInt32 in [10, 9, 0] {
                device.counter = counter
                #expect(try await server.signIn(device).body == Self.sameRefusal)
            }
            device.counter = 11
            #expect(try await server.signIn(device).status == 200)
        }
    }

    @Test func `a page of another origin gets nobody signed in`() async throws {
        try await Server.run { server in
            var device = try await Person(server).device()
            device.origin = "https://phone.example.evil.example"
            let refused = try await server.signIn(device)
            #expect(refused.status == 422)
            #expect(refused.text("detail") == "credential \(CeremonyFault.origin.rawValue).")
            (device.origin, device.relyingParty) = (SoftAuthenticator.origin, "evil.example")
            #expect(try await server.signIn(device).status == 422)
        }
    }

    @Test func `the passkey of a deleted account signs nobody in, and is deleted with it`() async throws {
        try await Server.run { server in
            let person = try await Person(server)
            let device = try await person.device()
            let signedIn = SignedIn(session: person.session, account: person.account)
            _ = try await server.accounts.requestDeletion(of: signedIn, from: nil)
            server.clock.advance(by: .seconds(14 * 86_400))
            #expect(try await server.signIn(device).body == Self.sameRefusal)
            let command = DeleteAccount(person.account.id, digester: PlainNumberDigester(), now: server.clock.now())
            #expect(try await server.store.delete(command))
            #expect(try await server.passkeys(of: person) == [])
            #expect(try await server.signIn(device).body == Self.sameRefusal)
        }
    }

    @Test func `a passkey brings back who asked for a deletion, as a code does`() async throws {
        try await Server.run { server in
            let person = try await Person(server)
            let device = try await person.device()
            let signedIn = SignedIn(session: person.session, account: person.account)
            _ = try await server.accounts.requestDeletion(of: signedIn, from: nil)
            #expect(try await server.signIn(device).status == 200)
            #expect(try await server.store.account(person.account.id)?.deletionDueAt == nil)
        }
    }

    @Test func `passkeys go with the number, and no other person's`() async throws {
        try await Server.run { server in
            let (person, other) = (try await Person(server), try await Person(server, "010-8765-4321"))
            let (device, kept) = (try await person.device(), try await other.device())
            let number = try #require(person.account.phoneNumber)
            let command = try EraseNumber(
                number,
                digester: PlainNumberDigester(),
                owner: .local,
                now: server.clock.now()
            )
            #expect(try await server.store.erase(command).rows["passkey"] == 1)
            #expect(try await server.passkeys(of: person) == [])
            #expect(try await server.signIn(device).body == Self.sameRefusal)
            #expect(try await server.signIn(kept).status == 200)
        }
    }

    @Test func `a suspended account has no way in by a passkey`() async throws {
        try await Server.run { server in
            let person = try await Person(server)
            let device = try await person.device()
            try await server.store.execute(.change) { records in
                try records.edit(Account.self, person.account.id) { $0?.suspendedAt = Timestamp(seconds: 1) }
            }
            let refused = try await server.signIn(device)
            #expect((refused.status, refused.text("code")) == (403, "account_suspended"))
        }
    }

    @Test func `nothing says whether a key or a number is known`() async throws {
        try await Server.run { server in
            let options = try #require(
                JSON(parsing: try await server.send("POST", "/v1/passkeys/sign-in/options").body)
            )
            #expect(
                options.with("challenge", nil) == [
                    "timeout": 300_000, "rpId": "phone.example", "allowCredentials": [], "userVerification": "required",
                ]
            )
            let named = try await server.send(
                "POST",
                "/v1/passkeys/sign-in/options",
                #"{"phone_number":"+821012345678"}"#
            )
            #expect(JSON(parsing: named.body)?["allowCredentials"] == [])
            let person = try await Person(server)
            var device = try await person.device()
            device.spoilsSignature = true
            let known = try await server.signIn(device)
            device.id = Array("another".utf8)
            let unknown = try await server.signIn(device)
            #expect(known.body == Self.sameRefusal)
            #expect(unknown.body == Self.sameRefusal)
        }
    }

    @Test func `a change of number ends passkeys`() async throws {
        try await Server.run { server in
            let person = try await Person(server)
            let device = try await person.device()
            server.clock.advance(by: .seconds(60))
            try await person.changeNumber(to: "010-5555-6666")
            #expect(try await server.signIn(device).body == Self.sameRefusal)
            #expect(try await server.passkeys(of: person) == [])
            #expect(try await person.send("GET", "").body == #"{"passkeys":[]}"#)
        }
    }

    @Test func `a device makes a new key in place of one that has ended, and of no other`() async throws {
        func excluded(_ person: Person) async throws -> [JSON]? {
            JSON(parsing: try await person.send("POST", "/options").body)?["excludeCredentials"]?.array
        }
        for (policy, count) in [("end", 0), ("ask", 1)] {
            try await Server.run(["PHONEPROOF_PASSKEYS_AFTER_NUMBER_CHANGE": policy]) { server in
                let person = try await Person(server)
                var device = try await person.device()
                #expect(try await excluded(person)?.count == 1)
                server.clock.advance(by: .seconds(60))
                try await person.changeNumber(to: "010-5555-6666")
                let back = try await Person(server, "010-5555-6666")
                #expect(try await excluded(back)?.count == count)
                device.id = Array("another".utf8)
                #expect(try await back.register(device).status == 201)
                server.clock.advance(by: .seconds(90 * 86_400))
                let again = try await Person(server, "010-5555-6666")
                #expect(try await excluded(again)?.count == count * 2)
            }
        }
    }

    @Test func `who has proven the number of before the change neither adds a key nor keeps one`() async throws {
        for policy in ["end", "ask"] {
            try await Server.run(["PHONEPROOF_PASSKEYS_AFTER_NUMBER_CHANGE": policy]) { server in
                let (owner, thief) = (try await Person(server), try await Person(server))
                #expect(thief.account.id == owner.account.id)
                let device = try await thief.device()
                server.clock.advance(by: .seconds(60))
                try await owner.changeNumber(to: "010-5555-6666")
                let id = Array("key of 010-1234-5678".utf8).base64URL
                let kept = try await thief.send("POST", "/\(id)/confirm")
                #expect((kept.status, kept.text("code")) == (403, "reauthentication_required"))
                #expect(try await server.signIn(device).status == 401)
                var another = device
                another.id = Array("another".utf8)
                let added = try await thief.register(another)
                #expect((added.status, added.text("code")) == (403, "reauthentication_required"))
                #expect(try await server.signIn(another).status == 401)
                #expect(try await Person(server, "010-5555-6666").register(another).status == 201)
            }
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
            #expect(try await person.send("GET", "").text("id") == Array("key of 010-1234-5678".utf8).base64URL)
            server.clock.advance(by: .seconds(3))
            #expect(try await server.signIn(device).status == 200)
        }
    }

    @Test func `or the person says of each whether it is theirs, after a code to the new number`() async throws {
        try await Server.run(["PHONEPROOF_PASSKEYS_AFTER_NUMBER_CHANGE": "ask"]) { server in
            let person = try await Person(server)
            let device = try await person.device()
            server.clock.advance(by: .seconds(60))
            try await person.changeNumber(to: "010-5555-6666")
            #expect(try await server.signIn(device).body == Self.sameRefusal)
            let back = try await Person(server, "010-5555-6666")
            #expect(back.account.id == person.account.id)
            let listed = try await back.send("GET", "")
            #expect(listed.body.contains(#""is_valid":false"#))
            let id = try #require(listed.text("id"))
            #expect(try await back.send("POST", "/\(id)/confirm").status == 204)
            #expect(try await server.signIn(device).status == 200)
        }
    }

    @Test(arguments: [("end", SignInKey.State.ended), ("ask", .asks)])
    func `an operator sees what has become of a passkey`(policy: String, after: SignInKey.State) async throws {
        try await Server.run(["PHONEPROOF_PASSKEYS_AFTER_NUMBER_CHANGE": policy]) { server in
            let person = try await Person(server)
            _ = try await person.device()
            let made = server.clock.now()
            func keys() async throws -> [SignInKey]? {
                try await server.administration.signInKeys(of: server.administration.account(person.account.id))
            }
            func key(_ state: SignInKey.State) -> SignInKey {
                let id = Array("key of 010-1234-5678".utf8).base64URL
                return SignInKey(id: id, name: "Passkey", createdAt: made, lastUsedAt: nil, state: state)
            }
            #expect(try await keys() == [key(.active)])
            server.clock.advance(by: .seconds(60))
            try await person.changeNumber(to: "010-5555-6666")
            #expect(try await keys() == [key(after)])
            let author = Operator(owner: .operator("anna"), reason: AuditReason("a lost phone"))
            let other = Account.ID(bits: 1, 2)
            await #expect(throws: AdministrationFailure.notFound("account \(other) has no such key")) {
                try await server.administration.removeSignInKey(key(after).id, of: other, by: author)
            }
            let removed = try await server.administration.removeSignInKey(
                key(after).id,
                of: person.account.id,
                by: author
            )
            #expect(removed == "Passkey")
            #expect(try await keys() == [])
            let entry = try await server.store.entries(AuditQuery(limit: 1)).entries.first
            #expect(entry?.action == .removeSignInKey)
            #expect(entry?.reason?.description == "a lost phone")
        }
        try await Server.run(settings: [:]) { server in #expect(server.administration.signInKeyDesk == nil) }
    }

    @Test func `who gets a number that was given up has no passkey of before on the account`() async throws {
        var policy = AccountPolicy.standard
        policy.recycling = .quarantine
        try await Server.run(policy: policy) { server in
            let person = try await Person(server)
            let device = try await person.device()
            server.clock.advance(by: .seconds(90 * 86_400))
            let next = try await Person(server)
            #expect(next.account.id != person.account.id)
            #expect(try await server.signIn(device).body == Self.sameRefusal)
        }
        // Where the operator takes them for one person: the passkey was not used for as long.
        try await Server.run { server in
            let person = try await Person(server)
            let device = try await person.device()
            server.clock.advance(by: .seconds(90 * 86_400))
            let next = try await Person(server)
            #expect(next.account.id == person.account.id)
            #expect(try await server.signIn(device).body == Self.sameRefusal)
        }
    }

    @Test(arguments: [AccountPolicy.Recycling.quarantine, .ask])
    func `a passkey keeps no number that was given up`(recycling: AccountPolicy.Recycling) async throws {
        var policy = AccountPolicy.standard
        policy.recycling = recycling
        try await Server.run(policy: policy) { server in
            let person = try await Person(server)
            let device = try await person.device()
            var token = SecretToken("")
            for _ in 0..<3 {
                server.clock.advance(by: .seconds(29 * 86_400))
                token = SecretToken(try #require(try await server.signIn(device).text("refresh_token")))
            }
            server.clock.advance(by: .seconds(3 * 86_400))
            _ = try await server.accounts.refresh(token, from: nil)
            if recycling == .ask {
                await #expect { _ = try await Person(server) } throws: { failure in
                    guard case PhoneFailure.accountDormant = failure else { return false }
                    return true
                }
            } else {
                #expect(try await Person(server).account.id != person.account.id)
                #expect(try await server.signIn(device).body == Self.sameRefusal)
            }
        }
    }

    @Test func `passkeys are listed, renamed and removed by their owner alone`() async throws {
        try await Server.run { server in
            let (person, other) = (try await Person(server), try await Person(server, "010-8765-4321"))
            _ = try await person.device()
            let id = Array("key of 010-1234-5678".utf8).base64URL
            #expect(
                try await person.send("GET", "").body
                    == json(
                        """
                        {"passkeys":[{"id":"\(id)",
                        "name":"Passkey",
                        "is_valid":true,
                        "is_backed_up":false,
                        "created_at":"2026-01-01T00:00:00.000Z",
                        "last_used_at":null}]}
                        """
                    )
            )
            for (method, path, body) in [("PATCH", "/\(id)", #"{"name":"Mine"}"#), ("DELETE", "/\(id)", nil)] {
                #expect(try await other.send(method, path, body).status == 404)
                #expect(try await server.send(method, "/v1/passkeys/\(id)", body).status == 401)
            }
            #expect(try await person.send("PATCH", "/\(id)", #"{"name":"Anna's phone"}"#).status == 204)
            for name in ["", " x", "a\u{202E}b", String(repeating: "a", count: 41)] {
                let body = (["name": .string(name)] as JSON).text
                #expect(try await person.send("PATCH", "/\(id)", body).status == 422)
            }
            #expect(try await person.send("GET", "").text("name") == "Anna's phone")
            #expect(try await person.send("DELETE", "/\(id)").status == 204)
            #expect(try await person.send("DELETE", "/\(id)").status == 404)
            #expect(try await person.send("GET", "").body == #"{"passkeys":[]}"#)
            #expect(await server.store.acts.suffix(1) == ["remove_sign_in_key -"])
        }
    }

    @Test func `a passkey is in the export, without its key`() async throws {
        try await Server.run { server in
            let person = try await Person(server)
            _ = try await person.device()
            let signedIn = SignedIn(session: person.session, account: person.account)
            let data = try await server.accounts.personalData(of: signedIn)
            let record = try #require(data.others.first)
            #expect(data.others.count == 1)
            #expect(record.kind == "passkey")
            #expect(
                record.fields.map(\.name) == [
                    "id", "algorithm", "counter", "backup_eligible", "backed_up", "transports", "name", "created_at",
                    "confirmed_at", "last_used_at",
                ]
            )
        }
    }

    @Test func `an account has a bounded number of passkeys, and signs in a bounded number of times`() async throws {
        try await Server.run { server in
            let person = try await Person(server)
            var device = SoftAuthenticator()
            device.userHandle = person.account.id.bytes
            for serial in 0..<UInt8(Passkey.most) {
                device.id = [serial]
                #expect(try await person.register(device).status == 201)
            }
            device.id = [255]
            let refused = try await person.register(device)
            #expect(refused.text("detail") == "credential \(CeremonyFault.tooMany.rawValue).")
            device.id = [0]
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
                var device = SoftAuthenticator()
                device.id = [serial]
                let challenge = try #require(try await person.send("POST", "/options").text("challenge"))
                all.append(["credential": try device.create(challenge)])
            }
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for body in all { group.addTask { try await person.send("POST", "", body.text).status } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.count { $0 == 201 } == Passkey.most)
            #expect(try await server.passkeys(of: person).count == Passkey.most)
        }
    }

    @Test func `a replayed assertion does not count against the account`() async throws {
        try await Server.run { server in
            let device = try await Person(server).device()
            let proof = try device.get(try await server.challenge())
            #expect(try await server.signIn(proof).status == 200)
            for _ in 0..<62 { #expect(try await server.signIn(proof).body == Self.sameRefusal) }
            #expect(try await server.signIn(device).status == 200)
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

    @Test(
        arguments: [
            (["RP_ID": "example.com"], []), (["RP_ID": "account.example.com"], []), ([:], []),
            (
                ["RP_ID": "other.org"],
                [
                    "browsers have no passkeys for other.org at https://account.example.com; name its host or a domain "
                        + "above it, with a dot (passkeys.rp_id)"
                ]
            ),
            (
                ["RP_ID": "com"],
                [
                    "browsers have no passkeys for com at https://account.example.com; name its host or a domain above "
                        + "it, with a dot (passkeys.rp_id)"
                ]
            ),
            (
                ["RP_ID": "count.example.com", "ORIGINS": "https://account.example.com,https://count.example.com"],
                [
                    "browsers have no passkeys for count.example.com at https://account.example.com; name its host or a "
                        + "domain above it, with a dot (passkeys.rp_id)"
                ]
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
            let person = try await Person(server)
            server.clock.advance(by: .milliseconds(599_999))
            let device = try await person.device()
            server.clock.advance(by: .milliseconds(1))
            var another = SoftAuthenticator()
            another.id = Array("another".utf8)
            let refused = try await person.register(another)
            #expect((refused.status, refused.text("code")) == (403, "reauthentication_required"))
            var again = person
            again.token = try #require(try await server.signIn(device).text("access_token"))
            #expect(try await again.register(another).status == 201)
        }
    }

    @Test func `an operator lists and removes the passkeys of an account`() async throws {
        try await Server.run { server in
            let person = try await Person(server)
            let device = try await person.device()
            let path = "/v1/admin/accounts/\(person.account.id)/passkeys"
            func send(_ method: String, _ path: String, _ body: String?, _ scope: APIScope) async throws
                -> Server.Answer
            {
                let name = try #require(CallerName("desk"))
                let secret = try await server.keys.create(name: name, scopes: [scope]).secret.text
                return try await server.send(method, path, body, headers: ["Authorization": "Bearer \(secret)"])
            }
            #expect(try await server.send("GET", path).status == 401)
            #expect(try await send("GET", path, nil, .support).status == 403)
            let listed = try await send("GET", path, nil, .admin)
            let id = Array("key of 010-1234-5678".utf8).base64URL
            #expect(listed.text("id") == id)
            let other = "/v1/admin/accounts/\(Account.ID(bits: 1, 2))/passkeys/\(id)/remove"
            #expect(try await send("POST", other, #"{"reason":"lost phone"}"#, .admin).status == 404)
            #expect(try await send("POST", path + "/\(id)/remove", "{}", .admin).status == 422)
            #expect(try await send("POST", path + "/\(id)/remove", #"{"reason":"lost phone"}"#, .support).status == 403)
            #expect(try await send("POST", path + "/\(id)/remove", #"{"reason":"lost phone"}"#, .admin).status == 204)
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

extension SoftAuthenticator {
    /// The device that ``Person/device()`` has registered.
    static func of(_ person: Person) -> SoftAuthenticator {
        var device = SoftAuthenticator()
        (device.id, device.userHandle) = (Array("key of \(person.number)".utf8), person.account.id.bytes)
        return device
    }
}
