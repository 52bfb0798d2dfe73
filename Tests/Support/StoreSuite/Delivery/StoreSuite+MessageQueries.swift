import PhoneAdministration
import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneStore
import PhoneTestSupport
import Testing

extension StoreSuite {
    static let messageQueryRules = [
        clientRule(
            "the messages of a group are found newest first, by everything that a query may ask",
            countries: ["US", "CA"]
        ) { scene in
            let first = try await talk(scene)
            let message = try #require(try await scene.store.messages(query(), limit: 3).last?.message.id)
            for (query, seconds, approved) in [
                (query(), [7, 6, 5, 4, 1, 0], 1),
                (query { $0.owner = ClientScene.first }, [6, 5, 4, 0], 0),
                (query { $0.owner = ClientScene.second }, [7, 1], 1),
                (query { $0.owner = ClientScene.stranger }, [], 0),
                (query(ClientScene.theirs), [3], 0),
                (query("shop:9"), [], 0),
                (query { $0.verification = first }, [6, 0], 0),
                (query(ClientScene.theirs) { $0.verification = first }, [], 0),
                (query { $0.message = message }, [5], 0),
                (query(ClientScene.theirs) { $0.message = message }, [], 0),
                (query { $0.e164 = "+821011111111" }, [6, 1, 0], 0),
                (query(ClientScene.theirs) { $0.e164 = "+821011111111" }, [3], 0),
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
                (query { $0.isApproved = true }, [7], 1),
                (query { $0.isApproved = false }, [6, 5, 4, 1, 0], 0),
                (query { ($0.isApproved, $0.owner) = (true, ClientScene.first) }, [], 0),
                (query { $0.since = ClientScene.start + .seconds(5) }, [7, 6, 5], 1),
                (query { $0.until = ClientScene.start + .seconds(5) }, [5, 4, 1, 0], 0),
                (
                    query {
                        ($0.since, $0.until) = (ClientScene.start + .seconds(1), ClientScene.start + .seconds(6))
                        $0.e164 = "+821011111111"
                    }, [6, 1], 0
                ),
            ] as [(MessageQuery, [Int64], Int)] {
                let (found, count) = (try await scene.seconds(query), try await scene.store.count(query))
                #expect(found == seconds, "\(query)")
                #expect(count == MessageCount(total: seconds.count, approved: approved), "\(query)")
                #expect(try await scene.seconds(query, limit: 1) == Array(seconds.prefix(1)), "\(query)")
            }
            #expect(try await scene.seconds(query(), limit: 0) == [])
            #expect(try await scene.seconds(query(), limit: -1) == [])
            #expect(try await scene.seconds(query { $0.region = .korea }, limit: -1) == [])
        },
        clientRule("a message that is found comes with its verification, as both stand") { scene in
            let begun = try await scene.request("+821012345678")
            let claim = try #require(
                try await scene.store.claim(limit: 1, at: scene.now, until: scene.now + .seconds(60)).first
            )
            let approved = try await scene.check("123456", begun.id)
            let expected = [OutboxClaim(message: claim.message, verification: approved)]
            #expect(try await scene.store.messages(query(), limit: 9) == expected)
        },
        clientRule("a list of messages goes on where it was while new ones come, and none is twice in it") { scene in
            // Several of a moment: then the name decides.
            for index in 0..<30 {
                try await scene.request("+8210\(20_000_000 + index)")
                if index.isMultiple(of: 7) { scene.advance(by: .seconds(1)) }
            }
            let all = try await scene.store.messages(query(), limit: 100)
            #expect(all.count == 30)
            var (pages, next): ([[OutboxClaim]], MessageQuery) = ([], query())
            while pages.count < 9 {
                let page = try await scene.store.messages(next, limit: 7)
                guard let last = page.last?.message else { break }
                pages.append(page)
                next.after = MessageQuery.Cursor(at: last.createdAt, id: last.id)
                scene.advance(by: .seconds(1))
                try await scene.request("+8210\(30_000_000 + pages.count)")
            }
            #expect(pages.map(\.count) == [7, 7, 7, 7, 2])
            #expect(pages.flatMap(\.self) == all)
            #expect(try await scene.store.messages(next, limit: 7) == [])
            // Where it is has nothing to do with how many there are.
            #expect(try await scene.store.count(next) == MessageCount(total: 35, approved: 0))
        },
        clientRule(
            "a country's messages are found behind however many of another that shares its calling code",
            countries: ["US", "CA"]
        ) { scene in
            let american = try await scene.request("+12125550123")
            scene.advance(by: .seconds(1))
            let canadian = try await scene.request("+14165550123")
            let records = (0..<1100).map { index in
                StoredRecord.message(
                    OutboxMessage(
                        id: OutboxMessage.ID(bits: 7, index),
                        verificationID: canadian.id,
                        createdAt: ClientScene.start + .seconds(1),
                        group: ClientScene.ours
                    )
                )
            }
            try await scene.store.restore(records)
            let inAmerica = query { $0.region = Region("US") }
            let found = try await scene.store.messages(inAmerica, limit: 5)
            #expect(found.map(\.verification.id) == [american.id])
            #expect(try await scene.store.count(inAmerica) == MessageCount(total: 1, approved: 0))
            let inCanada = query { $0.region = Region("CA") }
            #expect(try await scene.store.messages(inCanada, limit: 2000).count == 1101)
            #expect(try await scene.store.count(inCanada) == MessageCount(total: 1101, approved: 0))
        },
    ]

    private static func query(
        _ group: String = ClientScene.ours,
        _ narrow: (inout MessageQuery) -> Void = { _ in }
    ) -> MessageQuery {
        var query = MessageQuery(group: group)
        narrow(&query)
        return query
    }

    /// Messages of eight seconds, one in each.
    ///
    /// - Returns: the verification of the first one, and of the one after six seconds.
    private static func talk(_ scene: ClientScene) async throws -> Verification.ID {
        let phone = "+821011111111"
        let first = try await scene.request(phone)
        let others: [(phone: String, owner: Owner)] = [
            (phone, ClientScene.second), (phone, StoreScene.alice), (phone, ClientScene.stranger),
            ("+12125550123", ClientScene.first), ("+14165550123", ClientScene.first), (phone, ClientScene.first),
            ("+821022222222", ClientScene.second),
        ]
        for (phone, owner) in others {
            scene.advance(by: .seconds(1))
            let begun = try await scene.request(phone, as: owner)
            if phone == "+821022222222" { try await scene.check("123456", begun.id, as: owner) }
        }
        return first.id
    }
}
