import PhoneAdministration
import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneStore
import PhoneTestSupport
import Testing

@Suite struct LivePhoneUseCaseTests {
    private let store = MemoryStore()
    private let clock = ManualClock()
    private let context = RequestContext(owner: .local, region: .korea, language: .korean)

    private func useCase(policy: VerificationPolicy = .standard) throws -> VerificationUseCase {
        try VerificationUseCase.plain(over: store, code: "042042", policy: policy, clock: clock)
    }

    @Test func aNumberIsProvenAndSignedUp() async throws {
        let useCase = try useCase()
        let verification = try await useCase.requestCode(for: "01012345678", context: context)
        #expect(verification.phoneNumber.e164 == "+821012345678")
        #expect(await store.outbox.map(\.verificationID) == [verification.id])
        let wrong = await #expect(throws: PhoneFailure.self) {
            try await useCase.check("111111", for: .id(verification.id), context: context)
        }
        #expect(wrong?.checksLeft == 4)
        let approved = try await useCase.check(" 042 042", for: .id(verification.id), context: context)
        #expect(approved.recordedStatus == .approved)
        let signedUp = try await useCase.signUp("042042", for: verification.id, context: context)
        #expect(signedUp.isNew)
        let used = try await useCase.verification(verification.id, owner: .local)
        #expect(try await useCase.signedUp(with: used) == signedUp)
    }

    @Test(arguments: [
        ("010-345-6789", PhoneFailure.invalidPhoneNumber(.tooShort)),
        ("011-123-4567", .kindNotAccepted(.legacyMobile)),
        ("02-123-4567", .kindNotAccepted(.fixedLine)),
        ("1588-1234", .kindNotAccepted(.representative)),
        ("070-1234-5678", .kindNotAccepted(.voip)),
        ("0505-123-4567", .kindNotAccepted(.personal)),
        ("", .invalidPhoneNumber(.empty)),
        ("🙂", .invalidPhoneNumber(.notANumber)),
        ("010-1234-567O", .invalidPhoneNumber(.notANumber)),
        (String(repeating: "1", count: 10_000), .invalidPhoneNumber(.tooLong)),
        ("+1 415 555 0100", .regionNotAllowed(Region("US"), allowed: [.korea])),
        ("+999 12345678", .regionNotAllowed(nil, allowed: [.korea])),
    ])
    func whatCannotHaveACodeIsRefusedWithTheReason(text: String, failure: PhoneFailure) async throws {
        let useCase = try useCase()
        await #expect(throws: failure) { try await useCase.requestCode(for: text, context: context) }
        #expect(await store.outbox.isEmpty)
    }

    @Test func aRegionThatIsNotAllowedIsRefused() async throws {
        let japan = try #require(Region("JP"))
        let useCase = try useCase(policy: try VerificationPolicy(allowedRegions: [japan]))
        await #expect(throws: PhoneFailure.regionNotAllowed(.korea, allowed: [japan])) {
            try await useCase.requestCode(for: "01012345678", context: context)
        }
    }

    @Test func aQueuedMessageIsReportedWithItsClaimAndNothingElseIs() async throws {
        let queued = AsyncStream<String>.makeStream()
        let testNumbers = TestNumbers(
            [try PhoneNumber(e164: "+821099999999"): try #require(VerificationCode("123456"))],
            until: clock.now() + .seconds(60)
        )
        let useCase = try VerificationUseCase.plain(
            over: store,
            code: "042042",
            abusePolicy: AbusePolicy(limits: .none, trafficGuard: .off, testNumbers: testNumbers),
            clock: clock,
            messageLease: { .seconds(60) },
            messageQueued: { claim in
                queued.continuation.yield(claim.map { "\($0.message.id) \($0.message.attempts)" } ?? "unclaimed")
            }
        )
        _ = try await useCase.requestCode(for: "01012345678", context: context)
        _ = try? await useCase.requestCode(for: "01012345678", context: context)
        _ = try await useCase.requestCode(for: "01099999999", context: context)
        store.fail(with: CancellationError())
        _ = try? await useCase.requestCode(for: "01087654321", context: context)
        queued.continuation.finish()
        var all: [String] = []
        for await text in queued.stream { all.append(text) }
        #expect(all == ["msg_00000000000000000000000000000002 1"])
        #expect(await store.outbox.map(\.attempts) == [1])
        #expect(await store.outbox.map { $0.nextAttemptAt - clock.now() } == [.seconds(60)])
    }

    @Test func aTestNumberHasItsCodeAndNoMessageUntilItsTimeIsOver() async throws {
        let code = try #require(VerificationCode("271828"))
        var policy = AbusePolicy.none
        policy.testNumbers = TestNumbers(
            [try PhoneNumber(e164: "+821012345678"): code],
            until: clock.now() + .seconds(3600)
        )
        policy.limits.sendsByService = [try #require(RateLimit("1/1d"))]
        let useCase = try VerificationUseCase.plain(over: store, code: "042042", abusePolicy: policy, clock: clock)
        func begin() async throws -> Verification {
            try await useCase.requestCode(for: "01012345678", context: context)
        }
        func refusal(_ code: String, _ verification: Verification) async -> String? {
            await #expect(throws: PhoneFailure.self) {
                try await useCase.check(code, for: .id(verification.id), context: context)
            }?.code
        }
        for _ in 0..<3 {
            let begun = try await begin()
            for _ in 0..<4 { #expect(await refusal("042042", begun) == "code_incorrect") }
            let approved = try await useCase.check("271828", for: .id(begun.id), context: context)
            #expect(approved.recordedStatus == .approved)
        }
        // Resending counts nothing and leaves no entry.
        let begun = try await begin()
        let trail = try await store.entries(AuditQuery(limit: 99)).entries.count
        for _ in 0..<20 { #expect(try await begin() == begun) }
        #expect(try await store.entries(AuditQuery(limit: 99)).entries.count == trail)
        #expect(await store.outbox.isEmpty)

        clock.advance(by: .milliseconds(3_599_999))
        let last = try await begin()
        clock.advance(by: .milliseconds(1))
        #expect(await refusal("271828", last) == "code_expired")
        let real = try await begin()
        #expect(await store.outbox.count == 1)
        #expect(await refusal("271828", real) == "code_incorrect")
        // This message was the first that counted.
        let other = await #expect(throws: PhoneFailure.self) {
            try await useCase.requestCode(for: "01087654321", context: context)
        }
        #expect(other?.code == "rate_limited")
    }

    @Test func anOutageIsOneFailureWithItsCauseForTheLog() async throws {
        struct DiskFull: Error {}
        let useCase = try useCase()
        let verification = try await useCase.requestCode(for: "01012345678", context: context)
        store.fail(with: DiskFull())
        let unavailable = PhoneFailure.unavailable(cause: "DiskFull()")
        await #expect(throws: unavailable) { try await useCase.requestCode(for: "01012345678", context: context) }
        await #expect(throws: unavailable) {
            try await useCase.check("042042", for: .id(verification.id), context: context)
        }
        await #expect(throws: unavailable) {
            try await useCase.signUp("042042", for: verification.id, context: context)
        }
        await #expect(throws: unavailable) { try await useCase.cancel(verification.id, owner: .local) }
        await #expect(throws: unavailable) { try await useCase.verification(verification.id, owner: .local) }
    }

    @Test func everyFailureHasItsStableCode() throws {
        let moment = Timestamp(seconds: 0)
        let codes: [(PhoneFailure, String, Timestamp?)] = [
            (.invalidPhoneNumber(.empty), "invalid_phone_number", nil),
            (.kindNotAccepted(.voip), "invalid_phone_number", nil),
            (.regionNotAllowed(nil, allowed: []), "region_not_allowed", nil),
            (.resendTooSoon(nextSendAt: moment), "resend_too_soon", moment),
            (.maxSendsReached(retryAt: moment), "max_sends_reached", moment),
            (.rateLimited(policies: [], retryAt: moment), "rate_limited", moment),
            (.malformedCode(length: 6), "invalid_request", nil),
            (try .codeIncorrect(checksLeft: 1), "code_incorrect", nil),
            (.codeExpired, "code_expired", nil),
            (.maxChecksReached(retryAt: moment), "max_checks_reached", moment),
            (.verificationNotFound, "verification_not_found", nil),
            (.verificationClosed, "verification_closed", nil),
            (.verificationNotApproved, "invalid_request", nil),
            (.unavailable(cause: ""), "unavailable", nil),
        ]
        for (failure, code, retryAt) in codes {
            #expect(failure.code == code)
            #expect(failure.retryAt == retryAt)
        }
    }
}
