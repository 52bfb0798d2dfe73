import PhoneAdministration
import PhoneNumbers
import PhoneSignup
import PhoneStore
import PhoneTestSupport
import Testing

@testable import PhoneDomain

extension StoreSuite {
    /// A use case with a number that people send to, over a scene's store.
    private struct InboundScene {
        let scene: StoreScene
        let useCase: VerificationUseCase

        init(_ scene: StoreScene, keys: [String] = ["test"], after last: UInt64 = 1000) throws {
            self.scene = scene
            let numbers: [Routes.Destination: String] = [.region(.korea): "+82215881234"]
            useCase = try VerificationUseCase.plain(
                over: scene.store,
                code: StoreScene.rightCode,
                policy: scene.policy,
                abusePolicy: scene.abusePolicy,
                inbound: InboundNumbers(numbers, service: "PhoneProof", deriver: PlainSecretDeriver(keys: keys)),
                identifiers: CountingIdentifiers(after: last),
                clock: ManualClock(scene.now)
            )
        }

        func begin(
            _ channel: Channel? = .inbound,
            as owner: Owner = StoreScene.alice
        ) async throws -> BeginVerification.Answer {
            try await useCase.begin(
                StoreScene.phone,
                VerificationOptions(channel: channel),
                context: scene.context(owner)
            )
        }

        func text(_ verification: Verification) throws -> String {
            try #require(try useCase.instruction(for: verification)).text
        }

        @discardableResult
        func receive(_ text: String, from number: String = StoreScene.phone) async throws -> Verification {
            let sender = try PhoneNumber(parsing: number, region: .korea)
            return try await useCase.receive(InboundMessage(from: sender, text: text))
        }
    }

    static let inboundRules = [
        StoreRule("a message from the number approves the verification with its word, and signs up without a code") {
            scene in
            let inbound = try InboundScene(scene)
            let begun = try await inbound.begin()
            #expect(begun.isNew && begun.message == nil)
            #expect((begun.verification.channel, begun.verification.sendsLeft) == (.inbound, 5))
            #expect(try await scene.claim().isEmpty)
            #expect(try await scene.store.activeNumbers(sends: 1, failures: 1, after: "", limit: 9).isEmpty)
            let (id, text) = (begun.verification.id, try inbound.text(begun.verification))
            // Nobody signs up before, with or without what was on the screen.
            for code in ["", StoreScene.wrongCode, StoreScene.rightCode] {
                let refusal = try await scene.refusal { try await scene.signUp(id, code: code) }
                #expect(refusal?.code == (code.isEmpty ? "invalid_request" : "code_incorrect"))
            }
            #expect(try await scene.store.activeNumbers(sends: 1, failures: 1, after: "", limit: 9).isEmpty)
            #expect(try await scene.refusal { try await inbound.receive("PhoneProof 222222") } == .verificationNotFound)
            let stranger = try await scene.refusal { try await inbound.receive(text, from: "010-8765-4321") }
            #expect(stranger == .verificationNotFound)
            #expect(try await scene.store.verification(id)?.recordedStatus == .pending)

            let approved = try await inbound.receive(text)
            #expect((approved.id, approved.recordedStatus, approved.checksLeft) == (id, .approved, 3))
            #expect(try inbound.useCase.instruction(for: approved) == nil)
            #expect(try await scene.refusal { try await inbound.receive(text) } == .verificationNotFound)
            // Only its owner uses it, and once; a lost answer is repeated.
            let bob = try await scene.refusal { try await scene.signUp(id, code: "", as: StoreScene.bob) }
            #expect(bob == .verificationNotFound)
            let account = try await scene.signUp(id, code: "").account
            #expect(try await scene.signUp(id, code: "").account == account)
            let address = ClientAddress("203.0.113.7")
            let other = try await scene.refusal { try await scene.signUp(id, code: "", from: address) }
            #expect(other == .verificationClosed)
            let page = try await scene.store.entries(AuditQuery(limit: 9))
            #expect(page.entries.map(\.action) == [.signUp, .approve, .mismatch, .mismatch, .begin])
            #expect(page.entries.map(\.owner) == Array(repeating: StoreScene.alice, count: 5))
        },
        StoreRule("each owner's verification has a word of its own, which no other approves") { scene in
            let inbound = try InboundScene(scene)
            let (mine, theirs) = (try await inbound.begin(), try await inbound.begin(as: StoreScene.bob))
            #expect(try inbound.text(mine.verification) != inbound.text(theirs.verification))
            #expect(try await inbound.receive(inbound.text(theirs.verification)).id == theirs.verification.id)
            #expect(try await scene.store.verification(mine.verification.id)?.recordedStatus == .pending)
        },
        StoreRule("the channel may change in between: the code stays, and the word counts while it is asked for") {
            scene in
            let inbound = try InboundScene(scene)
            let sent = try await inbound.begin(nil).verification
            #expect((sent.channel, sent.sendsLeft) == (.sms, 4))
            #expect(try inbound.useCase.instruction(for: sent) == nil)
            let asked = try await inbound.begin()
            #expect(!asked.isNew && asked.message == nil)
            #expect((asked.verification.id, asked.verification.channel) == (sent.id, .inbound))
            #expect((asked.verification.sendsLeft, asked.verification.code) == (4, sent.code))
            let text = try inbound.text(asked.verification)
            // Back to a message: the word is void.
            scene.advance(by: .seconds(30))
            let later = try InboundScene(scene, after: 2000)
            let again = try await later.begin(nil)
            #expect((again.verification.id, again.verification.channel) == (sent.id, .sms))
            #expect(again.message?.channel == .sms)
            #expect(try await scene.refusal { try await later.receive(text) } == .verificationNotFound)
            // The code in the message is still the right one.
            #expect(try await scene.check(StoreScene.rightCode, sent.id).recordedStatus == .approved)
        },
        StoreRule("a number that is proven by a message from it is no success of the gateway that sent it a code") {
            scene in
            let inbound = try InboundScene(scene)
            _ = try await inbound.begin(nil)
            let message = try await scene.claim()[0]
            #expect(try await scene.settle(message, .sent(gateway: "a", gatewayMessageID: nil)))
            let asked = try await inbound.begin().verification
            #expect(try await inbound.receive(inbound.text(asked)).recordedStatus == .approved)
            // IDs of this test have no time in front.
            let samples = try await scene.store.routeSamples(from: Timestamp(seconds: 0), to: scene.now, limit: 9)
            #expect(samples.map(\.gateway) == ["a"])
            #expect(samples.map(\.approvedAfter) == [nil])
        },
        StoreRule("a verification whose checks are used up is approved by no message, and begun by none") { scene in
            let inbound = try InboundScene(scene)
            let begun = try await inbound.begin().verification
            let text = try inbound.text(begun)
            for _ in 1...5 { _ = try await scene.refusal(of: StoreScene.wrongCode, begun.id) }
            #expect(try await scene.refusal { try await inbound.receive(text) } == .verificationNotFound)
            #expect(try await scene.refusal { try await inbound.begin() }?.code == "max_checks_reached")
        },
        StoreRule("a word under an older key counts, and an approval is used by one of many at once") { scene in
            let inbound = try InboundScene(scene)
            let begun = try await inbound.begin().verification
            let text = try inbound.text(begun)
            let rotated = try InboundScene(scene, keys: ["new", "test"])
            #expect(try rotated.text(begun) != text)
            let results = try await atOnce(8) { _ in
                try await result { try await rotated.receive(text) }
            }
            #expect(results.count { (try? $0.get()) != nil } == 1)
            let accounts = try await atOnce(8) { index in
                try await result {
                    try await scene.signUp(begun.id, code: "", from: ClientAddress("203.0.113.\(index)"))
                }
            }
            #expect(accounts.count { (try? $0.get()) != nil } == 1)
        },
        StoreRule(
            "however often a message from a number is asked for and guessed at, others use the number",
            abusePolicy: {
                var policy = AbusePolicy.none
                policy.limits.sendsByPrefix = [try #require(RateLimit(quota: 12, window: .seconds(3600)))]
                return policy
            }
        ) { scene in
            let inbound = try InboundScene(scene)
            func begin(_ number: String, _ index: Int, _ channel: Channel? = .inbound) async throws -> [String] {
                try await refusingLimits {
                    let owner = Owner.operator("stranger \(index)")
                    let context = scene.context(owner)
                    let begun = try await inbound.useCase.begin(
                        number,
                        VerificationOptions(channel: channel),
                        context: context
                    )
                    for digit in 1...5 {
                        _ = try await scene.refusal(of: "00000\(digit)", begun.verification.id, as: owner)
                    }
                }
            }
            for index in 0..<10 { #expect(try await begin(StoreScene.phone, index) == []) }
            #expect(try await begin(StoreScene.phone, 10) == ["number-inbound-1d"])
            #expect(try await begin("010-1234-0001", 11) == [])
            #expect(try await begin("010-1234-0002", 12) == [])
            #expect(try await begin("010-1234-0003", 13) == ["prefix-inbound-1h"])
            #expect(try await scene.store.activeNumbers(sends: 1, failures: 1, after: "", limit: 9).isEmpty)
            #expect(try await begin(StoreScene.phone, 14, .sms) == [])
            let keys = try await scene.store.metersInUse(at: scene.now, limit: 99).map(\.key.description)
            #expect(keys.contains("number-inbound-1d +821012345678"))
        },
        StoreRule(
            "a test number is verified by no message, and a request counts for its address",
            abusePolicy: {
                var policy = AbusePolicy.none
                policy.limits.sendsByAddress = [try #require(RateLimit(quota: 2, window: .seconds(3600)))]
                let (number, code) = (
                    try PhoneNumber(parsing: "010-0000-0001", region: .korea), try #require(VerificationCode("111111"))
                )
                policy.testNumbers = TestNumbers([number: code], until: StoreScene.start + .seconds(86_400))
                return policy
            }
        ) { scene in
            let inbound = try InboundScene(scene)
            let context = scene.context(StoreScene.alice, from: ClientAddress("203.0.113.7"))
            func begin(_ number: String) async throws -> PhoneFailure? {
                try await scene.refusal {
                    try await inbound.useCase.begin(number, VerificationOptions(channel: .inbound), context: context)
                }
            }
            let test = try await begin("010-0000-0001")
            #expect(test == .channelUnavailable(.inbound, offered: [.sms]))
            for number in ["010-1111-1111", "010-2222-2222"] {
                #expect(try await begin(number) == nil)
            }
            #expect(try await begin("010-3333-3333")?.code == "rate_limited")
        },
        StoreRule(
            "a call that costs as much as three SMS counts as three for all but its client, and once for the guard",
            abusePolicy: {
                var policy = AbusePolicy.none
                let four = [try #require(RateLimit(quota: 4, window: .seconds(3600)))]
                (policy.limits.sendsByPrefix, policy.limits.dailyBudget) = (four, 7)
                policy.limits.sendsByAddress = [try #require(RateLimit(quota: 7, window: .seconds(3600)))]
                policy.trafficGuard = GuardPolicy.standard
                return policy
            }
        ) { scene in
            let prices: [Routes.Destination: [Routes.Purpose: Int]] = [
                .everywhere: [.everything: 40_000, .codes(by: .call): 100_001]
            ]
            let useCase = try VerificationUseCase.plain(
                over: scene.store,
                code: StoreScene.rightCode,
                abusePolicy: scene.abusePolicy,
                routes: Routes(
                    [Routes.Gateway("vendor", serves: [.sms, .call])],
                    prices: PriceList(currency: "EUR", prices: ["vendor": prices])
                ),
                clock: ManualClock(scene.now)
            )
            func send(_ number: String, by channel: Channel) async throws -> PhoneFailure? {
                let context = scene.context(StoreScene.alice, from: ClientAddress("203.0.113.7"))
                return try await scene.refusal {
                    try await useCase.begin(number, VerificationOptions(channel: channel), context: context)
                }
            }
            @Sendable func settle(_ result: DeliveryResult) async throws {
                for message in try await scene.claim() {
                    let (id, attempt, limits) = (message.id, message.attempts, scene.abusePolicy.limits)
                    let command = SettleMessage(
                        id: id,
                        attempt: attempt,
                        result: result,
                        limits: limits,
                        now: scene.now
                    )
                    #expect(try await scene.store.settle([command]) == [true])
                }
            }
            // What is not sent, and not paid for, takes nothing.
            for turn in 0..<3 {
                #expect(try await send("010-1234-100\(turn)", by: .call) == nil)
                try await settle(.failed("no credit"))
            }
            #expect(try await scene.store.traffic(of: .service).lastDay(at: scene.now).sent == 0)
            let used = try await scene.store.metersInUse(at: scene.now, limit: 9).map(\.key.policyName)
            #expect(used == ["address-sends-1h"])
            #expect(try await send("010-1234-0001", by: .call) == nil)
            #expect(try await send("010-1234-0002", by: .sms) == nil)
            guard case .rateLimited(let policies, _)? = try await send("010-1234-0003", by: .sms) else {
                Issue.record("a fifth was sent")
                return
            }
            #expect(policies.map(\.name) == ["prefix-sends-1h"])
            #expect(try await send("010-5678-0001", by: .call) == nil)
            #expect(try await send("010-9999-0001", by: .sms)?.code == "rate_limited", "the budget of seven is used up")
            #expect(try await scene.store.traffic(of: .service).lastDay(at: scene.now).sent == 7)
            #expect(try await scene.store.traffic(of: .prefix("+82101234")).lastDay(at: scene.now).sent == 2)
            // A call whose code was guessed at meanwhile has had its use.
            let guessed = try #require(
                try await scene.store.liveVerification(
                    of: PhoneNumber(e164: "+821056780001"),
                    owner: StoreScene.alice,
                    at: scene.now
                )
            )
            _ = try await scene.refusal(of: StoreScene.wrongCode, guessed.id)
            try await settle(.failed("no credit"))
            #expect(try await scene.store.traffic(of: .service).lastDay(at: scene.now).sent == 3)
        },
    ]
}
