import PhoneAccounts
import PhoneAdministration
import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneStore
import PhoneTestSupport
import Testing

/// What is found though days lie between: a store may keep each day's rows apart.
extension StoreSuite {
    private static let day: Duration = .seconds(86_400)
    private static let others = "010-8765-4321"

    static let dayRules = [
        StoreRule("what was done about a number is found over the days, newest first, page by page") { scene in
            // Several in a day, a day of somebody else's alone, and days of nobody's.
            for (index, hours) in [0, 5, 20, 30, 2, 72, 24].enumerated() {
                scene.advance(by: .seconds(hours * 3600))
                try await scene.request(others)
                if index != 2 { try await scene.request() }
            }
            let digest = NumberDigest(rawValue: "test:+821012345678")
            let all = try await scene.store.entries(AuditQuery(limit: 1000)).entries
            let ours = all.filter { $0.numberDigest == digest }
            #expect((all.count, ours.count) == (13, 6))
            func found(limit: Int, _ change: (inout AuditQuery) -> Void = { _ in }) async throws -> [AuditEntry] {
                var query = AuditQuery(limit: limit)
                query.numberDigests = [digest, NumberDigest(rawValue: "gone:1")]
                change(&query)
                var entries: [AuditEntry] = []
                repeat {
                    let page = try await scene.store.entries(query)
                    #expect(page.entries.count == limit || page.next == nil)
                    entries += page.entries
                    query.before = page.next
                } while query.before != nil
                return entries
            }
            for limit in 1...7 { #expect(try await found(limit: limit) == ours) }
            for moment in all.map(\.at) {
                for limit in [2, 9] {
                    #expect(try await found(limit: limit) { $0.since = moment } == ours.filter { $0.at >= moment })
                    #expect(try await found(limit: limit) { $0.until = moment } == ours.filter { $0.at < moment })
                }
            }
        },
        StoreRule(
            "a code that nobody has yet lives on past midnight, when its time is over",
            policy: { try VerificationPolicy(codeTTL: .seconds(120)) }
        ) { scene in
            scene.advance(by: day - .seconds(300))
            let begun = try await scene.request()
            scene.advance(by: .seconds(480))
            #expect(try await scene.request().id == begun.id)
            scene.advance(by: .seconds(120))
            #expect(try await scene.request().id != begun.id)
        },
        StoreRule("a history that goes past midnight is that which it is in memory", policy: { try .hurried() }) {
            suite in
            func scene(_ store: any SQLStore) throws -> StoreScene {
                try StoreScene(store: store, policy: suite.policy, clock: ManualClock(StoreScene.start - .seconds(300)))
            }
            var history = RandomHistory(seed: 78)
            var model = history
            let (real, inMemory) = (try scene(suite.store), try scene(MemoryStore()))
            for _ in 1...600 {
                #expect(try await history.step(real) == model.step(inMemory))
            }
            let trail = try await real.store.entries(AuditQuery(limit: 10_000)).entries
            #expect(trail == (try await inMemory.store.entries(AuditQuery(limit: 10_000)).entries))
            #expect(trail.contains { $0.at < StoreScene.start } && trail.contains { $0.at >= StoreScene.start })
        },
        StoreRule("a receipt of a message of days ago moves on that one") { scene in
            for index in 0..<4 {
                try await scene.request("010-1111-111\(index)")
                #expect(
                    try await scene.settle(
                        try await scene.claim()[0],
                        .sent(gateway: "a", gatewayMessageID: "SM\(index)")
                    )
                )
                scene.advance(by: day * (index + 1))
            }
            #expect(try await scene.receive("SM4", from: "a", .delivered) == false)
            for name in ["SM0", "SM2", "SM3"] {
                #expect(try await scene.receive(name, from: "a", .delivered))
                #expect(try await scene.receive(name, from: "a", .delivered) == false)
            }
            let left = try await scene.store.messages(status: .sent, limit: 9).map(\.message.gatewayMessageID)
            #expect(left == ["SM1"])
        },
        clientRule("a group's messages to a number are found over the days") { scene in
            for hours in [0, 30, 1, 90] {
                scene.advance(by: .seconds(hours * 3600))
                try await scene.request("+821011111111")
                try await scene.request("+821022222222", as: ClientScene.second)
            }
            var query = MessageQuery(group: ClientScene.ours)
            query.e164 = "+821011111111"
            let hours: [Int64] = [121, 31, 30, 0]
            #expect(try await scene.seconds(query) == hours.map { $0 * 3600 })
            #expect(try await scene.seconds(query, limit: 2) == hours.prefix(2).map { $0 * 3600 })
            #expect(try await scene.store.count(query) == MessageCount(total: 4, approved: 0))
        },
        auditRule("an erasure covers every day") { scene in
            var begun: [Verification.ID] = []
            for days in [0, 1, 3] {
                scene.clock.advance(by: day * days)
                begun.append(try await scene.request().id)
                try await scene.request(others)
            }
            // Of the first day there is nothing but the trail.
            _ = try await scene.store.purge(before: StoreScene.start + day, limit: 9)
            let erasure = try await scene.store.erase(try scene.erasing())
            #expect((erasure.verifications, erasure.messages, erasure.auditEntries) == (2, 2, 3))
            for id in begun { #expect(try await scene.store.verification(id) == nil) }
            #expect(try await scene.trail().count { $0.numberDigest != nil } == 3)
        },
        accountRule("an export and an erasure cover every day") { scene in
            let device = try await scene.signUp(AccountScene.anna)
            var proven: [Verification.ID] = []
            for days in [0, 2, 3] {
                scene.advance(by: day * days + .seconds(60))
                proven.append(try await scene.prove(AccountScene.anna).id)
                _ = try await scene.prove(AccountScene.ben)
            }
            let data = try #require(try await scene.export(device.account))
            #expect(data.verifications.count == 4)
            #expect(Set(data.verifications.map(\.id)).isSuperset(of: proven))
            #expect(data.audit.count { $0.action == .approve } == 4)
        },
        accountRule("what a long audit log has of a person is found, with a verification and without") { scene in
            let device = try await scene.signUp(AccountScene.anna)
            let number = try scene.number(AccountScene.anna)
            let digest = PlainNumberDigester().digest(of: number.e164)
            func entry(_ second: Int) -> StoredRecord {
                let moment = scene.now + .seconds(second)
                // A refusal has no verification, and a verification is deleted long before its entries.
                let id = second % 7000 == 0 ? Verification.ID(bits: 9, UInt64(second)) : nil
                let entry = AuditEntry(
                    at: moment,
                    action: .begin,
                    owner: .local,
                    verificationID: id,
                    numberDigest: second % 3500 == 0 ? digest : NumberDigest(rawValue: "test:+821022222222")
                )
                return .auditEntry(AuditRecord.serial(at: moment, 0), entry)
            }
            try await scene.store.restore((1...31_500).map(entry))
            scene.advance(by: day)

            #expect(try await scene.export(device.account)?.audit.count == 3 + 9)
            let command = try EraseNumber(number, digester: PlainNumberDigester(), now: scene.now)
            #expect(try await scene.store.erase(command).auditEntries == 3 + 9)
            var query = AuditQuery(limit: 10)
            query.numberDigests = [digest]
            #expect(try await scene.store.entries(query).entries == [])
        },
    ]
}
