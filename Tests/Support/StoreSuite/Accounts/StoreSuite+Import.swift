import PhoneAccounts
import PhoneSignup
import PhoneStore
import PhoneTestSupport
import Testing

@testable import PhoneAdministration
@testable import PhoneDomain

/// People who come from other systems.
extension StoreSuite {
    private static let mover = Operator(owner: .operator("sue"), reason: AuditReason("from Auth0"))

    private static func person(
        _ phone: String?,
        _ external: String? = nil,
        json: String? = nil,
        in scene: AccountScene
    ) throws -> ImportedPerson {
        var person = ImportedPerson { metadata throws(PhoneFailure) in
            json.map { AccountMetadata(json: $0) } ?? metadata
        }
        person.phoneNumber = try phone.map(scene.number)
        person.externalID = try external.map { try #require(ExternalID($0)) }
        person.createdAt = scene.now - .seconds(1000)
        return person
    }

    /// What became of each: a word, and the last digit of the account.
    private static func run(
        _ people: [(UInt64, ImportedPerson)],
        _ conflict: ImportAccount.Conflict = .fail,
        isDryRun: Bool = false,
        in scene: AccountScene
    ) async throws -> [String] {
        let commands = people.map { serial, person in
            ImportAccount(
                person,
                as: person.id ?? Account.ID(bits: 77, serial),
                onConflict: conflict,
                isDryRun: isDryRun,
                by: mover,
                digester: PlainNumberDigester(),
                now: scene.now
            )
        }
        return try await scene.store.importAccounts(commands).map { result in
            switch result {
            case .success(.created(let account)): "created \(account.id.bits.low)"
            case .success(.updated(let account)): "updated \(account.id.bits.low)"
            case .success(.unchanged(let account)): "unchanged \(account.id.bits.low)"
            case .success(.skipped(let account)): "skipped \(account.id.bits.low)"
            case .failure(let error): "\(error)"
            }
        }
    }

    private static func trail(_ scene: AccountScene) async throws -> [String] {
        var query = AuditQuery(limit: 50)
        query.owner = mover.owner
        return try await scene.store.entries(query).entries.reversed().map {
            [$0.action.rawValue, $0.maskedNumber, $0.reason?.description].compactMap(\.self).joined(separator: " ")
        }
    }

    static let importRules = [
        accountRule("an import makes accounts that are signed in to, and does nothing where it was done before") {
            scene in
            let people: [(UInt64, ImportedPerson)] = [
                (UInt64(1), try person(AccountScene.anna, "u1", json: #"{"plan":"free"}"#, in: scene)),
                (2, try person(AccountScene.ben, in: scene)),
            ]
            #expect(try await run(people, isDryRun: true, in: scene) == ["created 1", "created 2"])
            #expect(try await scene.store.accounts(before: nil, limit: 9).items == [])
            #expect(try await run(people, in: scene) == ["created 1", "created 2"])
            #expect(try await run(people.reversed(), in: scene) == ["unchanged 2", "unchanged 1"])
            let found = try await scene.store.account(of: try #require(ExternalID("u1")))
            let expected = Account(
                id: Account.ID(bits: 77, 1),
                phoneNumber: try scene.number(AccountScene.anna),
                createdAt: scene.now - .seconds(1000),
                createdBy: nil,
                lastActiveAt: scene.now,
                metadata: AccountMetadata(json: #"{"plan":"free"}"#),
                externalID: ExternalID("u1")
            )
            #expect(found == expected)
            let device = try await scene.signUp(AccountScene.anna)
            #expect(device.account == expected.id)
            #expect(!device.signedUp.isNew)
            let line = "from Auth0"
            #expect(
                try await trail(scene) == [
                    "import_account +82 10-****-1111 \(line)", "import_account +82 10-****-2222 \(line)",
                ]
            )
        },
        accountRule("who is known already is skipped, updated or refused") { scene in
            let anna = try await scene.signUp(AccountScene.anna)
            let serial = anna.account.bits.low
            let known = (UInt64(1), try person(AccountScene.anna, "u1", json: #"{"plan":"free"}"#, in: scene))
            #expect(try await run([known], .skip, in: scene) == ["skipped \(serial)"])
            #expect(try await run([known], .fail, in: scene) == ["account \(anna.account) is there already"])
            #expect(try await scene.store.account(of: try #require(ExternalID("u1"))) == nil)
            #expect(try await run([known], .update, isDryRun: true, in: scene) == ["updated \(serial)"])
            #expect(try await run([known], .update, in: scene) == ["updated \(serial)"])
            #expect(try await run([known], .update, in: scene) == ["unchanged \(serial)"])
            let account = try await scene.store.account(of: try #require(ExternalID("u1")))
            #expect(account?.id == anna.account)
            #expect(account?.metadata.json == #"{"plan":"free"}"#)
            #expect(account?.createdBy == anna.signedUp.account.createdBy)
            let other = (UInt64(2), try person(AccountScene.anna, "u2", in: scene))
            #expect(try await run([other], .update, in: scene) == ["account \(anna.account) has another external_id"])
            #expect(try await trail(scene) == ["update_account +82 10-****-1111 from Auth0"])
        },
        accountRule("two people of one import do not get one number or one external ID") { scene in
            let ben = try person(AccountScene.ben, "u2", in: scene)
            let people: [(UInt64, ImportedPerson)] = [
                (UInt64(1), try person(AccountScene.anna, "u1", in: scene)), (2, ben), (3, ben),
                (4, try person(AccountScene.anna, "u3", in: scene)), (5, try person(AccountScene.cho, "u1", in: scene)),
                (6, try person(AccountScene.anna, "u2", in: scene)), (7, try person(nil, "u7", in: scene)),
            ]
            let first = Account.ID(bits: 77, 1)
            #expect(
                try await run(people, in: scene) == [
                    "created 1", "created 2", "unchanged 2", "account \(first) is there already",
                    "account \(first) is there already",
                    "number, external_id and id are those of different accounts", "phone_number is missing",
                ]
            )
            #expect(try await scene.store.accounts(before: nil, limit: 9).items.count == 2)
        },
        accountRule("an exported account comes back as it was, and an erased one leaves no external ID") { scene in
            var exported = try person(nil, "u1", in: scene)
            exported.id = Account.ID(bits: 1, 5)
            exported.deletionDueAt = scene.now + .seconds(50)
            exported.suspendedAt = scene.now
            exported.consent = Consent(version: "7", acceptedAt: scene.now)
            exported.phoneNumberSince = scene.now - .seconds(7)
            exported.lastActiveAt = scene.now - .seconds(9)
            let anna = (UInt64(2), try person(AccountScene.anna, "u2", in: scene))
            #expect(try await run([(1, exported), anna], in: scene) == ["created 5", "created 2"])
            #expect(try await run([(1, exported), anna], in: scene) == ["unchanged 5", "unchanged 2"])
            let expected = Account(
                id: Account.ID(bits: 1, 5),
                phoneNumber: nil,
                phoneNumberSince: scene.now - .seconds(7),
                createdAt: scene.now - .seconds(1000),
                createdBy: nil,
                lastActiveAt: scene.now - .seconds(9),
                deletionDueAt: scene.now + .seconds(50),
                consent: Consent(version: "7", acceptedAt: scene.now),
                suspendedAt: scene.now,
                externalID: ExternalID("u1")
            )
            #expect(try await scene.store.account(of: try #require(ExternalID("u1"))) == expected)
            #expect(try await scene.erase(AccountScene.anna).accounts == 1)
            #expect(try await scene.store.account(of: try #require(ExternalID("u2"))) == nil)
            // Nor is it in the way of somebody else.
            #expect(try await run([(3, try person(AccountScene.ben, "u2", in: scene))], in: scene) == ["created 3"])
            // One that is about to be deleted is not taken for the person.
            scene.advance(by: .seconds(60))
            let back = try person(AccountScene.cho, "u1", in: scene)
            let reason = "account \(expected.id) is being deleted; import it again in a minute"
            #expect(try await run([(4, back)], .skip, in: scene) == [reason])
        },
    ]
}
