import PhoneDomain
import PhoneNumbers
import PhoneStore
import PhoneTestSupport
import Testing

@testable import StoreSuite

/// Two stores on one file, as two processes have them.
@Suite struct SharedFileTests {
    private let folder: TemporaryFolder
    private let useCases: [VerificationUseCase]
    private let context = RequestContext(owner: .local, region: .korea, language: .korean)

    /// What four numbers of one prefix may have together, and the service in a day.
    private static let limits: LimitPolicy = {
        var limits = LimitPolicy.none
        limits.sendsByPrefix = [RateLimit(quota: 4, window: .seconds(3600))].compactMap(\.self)
        limits.dailyBudget = 6
        return limits
    }()

    init() throws {
        let folder = try TemporaryFolder()
        let clock = ManualClock()
        let identifiers = CountingIdentifiers()
        self.folder = folder
        useCases = try (0..<2).map { _ in
            try VerificationUseCase.plain(
                over: SQLiteStore(path: folder.path("phone.db"), durability: .normal, busyTimeout: .seconds(60)),
                abusePolicy: AbusePolicy(limits: Self.limits, trafficGuard: .off, testNumbers: .none),
                identifiers: identifiers,
                clock: clock
            )
        }
    }

    @Test func `of a thousand wrong codes five are compared`() async throws {
        let begun = try await useCases[0].requestCode(for: "010-1234-5678", context: context)
        let failures = try await atOnce(1000) { [useCases, context] index in
            try await result { try await useCases[index % 2].check("654321", for: .id(begun.id), context: context) }
                .refusal
        }
        for checksLeft in [4, 3, 2, 1, 0] {
            #expect(failures.count { $0?.checksLeft == checksLeft } == 1)
        }
        #expect(failures.count { $0 == .maxChecksReached(retryAt: begun.expiresAt) } == 995)
    }

    @Test func `a limit is one limit`() async throws {
        /// A hundred numbers of one prefix.
        func refusals(prefix: String) async throws -> [[String]: Int] {
            try await atOnce(100) { [useCases, context] index in
                try await refusingLimits {
                    try await useCases[index % 2].requestCode(for: "\(prefix)\(1000 + index)", context: context)
                }
            }
            .reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        #expect(try await refusals(prefix: "0101234") == [[]: 4, ["prefix-sends-1h"]: 96])
        #expect(try await refusals(prefix: "0102222") == [[]: 2, ["service-budget-1d"]: 98])
    }
}
