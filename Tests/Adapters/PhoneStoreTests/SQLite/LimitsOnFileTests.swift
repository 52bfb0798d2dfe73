import PhoneDomain
import PhoneStore
import PhoneTestSupport
import Testing

/// Limits of a file that is opened again, and of two stores on one file, as two processes have them.
@Suite struct LimitsOnFileTests {
    private let folder: TemporaryFolder
    private let clock = ManualClock()
    private let identifiers = CountingIdentifiers()
    private let limits: LimitPolicy
    private let quota = QuotaPolicy(name: "service-sends-1h", quota: 30, window: .seconds(3600))

    init() throws {
        folder = try TemporaryFolder()
        var limits = LimitPolicy.none
        limits.sendsByService = [try #require(RateLimit("30/1h"))]
        limits.dailyBudget = 40
        self.limits = limits
    }

    private func open() throws -> VerificationUseCase {
        try VerificationUseCase.plain(
            over: SQLiteStore(path: folder.path("phone.db"), durability: .normal, busyTimeout: .seconds(60)),
            abusePolicy: AbusePolicy(limits: limits, trafficGuard: .off, testNumbers: .none),
            identifiers: identifiers,
            clock: clock
        )
    }

    /// How many of N requests at once came through, in turns by each; the others must have been refused by this.
    private func request(
        _ numbers: Range<Int>,
        of useCases: [VerificationUseCase],
        refusal: PhoneFailure
    ) async -> Int {
        await withTaskGroup(of: PhoneFailure?.self) { group in
            for number in numbers {
                group.addTask {
                    do throws(PhoneFailure) {
                        let context = RequestContext(owner: .local, region: .korea, language: .korean)
                        _ = try await useCases[number % useCases.count]
                            .requestCode(for: "010-\(2000 + number)-0000", context: context)
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            let failures = await group.reduce(into: []) { $0.append($1) }
            #expect(failures.allSatisfy { $0 == nil || $0 == refusal })
            return failures.count { $0 == nil }
        }
    }

    @Test func `two stores on one file let no more through than one`() async throws {
        let refusal = PhoneFailure.rateLimited(policies: [quota], retryAt: clock.now() + .seconds(120))
        #expect(await request(0..<200, of: [try open(), try open()], refusal: refusal) == 30)
    }

    @Test func `a file that is opened again lets no more through`() async throws {
        let refusal = PhoneFailure.rateLimited(policies: [quota], retryAt: clock.now() + .seconds(120))
        #expect(await request(0..<20, of: [try open()], refusal: refusal) == 20)
        #expect(await request(20..<40, of: [try open()], refusal: refusal) == 10)
        clock.advance(by: .seconds(3600))
        let end = Timestamp(milliseconds: (clock.now().milliseconds / 3_600_000 + 24) * 3_600_000)
        let budget = QuotaPolicy(name: "service-budget-1d", quota: 40, window: .seconds(86_400))
        let spent = PhoneFailure.rateLimited(policies: [budget], retryAt: end)
        #expect(await request(40..<60, of: [try open()], refusal: spent) == 10)
    }
}
