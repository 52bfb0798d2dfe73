import PhoneAdministration
import PhoneNumbers
import PhoneSignup
import PhoneStore
import PhoneTestSupport
import Synchronization
import Testing

@testable import PhoneDomain

/// What the operator's program is asked, and what its answers do.
@Suite struct SendHookTests {
    /// Answers the same, and keeps what it was asked.
    private final class ScriptedHook: SendHook {
        private let decision: SendDecision
        private let meanwhile: @Sendable () -> Void
        private let asked = Mutex<[SendQuestion]>([])

        init(_ decision: SendDecision, meanwhile: @escaping @Sendable () -> Void = {}) {
            (self.decision, self.meanwhile) = (decision, meanwhile)
        }

        var questions: [SendQuestion] { asked.withLock { $0 } }

        func decide(_ question: SendQuestion) async -> SendDecision {
            asked.withLock { $0.append(question) }
            meanwhile()
            return decision
        }
    }

    private let store = MemoryStore()
    private let clock = ManualClock()

    private func useCase(
        _ hook: ScriptedHook,
        limits: LimitPolicy = .none,
        learns: Bool = false,
        messageLease: @escaping @Sendable () -> Duration? = { nil }
    ) throws -> VerificationUseCase {
        var trafficGuard = try GuardPolicy(prefixSample: 5)
        trafficGuard.work = try WorkPolicy(easiest: 100, hardest: 3200)
        let prices = PriceList(
            currency: "USD",
            prices: ["one": 32_500, "two": 40_000].mapValues { [.everywhere: [.everything: $0]] }
        )
        return try VerificationUseCase.plain(
            over: store,
            code: "042042",
            policy: VerificationPolicy(resendCooldowns: [.seconds(30)]),
            abusePolicy: AbusePolicy(limits: limits, trafficGuard: trafficGuard, testNumbers: .none),
            challenger: .plain(),
            sendHook: hook,
            routes: Routes([Routes.Gateway("one"), Routes.Gateway("two")], prices: prices, learns: learns),
            clock: clock,
            messageLease: messageLease
        )
    }

    @Test("what was prepared before the hook was asked is made anew: time, lease and IDs are those of its answer")
    func waiting() async throws {
        let asked = Mutex(0)
        let useCase = try useCase(
            ScriptedHook(.allow) { [clock] in clock.advance(by: .seconds(9)) },
            messageLease: {
                asked.withLock {
                    $0 += 1; return .seconds(10 * Int64($0))
                }
            }
        )
        #expect(await send(useCase) == "sent")
        let message = try #require(await store.outbox.first)
        #expect(message.createdAt == clock.now())
        #expect(message.nextAttemptAt == clock.now() + .seconds(20))
        #expect(message.id.description == "msg_00000000000000000000000000000004")
    }

    private func send(
        _ useCase: VerificationUseCase,
        _ phone: String = "01012345678",
        proof: ChallengeProof? = nil,
        _ change: (inout RequestContext) -> Void = { _ in }
    ) async -> String {
        var context = RequestContext(owner: .local, region: .korea, language: .korean)
        context.challenges = .possible
        change(&context)
        do {
            _ = try await useCase.requestCode(for: phone, VerificationOptions(proof: proof), context: context)
            return "sent"
        } catch {
            return error.code
        }
    }

    @Test("it is asked what is known of a message, once for each")
    func questions() async throws {
        let hook = ScriptedHook(.allow)
        let useCase = try useCase(hook)
        let address = ClientAddress("203.0.113.7")
        #expect(await send(useCase) { $0.address = address } == "sent")
        clock.advance(by: .seconds(30))
        #expect(await send(useCase) { $0.isVouched = true } == "sent")
        #expect(hook.questions.map(\.gateways) == [["one", "two"], ["one", "two"]])
        #expect(hook.questions.map(\.price) == Array(repeating: .init(millionths: 32_500, currency: "USD"), count: 2))
        #expect(hook.questions.map(\.address) == [address, nil])
        #expect(hook.questions.map(\.isRepeated) == [false, true])
        #expect(hook.questions.map(\.isVouched) == [false, true])
        #expect(hook.questions.map(\.prefix) == [Traffic.Sample(), Traffic.Sample(sent: 1, approved: 0)])
        #expect(hook.questions.map(\.verdict.reasons) == [[.sampleSmall], [.sampleSmall]])
        #expect(await store.outbox.count == 2)
    }

    @Test("it is told what the dearest charges where the gateway is drawn, and the words of a server alone")
    func told() async throws {
        let hook = ScriptedHook(.allow)
        let useCase = try useCase(hook, learns: true)
        var options = VerificationOptions()
        options.labels = Labels(reference: Labels.Reference("order-4711"))
        let signup = Signup.ID(bits: 0, 1)
        for owner in [Owner.local, .signup(signup)] {
            let context = RequestContext(owner: owner, region: .korea, language: .korean)
            _ = try? await useCase.requestCode(for: "01012345678", options, context: context)
            clock.advance(by: .seconds(600))
        }
        #expect(hook.questions.map(\.price?.millionths) == [40_000, 40_000])
        #expect(hook.questions.map(\.labels) == [options.labels, .none])
    }

    @Test("what rules, limits and blocks refuse is not asked about")
    func unasked() async throws {
        let hook = ScriptedHook(.vouch)
        var limits = LimitPolicy.none
        limits.sendsByService = [try #require(RateLimit("1/1h"))]
        let useCase = try useCase(hook, limits: limits)
        #expect(await send(useCase) == "sent")
        #expect(await send(useCase) == "resend_too_soon")
        #expect(await send(useCase, "01099998888") == "rate_limited")
        #expect(hook.questions.count == 1)
        let rule = GuardRule(prefix: "+82", action: .block, until: nil, createdAt: clock.now())
        try await store.set(try #require(rule))
        clock.advance(by: .seconds(7200))
        #expect(await send(useCase) == "rate_limited")
        #expect(hook.questions.count == 1)
    }

    @Test("a denied message is not sent, counts for its address, and is on the audit log")
    func denying() async throws {
        let hook = ScriptedHook(.deny)
        var limits = LimitPolicy.none
        limits.sendsByAddress = [try #require(RateLimit("1/1h"))]
        let useCase = try useCase(hook, limits: limits)
        let address = ClientAddress("203.0.113.7")
        #expect(await send(useCase) { $0.address = address } == "send_denied")
        #expect(await send(useCase) { $0.address = address } == "rate_limited")
        #expect(await store.outbox.isEmpty)
        #expect(try await store.entries(AuditQuery(limit: 10)).entries.map(\.reasons) == [[.hookDenied]])
    }

    @Test("of simultaneous requests no more are asked about than their client may make")
    func simultaneous() async throws {
        let hook = ScriptedHook(.allow)
        var limits = LimitPolicy.none
        limits.sendsByAddress = [try #require(RateLimit("3/1h"))]
        let useCase = try useCase(hook, limits: limits)
        let address = ClientAddress("203.0.113.7")
        let words = try await atOnce(20) { await send(useCase, "010123400\(10 + $0)") { $0.address = address } }
        #expect(words.count { $0 == "sent" } == 3)
        #expect(words.count { $0 == "rate_limited" } == 17)
        #expect(hook.questions.count == 3)
    }

    @Test("a challenge is wanted whatever the guard thinks, and a dialect without any is refused")
    func challenging() async throws {
        let useCase = try useCase(ScriptedHook(.challenge))
        #expect(await send(useCase) { $0.challenges = .none } == "rate_limited")
        var context = RequestContext(owner: .local, region: .korea, language: .korean)
        context.challenges = .possible
        let failure = await #expect(throws: PhoneFailure.self) {
            try await useCase.requestCode(for: "01012345678", context: context)
        }
        guard case .challengeRequired(let challenge) = failure else {
            Issue.record("no challenge")
            return
        }
        #expect(challenge.work.maxNumber == 100)
        let proof = PlainRequestAuthenticator().solve(challenge.work)
        #expect(await send(useCase, proof: proof) == "sent")
        clock.advance(by: .seconds(30))
        #expect(await send(useCase, proof: proof) == "challenge_failed")
    }

    @Test("an answer is worth one message and opens no block")
    func vouching() async throws {
        let hook = ScriptedHook(.vouch)
        let useCase = try useCase(hook)
        for number in 0..<6 { #expect(await send(useCase, "0101234500\(number)") == "sent") }
        #expect(hook.questions.last?.verdict.action == .challenge)
        #expect(
            try await store.entries(AuditQuery(limit: 1)).entries.map(\.reasons)
                == [[.hookVouched, .prefixConversionPending]]
        )
        // The codes expire, and the prefix is blocked.
        clock.advance(by: .seconds(7200))
        #expect(await send(useCase) { $0.challenges = .none } == "rate_limited")
        #expect(hook.questions.count == 6)
    }
}
