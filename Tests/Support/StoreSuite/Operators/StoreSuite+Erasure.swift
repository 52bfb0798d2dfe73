import PhoneAdministration
import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneTestSupport
import Testing

extension StoreSuite {
    static let erasureRules = [
        auditRule("of a person who is erased nothing is left but that something was done") { scene in
            let begun = try await scene.request()
            try await scene.check(StoreScene.rightCode, begun.id)
            let account = try await scene.useCase.signUp(StoreScene.rightCode, for: begun.id, context: scene.context)
                .account
            scene.clock.advance(by: .seconds(60))
            var guided = scene
            guided.context.owner = .signup(Signup.ID(bits: 0, 1))
            let pending = try await guided.request()
            var signup = signup(1, phoneText: "010-1111-1111")
            signup.verificationID = pending.id
            try await scene.store.insert(signup)
            try await scene.store.insert(Self.signup(2, phoneText: "０１０ 1234-5678"))
            try await scene.store.insert(Self.signup(3, phoneText: "+82 10 1234 5678"))
            try await scene.store.insert(Self.signup(4, phoneText: "010-1234-567"))

            let erasure = try await scene.store.erase(try scene.erasing())
            var expected = Erasure()
            (expected.accounts, expected.verifications, expected.messages, expected.signups) = (1, 2, 2, 3)
            (expected.rows, expected.auditEntries) = (["number_activity": 1], 4)
            #expect(erasure == expected)
            #expect(try await scene.store.account(account.id) == nil)
            #expect(try await scene.store.verification(begun.id) == nil)
            #expect(try await scene.store.verification(pending.id) == nil)
            for number: UInt64 in 1...3 { #expect(try await scene.store.signup(Signup.ID(bits: 0, number)) == nil) }
            #expect(try await scene.store.signup(Signup.ID(bits: 0, 4)) == Self.signup(4, phoneText: "010-1234-567"))
            #expect(try await scene.store.nextAttempt() == nil)

            #expect(
                try await scene.trail() == [
                    scene.unlinked(60, .erase, nil, .local, region: nil),
                    scene.unlinked(
                        60,
                        .begin,
                        pending.id,
                        nil,
                        verdict: .allow,
                        reasons: [.sampleSmall],
                        measure: AuditScene.measure(1, 1)
                    ),
                    scene.unlinked(0, .signUp, begun.id, AuditScene.shop),
                    scene.unlinked(0, .approve, begun.id, AuditScene.shop),
                    scene.unlinked(
                        0,
                        .begin,
                        begun.id,
                        AuditScene.shop,
                        verdict: .allow,
                        reasons: [.sampleSmall],
                        measure: AuditScene.measure(0, 0)
                    ),
                ]
            )
        },
        auditRule("of others nothing is erased") { scene in
            let phones = ["010-1234-5679", "010-1234-5678", "010-1234-5677"]
            var begun: [Verification] = []
            for phone in phones { begun.append(try await scene.request(phone)) }
            try await scene.check(StoreScene.rightCode, begun[0].id)
            let account = try await scene.useCase.signUp(StoreScene.rightCode, for: begun[0].id, context: scene.context)
                .account
            let consumed = try await scene.store.verification(begun[0].id)
            try await scene.store.insert(signup(1, phoneText: phones[0]))
            let before = try await scene.trail()

            var expected = Erasure()
            (expected.verifications, expected.messages, expected.auditEntries) = (1, 1, 1)
            expected.rows = ["number_activity": 1]
            #expect(try await scene.store.erase(try scene.erasing()) == expected)
            #expect(try await scene.store.account(account.id) == account)
            #expect(try await scene.store.verification(begun[0].id) == consumed)
            #expect(try await scene.store.verification(begun[2].id) == begun[2])
            #expect(try await scene.store.signup(Signup.ID(bits: 0, 1)) == signup(1, phoneText: phones[0]))
            #expect(
                try await scene.trail().dropFirst()
                    == before.map { $0.verificationID == begun[1].id ? $0.unlinked : $0 }[...]
            )
            await #expect(throws: PhoneFailure.resendTooSoon(nextSendAt: StoreScene.start + .seconds(30))) {
                try await scene.request(phones[2])
            }
        },
        auditRule("a second erasure finds nothing and leaves no entry") { scene in
            #expect(try await scene.store.erase(try scene.erasing()).isEmpty)
            #expect(try await scene.trail() == [])
            try await scene.request()
            #expect(try await scene.store.erase(try scene.erasing()).isEmpty == false)
            let trail = try await scene.trail()
            #expect(trail.map(\.action) == [.erase, .begin])
            #expect(try await scene.store.erase(try scene.erasing()).isEmpty)
            #expect(try await scene.trail() == trail)
            try await scene.store.removeTraces()
            try await scene.store.removeTraces()
        },
        auditRule("a message in flight when its number is erased is settled without a trace") { scene in
            let begun = try await scene.request()
            let message = try #require(
                try await scene.store.claim(limit: 1, at: begun.createdAt, until: begun.expiresAt).first?.message
            )
            _ = try await scene.store.erase(try scene.erasing())
            let trail = try await scene.trail()
            for result: DeliveryResult in [
                .sent(gateway: "stub", gatewayMessageID: "1"), .failed("no gateway accepted it"), .dropped,
            ] {
                let settling = SettleMessage(id: message.id, attempt: 1, result: result, now: begun.createdAt)
                #expect(try await scene.store.settle(settling) == false)
            }
            #expect(try await scene.trail() == trail)
            #expect(try await scene.store.verification(begun.id) == nil)
            #expect(try await scene.store.nextAttempt() == nil)
        },
        auditRule("an erased number begins anew, as does its account") { scene in
            let first = try await scene.request()
            for _ in 1...5 { _ = try? await scene.check(StoreScene.wrongCode, first.id) }
            _ = try await scene.store.erase(try scene.erasing())
            await #expect(throws: PhoneFailure.verificationNotFound) {
                try await scene.check(StoreScene.rightCode, first.id)
            }
            let second = try await scene.request()
            #expect(second.id != first.id)
            #expect(second.checksLeft == 5)
            try await scene.check(StoreScene.rightCode, second.id)
            #expect(
                try await scene.useCase.signUp(StoreScene.rightCode, for: second.id, context: scene.context).isNew
            )
        },
        StoreRule("entries under a removed key are known by their verification, as long as it or its account is there")
        {
            scene in
            let old = try AuditScene(scene.store, digester: KeyedPlainDigester(keys: ["old"]))
            let begun = try await old.request()
            try await old.check(StoreScene.rightCode, begun.id)
            _ = try await old.useCase.signUp(StoreScene.rightCode, for: begun.id, context: old.context)
            // The verification goes, its account stays.
            #expect(try await scene.store.purge(before: StoreScene.start + .seconds(90_000), limit: 100) > 0)
            #expect(try await scene.store.verification(begun.id) == nil)
            let number = try PhoneNumber(e164: "+821012345678")
            let command = try EraseNumber(
                number,
                digester: KeyedPlainDigester(keys: ["new"]),
                now: StoreScene.start
            )
            #expect(try await scene.store.erase(command).auditEntries == 3)
            #expect(try await old.trail().allSatisfy { $0 == $0.unlinked })
        },
        StoreRule("entries about a verification are unlinked for as long as a change of number by it can be undone") {
            scene in
            let clock = ManualClock(StoreScene.start)
            let identifiers = OrderedIdentifiers(random: CountingIdentifiers(), clock: clock)
            let digester = KeyedPlainDigester(keys: ["old"])
            let old = try AuditScene(scene.store, clock: clock, digester: digester, identifiers: identifiers)
            let first = try await old.request()
            try await old.check(StoreScene.rightCode, first.id)
            _ = try await old.useCase.signUp(StoreScene.rightCode, for: first.id, context: old.context)
            let entries = [
                (1, first.id), (2_595_600, first.id), (2_595_600, Verification.ID(bits: first.id.bits.0, 9)),
            ]
            .map { old.entry($0, .leaveNumber, $1) }
            for entry in entries { try await scene.store.record(entry) }
            // Months later another one of the same number.
            clock.advance(by: .seconds(90 * 86_400))
            _ = try await old.request()
            let command = try EraseNumber(
                try PhoneNumber(e164: "+821012345678"),
                digester: KeyedPlainDigester(keys: ["new"]),
                now: clock.now()
            )
            #expect(try await scene.store.erase(command).auditEntries == 6)
            let linked = try await old.trail().filter { $0 != $0.unlinked }
            #expect(linked == [entries[2]])
        },
        StoreRule("entries under every key of the file are unlinked") { scene in
            for key in ["old", "new"] {
                let scene = try AuditScene(scene.store, digester: KeyedPlainDigester(keys: [key]))
                let begun = try await scene.request(StoreScene.phone)
                _ = try await scene.useCase.cancel(begun.id, owner: AuditScene.shop)
                #expect(try await scene.store.purge(before: StoreScene.start + .seconds(90_000), limit: 100) > 0)
            }
            let command = try EraseNumber(
                try PhoneNumber(e164: "+821012345678"),
                digester: KeyedPlainDigester(keys: ["new", "old"]),
                now: StoreScene.start
            )
            #expect(try await scene.store.erase(command).auditEntries == 4)
        },
    ]
}

/// A digester whose digests name their key and hide nothing.
private struct KeyedPlainDigester: NumberDigester {
    let keys: [String]

    func digest(of text: String) -> NumberDigest { NumberDigest(rawValue: "\(keys[0]):\(text)") }

    func digests(of text: String) -> [NumberDigest] { keys.map { NumberDigest(rawValue: "\($0):\(text)") } }
}

extension AuditScene {
    /// The erasure of the scene's number, now.
    func erasing() throws -> EraseNumber {
        try EraseNumber(
            try PhoneNumber(e164: "+821012345678"),
            digester: PlainNumberDigester(),
            now: clock.now()
        )
    }

    fileprivate func unlinked(
        _ seconds: Int64,
        _ action: AuditEntry.Action,
        _ id: Verification.ID?,
        _ owner: Owner?,
        region: Region? = .korea,
        verdict: GuardVerdict.Action? = nil,
        reasons: [GuardVerdict.Reason] = [],
        measure: GuardMeasure? = nil
    ) -> AuditEntry {
        AuditEntry(
            at: StoreScene.start + .seconds(seconds),
            action: action,
            owner: owner,
            verificationID: id,
            region: region,
            verdict: verdict,
            reasons: reasons,
            measure: measure
        )
    }
}
