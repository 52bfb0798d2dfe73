import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneTestSupport

/// A use case over a store, for one caller, with a clock that stands and the code 123456.
struct ServerScene: Sendable {
    static let start = Timestamp(seconds: 1_767_225_600)

    let useCase: VerificationUseCase
    let context: RequestContext

    init(
        _ store: any VerificationStore & GuardStore & LimitStore,
        limits: LimitPolicy = .none,
        identifiers: CountingIdentifiers = CountingIdentifiers(),
        address: String? = nil
    ) throws {
        useCase = try VerificationUseCase.plain(
            over: store,
            abusePolicy: AbusePolicy(limits: limits, trafficGuard: .off, testNumbers: .none),
            identifiers: identifiers,
            clock: ManualClock(Self.start)
        )
        context = RequestContext(
            owner: .local,
            region: .korea,
            language: .korean,
            address: address.flatMap { ClientAddress($0) }
        )
    }

    @discardableResult
    func request(_ phone: String = "010-1234-5678") async throws(PhoneFailure) -> Verification {
        try await useCase.requestCode(for: phone, context: context)
    }

    @discardableResult
    func check(_ id: Verification.ID, _ code: String = "123456") async throws(PhoneFailure) -> Verification {
        try await useCase.check(code, for: .id(id), context: context)
    }

    /// The cause that the caller gets, or nil if it went well.
    func outage(_ work: () async throws -> Void) async throws -> String? {
        do {
            try await work()
            return nil
        } catch PhoneFailure.unavailable(let cause) {
            return cause
        }
    }

    static func signup(_ number: UInt64, phoneText: String = "") -> Signup {
        Signup(
            id: Signup.ID(bits: 0, number),
            tokenDigest: [1],
            region: .korea,
            language: .korean,
            createdAt: start,
            expiresAt: start + .seconds(3600),
            phoneText: phoneText,
            verificationID: nil
        )
    }
}
