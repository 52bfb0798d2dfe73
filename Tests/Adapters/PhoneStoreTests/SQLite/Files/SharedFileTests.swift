import PhoneDomain
import PhoneNumbers
import PhoneStore
import PhoneTestSupport
import Synchronization
import Testing

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

    /// What came of this, done N times at once, in turns by the one store and by the other.
    private func atOnce(
        _ count: Int,
        _ work: @escaping @Sendable (VerificationUseCase) async throws(PhoneFailure) -> Void
    ) async -> [PhoneFailure?] {
        await withTaskGroup(of: PhoneFailure?.self) { group in
            for index in 0..<count {
                group.addTask { [useCases] in
                    do throws(PhoneFailure) {
                        try await work(useCases[index % 2])
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test func `of a thousand wrong codes five are compared`() async throws {
        let begun = try await useCases[0].requestCode(for: "010-1234-5678", context: context)
        let failures = await atOnce(1000) { [context] useCase throws(PhoneFailure) in
            _ = try await useCase.check("654321", for: .id(begun.id), context: context)
        }
        for checksLeft in [4, 3, 2, 1, 0] {
            #expect(failures.count { $0?.checksLeft == checksLeft } == 1)
        }
        #expect(failures.count { $0 == .maxChecksReached(retryAt: begun.expiresAt) } == 995)
    }

    @Test func `a limit is one limit`() async throws {
        /// A hundred numbers of one prefix.
        func fail(prefix: String) async -> [String: Int] {
            let next = Mutex(0)
            let failures = await atOnce(100) { [context] useCase throws(PhoneFailure) in
                let number = next.withLock { next in
                    next += 1
                    return next
                }
                _ = try await useCase.requestCode(for: "\(prefix)\(1000 + number)", context: context)
            }
            return failures.reduce(into: [:]) { counts, failure in
                guard case .rateLimited(let policies, _) = failure else { return counts["sent", default: 0] += 1 }
                counts[policies.map(\.name).joined(separator: " "), default: 0] += 1
            }
        }
        #expect(await fail(prefix: "0101234") == ["sent": 4, "prefix-sends-1h": 96])
        #expect(await fail(prefix: "0102222") == ["sent": 2, "service-budget-1d": 98])
    }
}
