import PhoneAdministration
import PhoneNumbers
import PhoneSignup
import PhoneStore
import PhoneTestSupport

@testable import PhoneDomain

/// A store behind the use case, asked by clients of two groups, with a clock that the test moves.
struct ClientScene: Sendable {
    static let start = StoreScene.start
    static let (ours, theirs) = ("shop:1", "shop:2")
    /// Two clients of ours, and one of theirs.
    static let (first, second, stranger) = (
        Owner.client(of: "shop", group: "1", id: "a"), Owner.client(of: "shop", group: "1", id: "b"),
        Owner.client(of: "shop", group: "2", id: "a")
    )
    /// What a client asks for that wants no wait between messages.
    static let options = VerificationOptions(
        dialect: DialectOptions(codeLength: 6, resendCooldowns: [.zero])
    )
    /// One answer to its code.
    private static let checkOptions = CheckOptions(codeLength: 6, repeatsApproval: false)

    let store: any SQLStore
    private let clock = ManualClock(start)
    private let useCase: VerificationUseCase

    private struct NoRegion: Error {}

    /// - Parameter countries: whose numbers are verified, beside Korea's.
    init(_ store: any SQLStore, guarding: GuardPolicy = .off, countries: [String] = []) throws {
        self.store = store
        let regions = countries.compactMap { Region($0) }
        guard regions.count == countries.count else { throw NoRegion() }
        useCase = try VerificationUseCase.plain(
            over: store,
            policy: VerificationPolicy(allowedRegions: Set(regions + [.korea])),
            abusePolicy: AbusePolicy(limits: .none, trafficGuard: guarding, testNumbers: .none),
            vault: FixedCodeVault(digits: "1234567890"),
            clock: clock
        )
    }

    var now: Timestamp { clock.now() }

    func advance(by duration: Duration) {
        clock.advance(by: duration)
    }

    /// Begins a verification or has its code sent again, whichever it is.
    @discardableResult
    func request(
        _ phone: String,
        as owner: Owner = first,
        with options: VerificationOptions = options
    ) async throws(PhoneFailure) -> Verification {
        let number: PhoneNumber
        do {
            number = try PhoneNumber(parsing: phone, region: .korea)
        } catch {
            throw .invalidPhoneNumber(error)
        }
        return try await useCase.begin(number, options, context: context(owner)).verification
    }

    @discardableResult
    func check(
        _ code: String,
        _ id: Verification.ID,
        as owner: Owner = first
    ) async throws(PhoneFailure) -> Verification {
        try await useCase.check(code, for: .id(id), Self.checkOptions, context: context(owner))
    }

    @discardableResult
    func check(
        _ code: String,
        for which: VerificationReference,
        as owner: Owner = first
    ) async throws(PhoneFailure) -> Verification {
        try await useCase.check(code, for: which, Self.checkOptions, context: context(owner))
    }

    @discardableResult
    func approve(_ id: Verification.ID, as owner: Owner = first) async throws(PhoneFailure) -> Verification {
        try await useCase.approve(id, context: context(owner))
    }

    func refusal(of code: String, _ id: Verification.ID) async throws -> PhoneFailure? {
        try await refusal { try await check(code, id) }
    }

    /// Why this was refused, or nil if it was not.
    func refusal<Value>(_ work: () async throws -> Value) async throws -> PhoneFailure? {
        try await result(of: work).refusal
    }

    /// How many seconds after the beginning the messages were queued that a query covers, in their order.
    func seconds(_ query: MessageQuery, limit: Int = 100) async throws -> [Int64] {
        try await store.messages(query, limit: limit).map {
            ($0.message.createdAt.milliseconds - Self.start.milliseconds) / 1000
        }
    }

    private func context(_ owner: Owner) -> RequestContext {
        RequestContext(owner: owner, region: .korea, language: .korean)
    }
}
