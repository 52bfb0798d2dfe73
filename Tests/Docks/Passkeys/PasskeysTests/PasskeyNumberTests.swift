import CoreEncodings
import DockTestSupport
import PhoneAccounts
import PhoneAdministration
import PhoneDomain
import PhoneSignup
import PhoneStore
import PhoneTestSupport
import Testing

@testable import Passkeys

/// What becomes of passkeys when a number changes, or goes to somebody else.
@Suite struct PasskeyNumberTests {
    @Test func `a change of number ends passkeys`() async throws {
        try await Server.withPasskey { server, person, device in
            try await person.changeNumber()
            #expect(try await server.signIn(device).body == Server.sameRefusal)
            #expect(try await person.passkeys() == [])
            #expect(try await person.send("GET", "").body == #"{"passkeys":[]}"#)
        }
    }

    @Test(arguments: [("end", 0), ("ask", 1)])
    func `a device makes a new key in place of one that has ended, and of no other`(
        policy: String,
        count: Int
    ) async throws {
        func excluded(_ person: Person) async throws -> Int? {
            JSON(parsing: try await person.send("POST", "/options").body)?["excludeCredentials"]?.array?.count
        }
        try await Server.withPasskey(afterChange: policy) { server, person, device in
            var device = device
            #expect(try await excluded(person) == 1)
            try await person.changeNumber()
            let back = try await Person(server, "010-5555-6666")
            #expect(try await excluded(back) == count)
            device.id = Array("another".utf8)
            #expect(try await back.register(device).status == 201)
            server.clock.advance(by: .seconds(90 * 86_400))
            #expect(try await excluded(Person(server, "010-5555-6666")) == count * 2)
        }
    }

    @Test(arguments: ["end", "ask"])
    func `who has proven the number of before the change neither adds a key nor keeps one`(policy: String) async throws
    {
        try await Server.withPasskey(afterChange: policy) { server, thief, device in
            let owner = try await Person(server)
            #expect(thief.account.id == owner.account.id)
            try await owner.changeNumber()
            let kept = try await thief.send("POST", "/\(Person.keyID)/confirm")
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

    @Test func `or the person says of each whether it is theirs, after a code to the new number`() async throws {
        try await Server.withPasskey(afterChange: "ask") { server, person, device in
            try await person.changeNumber()
            #expect(try await server.signIn(device).body == Server.sameRefusal)
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
        try await Server.withPasskey(afterChange: policy) { server, person, _ in
            let (made, account) = (server.clock.now(), person.account.id)
            func keys() async throws -> [SignInKey]? {
                try await server.administration.signInKeys(of: server.administration.account(account))
            }
            func key(_ state: SignInKey.State) -> SignInKey {
                SignInKey(id: Person.keyID, name: "Passkey", createdAt: made, lastUsedAt: nil, state: state)
            }
            #expect(try await keys() == [key(.active)])
            try await person.changeNumber()
            #expect(try await keys() == [key(after)])
            let author = Operator(owner: .operator("anna"), reason: AuditReason("a lost phone"))
            let other = Account.ID(bits: 1, 2)
            await #expect(throws: AdministrationFailure.notFound("account \(other) has no such key")) {
                try await server.administration.removeSignInKey(Person.keyID, of: other, by: author)
            }
            let removed = try await server.administration.removeSignInKey(Person.keyID, of: account, by: author)
            #expect(removed == "Passkey")
            #expect(try await keys() == [])
            let entry = try await server.store.entries(AuditQuery(limit: 1)).entries.first
            #expect(entry?.action == .removeSignInKey)
            #expect(entry?.reason?.description == "a lost phone")
        }
        try await Server.run(settings: [:]) { server in #expect(server.administration.signInKeyDesk == nil) }
    }

    /// Also where the operator takes them for one person: the passkey was not used for as long.
    @Test(arguments: [AccountPolicy.Recycling.quarantine, .signIn])
    func `who gets a number that was given up has no passkey of before on the account`(
        recycling: AccountPolicy.Recycling
    ) async throws {
        try await Server.withPasskey(recycling: recycling) { server, person, device in
            server.clock.advance(by: .seconds(90 * 86_400))
            let next = try await Person(server)
            #expect((next.account.id == person.account.id) == (recycling == .signIn))
            #expect(try await server.signIn(device).body == Server.sameRefusal)
        }
    }

    @Test(arguments: [AccountPolicy.Recycling.quarantine, .ask])
    func `a passkey keeps no number that was given up`(recycling: AccountPolicy.Recycling) async throws {
        try await Server.withPasskey(recycling: recycling) { server, person, device in
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
                #expect(try await server.signIn(device).body == Server.sameRefusal)
            }
        }
    }
}
