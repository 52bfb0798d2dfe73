import PhoneAdministration
import PhoneDomain
import PhoneStore
import PhoneTestSupport
import Testing

extension StoreSuite {
    static let copyingRules: [StoreRule] =
        (1...2).flatMap { seed in
            [
                StoreRule("random history \(seed) goes on in a copy of this store", policy: { try .hurried() }) {
                    scene in
                    try await checkThatHistoryGoesOn(seed, from: scene, in: MemoryStore(records: StoreSuite.types))
                },
                StoreRule(
                    "random history \(seed) goes on in this store, copied from another",
                    policy: { try .hurried() }
                ) {
                    scene in
                    let source = try StoreScene(store: MemoryStore(records: StoreSuite.types), policy: scene.policy)
                    try await checkThatHistoryGoesOn(seed, from: source, in: scene.store)
                },
            ]
        } + [
            StoreRule("records of every kind are given back as they were restored, page by page") { scene in
                let records = SampleRecords.all
                #expect(Set(records.map(\.kind)) == Set(scene.store.recordTypes.tables.map(\.name)))
                for type in scene.store.recordTypes.all {
                    let expected = records.filter { $0.kind == type.table.name }
                    try await scene.store.restore(expected.reversed())
                    #expect(try await scene.store.count(of: type) == expected.count)
                    for limit in 1...3 {
                        let found = try await pages(of: type, limit: limit, in: scene.store)
                        #expect(found == expected)
                        // Equal texts may be of other bytes (Unicode Standard Annex 15).
                        #expect(found.map(\.encoded) == expected.map(\.encoded))
                    }
                }
            },
            StoreRule("records are restored all or none") { scene in
                for type in scene.store.recordTypes.all {
                    let records = SampleRecords.all.filter { $0.kind == type.table.name }
                    try await scene.store.restore([records[1]])
                    await #expect(throws: (any Error).self) { try await scene.store.restore(records) }
                    #expect(try await scene.store.records(of: type, after: nil, limit: 9) == [records[1]])
                    try await scene.store.restore([records[0]])
                    #expect(try await scene.store.records(of: type, after: nil, limit: 9) == Array(records.prefix(2)))
                }
            },
            StoreRule("what is written to the audit trail comes behind what was restored") { scene in
                let entries = SampleRecords.all.filter { $0.kind == AuditRecord.table.name }
                try await scene.store.restore(entries)
                try await scene.request()
                let all = try await scene.store.records(of: AuditRecord.self, after: nil, limit: 9)
                #expect(all.dropLast() == entries[...])
                #expect(all.count == entries.count + 1)
                let last = try #require(try all.last?.record(as: AuditRecord.self))
                #expect(last.serial > SampleRecords.lastSerial)
                #expect(last.entry.action == .begin)
            },
            StoreRule("a code that was sent from one store is good in another, and its message is settled there") {
                scene in
                let source = try StoreScene(store: MemoryStore(records: StoreSuite.types), policy: scene.policy)
                let begun = try await source.request()
                let claimed = try await source.claim()
                let result = try await copy(from: source, to: scene)
                #expect(result.isComplete)
                let moved = try source.moved(to: scene.store)
                #expect(try await moved.claim().isEmpty)
                #expect(try await moved.settle(claimed[0], .sent(gateway: "stub", gatewayMessageID: "SM1")))
                #expect(try await moved.check(StoreScene.rightCode, begun.id).recordedStatus == .approved)
                #expect(try await moved.signUp(begun.id).account.createdBy == begun.id)
            },
            StoreRule("a limit that was used up stays so in another store") { scene in
                let limits = LimitPolicy.only {
                    $0.sendsByAddress = [RateLimit(quota: 1, window: .seconds(60))].compactMap(\.self)
                }
                let source = MemoryStore(records: StoreSuite.types)
                let before = try LimitScene(source, limits: limits)
                try await before.request("010-1111-1111", from: LimitScene.address)
                let result = try await StoreCopy(from: source, to: scene.store, digester: PlainRequestAuthenticator())
                    .run()
                #expect(result.isComplete)
                let after = try LimitScene(scene.store, limits: limits, clock: before.clock)
                let refused = try await refusingLimits {
                    try await after.request("010-2222-2222", from: LimitScene.address)
                }
                #expect(refused == ["address-sends-1m"])
            },
        ]

    private static func copy(from source: StoreScene, to target: StoreScene) async throws -> CopyResult {
        try await StoreCopy(from: source.store, to: target.store, digester: PlainRequestAuthenticator()).run()
    }

    /// Every record of a kind, N at once.
    private static func pages(
        of type: any Record.Type,
        limit: Int,
        in store: any PortableStore
    ) async throws -> [StoredRecord] {
        var all: [StoredRecord] = []
        while true {
            let page = try await store.records(of: type, after: all.last?.key, limit: limit)
            #expect(page.count <= limit)
            all += page
            if page.count < limit { return all }
        }
    }

    /// A history is begun in one store and goes on in a copy of it, and gives what it gives where nothing is copied.
    private static func checkThatHistoryGoesOn(
        _ seed: Int,
        from scene: StoreScene,
        in target: any SQLStore
    ) async throws {
        var history = RandomHistory(seed: UInt64(seed))
        var model = history
        let modelScene = try StoreScene(store: MemoryStore(records: StoreSuite.types), policy: scene.policy)
        for _ in 1...500 {
            _ = try await history.step(scene)
            _ = try await model.step(modelScene)
        }
        let copy = StoreCopy(from: scene.store, to: target, digester: PlainRequestAuthenticator(), pageSize: 3)
        let result = try await copy.run()
        #expect(result.isComplete)
        // A copy of nothing would prove little.
        let kinds: Set = [
            "account", "verification", "outbox_message", "number_activity", "traffic", "audit_entry",
        ]
        #expect(Set(result.parts.filter { $0.target.count > 1 }.map(\.kind)).isSuperset(of: kinds))
        let moved = try scene.moved(to: target)
        for step in 1...500 {
            let answer = try await history.step(moved)
            let expected = try await model.step(modelScene)
            guard answer == expected else {
                Issue.record("step \(step): \(answer), where memory gives \(expected)")
                return
            }
        }
    }
}
