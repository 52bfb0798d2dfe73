import PhoneDomain
import PhoneTestSupport
import Records
import Testing

extension StoreSuite {
    static let attemptRules = [
        StoreRule("the messages of an account are found newest first, by everything that a query may ask") { scene in
            let scene = try TenantScene(scene.store, countries: ["US", "CA"])
            let first = try await talk(scene)
            let message = try #require(try await scene.store.attempts(query(), limit: 3).last?.message.id)
            for (query, seconds, converted) in [
                (query(), [7, 6, 5, 4, 1, 0], 1),
                (query { $0.tenant = Tenant.ID(bits: 2, 1) }, [6, 5, 4, 0], 0),
                (query { $0.tenant = Tenant.ID(bits: 2, 2) }, [7, 1], 1),
                (query { $0.tenant = Tenant.ID(bits: 2, 3) }, [], 0),
                (query(TenantScene.theirs), [3], 0),
                (query(TenantAccount.ID(bits: 1, 9)), [], 0),
                (query { $0.verification = first }, [6, 0], 0),
                (query(TenantScene.theirs) { $0.verification = first }, [], 0),
                (query { $0.message = message }, [5], 0),
                (query(TenantScene.theirs) { $0.message = message }, [], 0),
                (query { $0.e164 = "+821011111111" }, [6, 1, 0], 0),
                (query(TenantScene.theirs) { $0.e164 = "+821011111111" }, [3], 0),
                (query { $0.e164 = "+82101111" }, [], 0),
                (query { $0.prefix = "+1" }, [5, 4], 0),
                (query { $0.prefix = "+821022222222" }, [7], 1),
                (query { $0.prefix = "+82" }, [7, 6, 1, 0], 1),
                (query { $0.prefix = "%" }, [], 0),
                (query { $0.prefix = "+_" }, [], 0),
                (query { $0.region = Region("US") }, [4], 0),
                (query { $0.region = Region("CA") }, [5], 0),
                (query { $0.region = .korea }, [7, 6, 1, 0], 1),
                (query { $0.region = Region("DE") }, [], 0),
                (query { ($0.region, $0.prefix) = (Region("US"), "+1416") }, [], 0),
                (query { $0.isConverted = true }, [7], 1),
                (query { $0.isConverted = false }, [6, 5, 4, 1, 0], 0),
                (query { ($0.isConverted, $0.tenant) = (true, Tenant.ID(bits: 2, 1)) }, [], 0),
                (query { $0.since = TenantScene.start + .seconds(5) }, [7, 6, 5], 1),
                (query { $0.until = TenantScene.start + .seconds(5) }, [5, 4, 1, 0], 0),
                (
                    query {
                        ($0.since, $0.until) = (TenantScene.start + .seconds(1), TenantScene.start + .seconds(6))
                        $0.e164 = "+821011111111"
                    }, [6, 1], 0
                ),
            ] as [(AttemptQuery, [Int64], Int)] {
                let (found, summary) = (try await scene.seconds(query), try await scene.store.summary(of: query))
                #expect(found == seconds, "\(query)")
                #expect(summary == AttemptSummary(total: seconds.count, converted: converted), "\(query)")
                #expect(try await scene.seconds(query, limit: 1) == Array(seconds.prefix(1)), "\(query)")
                for attempt in try await scene.store.attempts(query, limit: 100) { #expect(query.covers(attempt)) }
            }
            #expect(try await scene.seconds(query(), limit: 0) == [])
            #expect(try await scene.seconds(query(), limit: -1) == [])
            #expect(try await scene.seconds(query { $0.region = .korea }, limit: -1) == [])
        },
        StoreRule("an attempt has its message and its verification as they stand") { scene in
            let scene = try TenantScene(scene.store)
            let begun = try await scene.request("+821012345678")
            let claim = try #require(
                try await scene.store.claim(limit: 1, at: scene.now, until: scene.now + .seconds(60)).first
            )
            let approved = try await scene.check("123456", begun.id)
            let expected = [DeliveryAttempt(message: claim.message, verification: approved)]
            #expect(try await scene.store.attempts(query(), limit: 9) == expected)
            #expect(expected[0].isConverted)
        },
        StoreRule("a list of attempts goes on where it was while new ones come, and none is twice in it") { scene in
            let scene = try TenantScene(scene.store)
            // Several of a moment: then the name decides.
            for index in 0..<30 {
                try await scene.request("+8210\(20_000_000 + index)")
                if index.isMultiple(of: 7) { scene.advance(by: .seconds(1)) }
            }
            let all = try await scene.store.attempts(query(), limit: 100)
            #expect(all.count == 30)
            var (pages, next): ([[DeliveryAttempt]], AttemptQuery) = ([], query())
            while pages.count < 9 {
                let page = try await scene.store.attempts(next, limit: 7)
                guard let last = page.last?.message else { break }
                pages.append(page)
                next.after = AttemptQuery.Cursor(at: last.createdAt, id: last.id)
                scene.advance(by: .seconds(1))
                try await scene.request("+8210\(30_000_000 + pages.count)")
            }
            #expect(pages.map(\.count) == [7, 7, 7, 7, 2])
            #expect(pages.flatMap(\.self) == all)
            #expect(try await scene.store.attempts(next, limit: 7) == [])
            // Where it is has nothing to do with how many there are.
            #expect(try await scene.store.summary(of: next) == AttemptSummary(total: 35, converted: 0))
        },
        StoreRule("a country's messages are found behind however many of another that shares its calling code") {
            scene in
            let scene = try TenantScene(scene.store, countries: ["US", "CA"])
            let american = try await scene.request("+12125550123")
            scene.advance(by: .seconds(1))
            let canadian = try await scene.request("+14165550123")
            let records = (0..<1100).map { index in
                StoredRecord.message(
                    OutboxMessage(
                        id: OutboxMessage.ID(bits: 7, index),
                        verificationID: canadian.id,
                        createdAt: TenantScene.start + .seconds(1),
                        account: TenantScene.ours
                    )
                )
            }
            try await scene.store.restore(records)
            let inAmerica = query { $0.region = Region("US") }
            let found = try await scene.store.attempts(inAmerica, limit: 5)
            #expect(found.map(\.verification.id) == [american.id])
            #expect(try await scene.store.summary(of: inAmerica) == AttemptSummary(total: 1, converted: 0))
            let inCanada = query { $0.region = Region("CA") }
            #expect(try await scene.store.attempts(inCanada, limit: 2000).count == 1101)
            #expect(try await scene.store.summary(of: inCanada) == AttemptSummary(total: 1101, converted: 0))
        },
    ]

    private static func query(
        _ account: TenantAccount.ID = TenantScene.ours,
        _ narrow: (inout AttemptQuery) -> Void = { _ in }
    ) -> AttemptQuery {
        var query = AttemptQuery(account: account)
        narrow(&query)
        return query
    }

    /// Messages of eight seconds, one in each.
    ///
    /// - Returns: the verification of the first one, and of the one after six seconds.
    private static func talk(_ scene: TenantScene) async throws -> Verification.ID {
        let phone = "+821011111111"
        let first = try await scene.request(phone)
        let others: [(phone: String, owner: Owner)] = [
            (phone, TenantScene.second), (phone, StoreScene.alice), (phone, TenantScene.stranger),
            ("+12125550123", TenantScene.first), ("+14165550123", TenantScene.first), (phone, TenantScene.first),
            ("+821022222222", TenantScene.second),
        ]
        for (phone, owner) in others {
            scene.advance(by: .seconds(1))
            let begun = try await scene.request(phone, as: owner)
            if phone == "+821022222222" { try await scene.check("123456", begun.id, as: owner) }
        }
        return first.id
    }
}
