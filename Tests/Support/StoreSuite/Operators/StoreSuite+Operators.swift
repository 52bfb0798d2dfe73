import PhoneAccounts
import PhoneAdministration
import PhoneDomain
import PhoneNumbers
import PhoneTestSupport
import Testing

extension StoreSuite {
    private static let alice = Operator(owner: .operator("alice"), reason: AuditReason("ticket 7"))

    private static func trail(_ scene: StoreScene) async throws -> [AuditEntry] {
        try await scene.store.entries(AuditQuery(limit: 100)).entries.reversed()
    }

    static let operatorRules = [
        StoreRule("what an operator does is on the audit log, and what changes nothing is not") { scene in
            let (store, now) = (scene.store, scene.now)
            let number = try PhoneNumber(e164: "+821012345678")
            let rule = try #require(GuardRule(prefix: "+8210", action: .block, until: nil, createdAt: now))
            let limit = LimitKey(rawValue: "prefix-sends-1h +82101234")
            let entry = { (action: AuditEntry.Action, subject: String) in alice.entry(action, subject, at: now) }
            let limits = LimitPolicy.standard
            let limited = try LimitScene(store, limits: limits)
            try await limited.request("010-1234-5678")
            let before = try await trail(scene).count

            try await store.set(rule, audit: entry(.blockPrefix, "+8210"))
            #expect(try await store.removeGuardRule(prefix: "+8210", audit: entry(.removeRule, "+8210")) == rule)
            #expect(try await store.removeGuardRule(prefix: "+8210", audit: entry(.removeRule, "none")) == nil)
            #expect(try await store.unblock(.prefix("+82"), audit: entry(.unblockPrefix, "none")) == [])
            #expect(try await store.clear(limit, audit: entry(.clearLimit, limit.description)))
            #expect(try await store.clear(limit, audit: entry(.clearLimit, "none")) == false)
            let cleared = try alice.entry(.clearNumber, number, digester: PlainNumberDigester(), at: now)
            #expect(try await store.clearActivity(of: number, audit: cleared))
            #expect(try await store.clearActivity(of: number, audit: cleared) == false)
            let key = key(1)
            try await store.insert(key, audit: entry(.createKey, key.id.description))
            #expect(try await store.revoke(key.id, at: now, audit: entry(.revokeKey, key.id.description)) != nil)
            #expect(try await store.revoke(key.id, at: now, audit: entry(.revokeKey, "again")) != nil)
            #expect(try await store.revoke(APIKey.ID(bits: 9, 9), at: now, audit: entry(.revokeKey, "none")) == nil)

            #expect(
                try await Array(trail(scene).dropFirst(before)) == [
                    entry(.blockPrefix, "+8210"), entry(.removeRule, "+8210"),
                    entry(.clearLimit, "prefix-sends-1h +82101234"), cleared,
                    entry(.createKey, "key_00000000000000000000000000000001"),
                    entry(.revokeKey, "key_00000000000000000000000000000001"),
                ]
            )
            var query = AuditQuery(limit: 9)
            query.numberDigests = [NumberDigest(rawValue: "test:+821012345678")]
            query.owner = alice.owner
            #expect(try await store.entries(query).entries == [cleared])
        },
        StoreRule("an operator's end of a block is on the audit log") { scene in
            let limited = try LimitScene(
                scene.store,
                guarding: try GuardPolicy(prefixSample: 5, blockTime: .seconds(7200))
            )
            for index in 0..<5 { try await limited.request("010-1234-500\(index)") }
            limited.advance(by: .seconds(4200))
            _ = try await refusingLimits { try await limited.request("010-1234-0000") }
            let entry = alice.entry(.unblockPrefix, "+8210", at: limited.now)
            #expect(try await scene.store.unblock(.prefix("+8210"), audit: entry) == [.prefix("+82101234")])
            #expect(try await trail(scene).last == entry)
        },
        StoreRule("an operator's redelivery of an event is on the audit log") { scene in
            let proven = try await scene.prove()
            let id = approved(proven.id, after: 0).id
            let entry = alice.entry(.retryEvent, id.description, at: scene.now)
            let retry = RetryEvent(id: id, now: scene.now)
            #expect(try await scene.store.retry(retry, audit: entry) == .failure(.notFailed))
            let claimed = try await scene.claimEvents()
            #expect(try await scene.settle(claimed[0], .failed("gone")))
            #expect(try await trail(scene).contains(entry) == false)
            _ = try await scene.store.retry(retry, audit: entry).get()
            #expect(try await trail(scene).last == entry)
        },
        StoreRule("of an operator's acts at once that do the same one is on the audit log") { scene in
            let key = key(1)
            try await scene.store.insert(key, audit: alice.entry(.createKey, at: scene.now))
            try await atOnce(20) { index in
                try await scene.store.revoke(
                    key.id,
                    at: scene.now,
                    audit: alice.entry(.revokeKey, "\(index)", at: scene.now)
                )
            }
            #expect(try await trail(scene).map(\.action) == [.createKey, .revokeKey])
        },
        StoreRule("an erasure unlinks what operators did about the number, and drops their reasons") { scene in
            let (store, now) = (scene.store, scene.now)
            let number = try PhoneNumber(e164: "+821012345678")
            let rule = try #require(GuardRule(prefix: number.e164, action: .block, until: nil, createdAt: now))
            let digester = PlainNumberDigester()
            let entry = try alice.entry(.blockPrefix, prefix: number.e164, digester: { digester }, at: now)
            try await store.set(rule, audit: entry)
            let other = alice.entry(.createKey, "key_1", at: now)
            try await store.insert(key(1), audit: other)
            let erasing = try EraseNumber(
                number,
                by: Operator(owner: alice.owner, reason: AuditReason("on request")),
                digester: digester,
                now: now
            )
            #expect(try await store.erase(erasing).auditEntries == 1)
            #expect(try await trail(scene) == [entry.unlinked, other, erasing.entry])
            #expect(entry.unlinked.reason == nil)
            #expect(erasing.entry.reason == AuditReason("on request"))
        },
    ]
}
