import PhoneAdministration
import PhoneDomain
import PhoneSignup
import PhoneTestSupport
import Testing

extension StoreSuite {
    static let auditRules = [
        auditRule("every act leaves one entry, and nothing else does") { scene in
            let begun = try await scene.request()
            scene.clock.advance(by: .seconds(10))
            await #expect(throws: PhoneFailure.self) { try await scene.request() }
            scene.clock.advance(by: .seconds(20))
            try await scene.request()
            scene.clock.advance(by: .seconds(1))
            let wrong = await #expect(throws: PhoneFailure.self) {
                try await scene.check(StoreScene.wrongCode, begun.id)
            }
            #expect(wrong?.checksLeft == 4)
            await #expect(throws: PhoneFailure.malformedCode(length: 6)) { try await scene.check("1", begun.id) }
            await #expect(throws: PhoneFailure.malformedCode(length: 6)) {
                try await scene.useCase.signUp("", for: begun.id, context: scene.context)
            }
            scene.clock.advance(by: .seconds(1))
            try await scene.check(StoreScene.rightCode, begun.id)
            scene.clock.advance(by: .seconds(1))
            try await scene.check(StoreScene.rightCode, begun.id)
            scene.clock.advance(by: .seconds(1))
            _ = try await scene.useCase.signUp(StoreScene.rightCode, for: begun.id, context: scene.context)
            _ = try await scene.useCase.signUp(StoreScene.rightCode, for: begun.id, context: scene.context)
            scene.clock.advance(by: .seconds(70))
            await #expect(throws: PhoneFailure.verificationClosed) {
                try await scene.check(StoreScene.rightCode, begun.id)
            }
            await #expect(throws: PhoneFailure.verificationClosed) {
                try await scene.useCase.cancel(begun.id, owner: AuditScene.shop)
            }
            await #expect(throws: PhoneFailure.verificationNotFound) {
                try await scene.useCase.cancel(begun.id, owner: StoreScene.bob)
            }
            let second = try await scene.request()
            _ = try await scene.useCase.cancel(second.id, owner: AuditScene.shop)
            _ = try await scene.useCase.cancel(second.id, owner: AuditScene.shop)

            #expect(
                try await scene.trail() == [
                    scene.entry(104, .cancel, second.id, address: nil),
                    scene.entry(
                        104,
                        .begin,
                        second.id,
                        verdict: .allow,
                        reasons: [.sampleSmall],
                        measure: AuditScene.measure(2, 1)
                    ),
                    scene.entry(34, .repeatApproval, begun.id),
                    scene.entry(34, .signUp, begun.id),
                    scene.entry(33, .repeatApproval, begun.id),
                    scene.entry(32, .approve, begun.id),
                    scene.entry(31, .mismatch, begun.id),
                    scene.entry(
                        30,
                        .resend,
                        begun.id,
                        verdict: .allow,
                        reasons: [.sampleSmall],
                        measure: AuditScene.measure(1, 0)
                    ),
                    scene.entry(
                        0,
                        .begin,
                        begun.id,
                        verdict: .allow,
                        reasons: [.sampleSmall],
                        measure: AuditScene.measure(0, 0)
                    ),
                ]
            )
        },
        StoreRule("a suppressed message leaves its audit entry, whether the caller hears of it or not") { scene in
            let clock = ManualClock(StoreScene.start)
            let identifiers = CountingIdentifiers()
            func guarded(_ answer: GuardPolicy.Answer) throws -> AuditScene {
                let trafficGuard = try GuardPolicy(answer: answer, prefixSample: 5)
                return try AuditScene(
                    scene.store,
                    clock: clock,
                    identifiers: identifiers,
                    trafficGuard: trafficGuard
                )
            }
            let telling = try guarded(.refuse)
            let silent = try guarded(.silent)
            for last in 1...5 { try await telling.request("010-1234-000\(last)") }
            await #expect(throws: PhoneFailure.self) { try await telling.request() }
            // Once there was time for approvals, the prefix is closed.
            clock.advance(by: .seconds(4200))
            await #expect(throws: PhoneFailure.self) { try await telling.request() }
            let begun = try await silent.request()
            #expect(
                try await Array(telling.trail().prefix(3)) == [
                    telling.entry(
                        4200,
                        .suppress,
                        begun.id,
                        verdict: .block,
                        reasons: [.prefixBlocked],
                        measure: AuditScene.measure(5, 0, 5)
                    ),
                    telling.entry(
                        4200,
                        .suppress,
                        nil,
                        verdict: .block,
                        reasons: [.prefixConversionLow],
                        measure: AuditScene.measure(5, 0, 5)
                    ),
                    telling.entry(
                        0,
                        .suppress,
                        nil,
                        verdict: .challenge,
                        reasons: [.prefixConversionPending],
                        measure: AuditScene.measure(5, 0, 5)
                    ),
                ]
            )
            #expect(try await telling.trail().count == 8)
        },
        auditRule("what cannot be written down is not done") { scene in
            let mute = try scene.replacing(digester: BrokenDigester())
            #expect(try await scene.isUnavailable { try await mute.request() })
            #expect(try await scene.store.nextAttempt() == nil)

            let begun = try await scene.request()
            let message = try #require(
                try await scene.store.claim(limit: 9, at: begun.createdAt, until: begun.expiresAt).first?.message
            )
            scene.clock.advance(by: .seconds(30))
            #expect(try await scene.isUnavailable { try await mute.request() })
            #expect(try await scene.isUnavailable { try await mute.check(StoreScene.wrongCode, begun.id) })
            #expect(try await scene.isUnavailable { try await mute.check(StoreScene.rightCode, begun.id) })
            #expect(
                try await scene.isUnavailable { _ = try await mute.useCase.cancel(begun.id, owner: AuditScene.shop) }
            )
            #expect(try await scene.store.verification(begun.id) == begun)
            #expect(try await scene.store.nextAttempt() == message.nextAttemptAt)

            let approved = try await scene.check(StoreScene.rightCode, begun.id)
            #expect(try await scene.isUnavailable { try await mute.check(StoreScene.rightCode, begun.id) })
            #expect(
                try await scene.isUnavailable {
                    _ = try await mute.useCase.signUp(StoreScene.rightCode, for: begun.id, context: scene.context)
                }
            )
            #expect(try await scene.store.verification(begun.id) == approved)
            #expect(try await scene.trail().map(\.action) == [.approve, .begin])
        },
        auditRule("what is not done is not written down") { scene in
            let keyless = try scene.replacing(vault: BrokenVault())
            #expect(try await scene.isUnavailable { try await keyless.request() })
            let begun = try await scene.request()
            #expect(try await scene.isUnavailable { try await keyless.check(StoreScene.rightCode, begun.id) })
            #expect(try await scene.store.verification(begun.id) == begun)
            #expect(try await scene.trail().map(\.action) == [.begin])
        },
        auditRule("of many at once each act leaves one entry") { scene in
            let begun = try await scene.request()
            try await atOnce(50) { index in
                try? await scene.check(index.isMultiple(of: 5) ? StoreScene.rightCode : StoreScene.wrongCode, begun.id)
            }
            let left = try #require(try await scene.store.verification(begun.id)).checksLeft
            let actions = try await scene.trail().map(\.action)
            // Counted before #expect: Swift 6.3 mixes up closures within the macro with those beside it.
            let begins = actions.count { $0 == .begin }
            let approvals = actions.count { $0 == .approve }
            // Each check that was counted, and at most one that ended the time for repeating.
            let compared = actions.count { $0 == .approve || $0 == .mismatch }
            #expect(begins == 1)
            #expect(approvals <= 1)
            #expect(compared == 5 - left || compared == 6 - left)
        },
        auditRule("entries are found by what they are asked for") { scene in
            let one = try await scene.request()
            scene.clock.advance(by: .seconds(10))
            var other = scene
            other.context.owner = StoreScene.bob
            let two = try await other.request("010-8765-4321")
            scene.clock.advance(by: .seconds(10))
            try await scene.check(StoreScene.rightCode, one.id)

            func found(_ change: (inout AuditQuery) -> Void) async throws -> [Verification.ID?] {
                var query = AuditQuery(limit: 10)
                change(&query)
                return try await scene.store.entries(query).entries.map(\.verificationID)
            }
            let digests = [
                NumberDigest(rawValue: "gone:1"), NumberDigest(rawValue: "test:+821012345678"),
                NumberDigest(rawValue: "test:+821012345678"),
            ]
            #expect(try await found { _ in } == [one.id, two.id, one.id])
            #expect(try await found { $0.numberDigests = digests } == [one.id, one.id])
            #expect(
                try await found { $0.numberDigests = digests + [NumberDigest(rawValue: "test:+821087654321")] }
                    == [one.id, two.id, one.id]
            )
            #expect(try await found { $0.numberDigests = [] } == [])
            #expect(try await found { $0.verificationID = two.id } == [two.id])
            #expect(try await found { $0.owner = StoreScene.bob } == [two.id])
            #expect(try await found { $0.action = .begin } == [two.id, one.id])
            #expect(try await found { $0.since = StoreScene.start + .seconds(10) } == [one.id, two.id])
            #expect(try await found { $0.until = StoreScene.start + .seconds(10) } == [one.id])
            #expect(
                try await found {
                    $0.owner = AuditScene.shop
                    $0.action = .approve
                    $0.numberDigests = digests
                    $0.since = StoreScene.start
                } == [one.id]
            )
            #expect(try await found { $0.action = .erase } == [])
        },
        auditRule("pages give every entry once, whatever the clock did") { scene in
            for seconds in [0, 0, 5, -3, 0, -2, 0] {
                scene.clock.advance(by: .seconds(seconds))
                let last = (try await scene.trail().count)
                try await scene.request("010-1234-500\(last)")
            }
            let all = try await scene.trail()
            #expect(all.map { $0.at - StoreScene.start } == [5, 2, 2, 0, 0, 0, 0].map { Duration.seconds($0) })
            for filters in [[], all.compactMap(\.numberDigest)] {
                var query = AuditQuery(limit: 2)
                query.numberDigests = filters.isEmpty ? nil : filters
                var paged: [AuditEntry] = []
                repeat {
                    let page = try await scene.store.entries(query)
                    #expect(page.entries.count == (page.next == nil ? 1 : 2))
                    paged += page.entries
                    query.before = page.next
                } while query.before != nil
                #expect(paged == all)
            }
            let page = try await scene.store.entries(AuditQuery(limit: 7))
            #expect(page.entries.count == 7 && page.next == nil)
        },
        auditRule("old entries are purged, the oldest first, and no others") { scene in
            for last in 1...5 {
                try await scene.request("010-1234-500\(last)")
                scene.clock.advance(by: .seconds(1))
            }
            let all = try await scene.trail()
            #expect(try await scene.store.purgeAudit(before: StoreScene.start + .seconds(3), limit: 2) == 2)
            #expect(try await scene.trail() == Array(all.prefix(3)))
            #expect(try await scene.store.purgeAudit(before: StoreScene.start + .seconds(3), limit: 2) == 1)
            #expect(try await scene.store.purgeAudit(before: StoreScene.start + .seconds(3), limit: 2) == 0)
            #expect(try await scene.trail() == Array(all.prefix(2)))
            // What is purged is the trail alone.
            #expect(try await scene.store.claim(limit: 9, at: scene.clock.now(), until: scene.clock.now()).count == 5)
        },
        StoreRule("a random history leaves the trail that it leaves in memory", policy: { try .hurried() }) { scene in
            var history = RandomHistory(seed: 77)
            var model = history
            let modelScene = try StoreScene(store: MemoryStore(), policy: scene.policy)
            for _ in 1...600 {
                _ = try await history.step(scene)
                _ = try await model.step(modelScene)
            }
            let trail = try await scene.store.entries(AuditQuery(limit: 10_000)).entries
            #expect(trail == (try await modelScene.store.entries(AuditQuery(limit: 10_000)).entries))
            #expect(trail.count > 100)
        },
    ]
}
