import PhoneAdministration
import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneStore
import PhoneTestSupport

/// A store whose audit trail is looked at: behind a use case that an address asks, with a guard that the test sets.
struct AuditScene: Sendable {
    static let address = ClientAddress("203.0.113.7")
    static let shop = Owner.operator("shop")

    let store: any SQLStore
    let clock: ManualClock
    let identifiers: any IdentifierSource
    let useCase: VerificationUseCase
    var context = RequestContext(owner: shop, region: .korea, language: .korean, address: address)

    init(
        _ store: any SQLStore,
        clock: ManualClock = ManualClock(StoreScene.start),
        digester: any NumberDigester = PlainNumberDigester(),
        identifiers: any IdentifierSource = CountingIdentifiers(),
        trafficGuard: GuardPolicy = .standard,
        vault: (any CodeVault)? = nil
    ) throws {
        self.store = store
        self.clock = clock
        self.identifiers = identifiers
        useCase = try VerificationUseCase.plain(
            over: store,
            code: StoreScene.rightCode,
            abusePolicy: AbusePolicy(limits: .standard, trafficGuard: trafficGuard, testNumbers: .none),
            vault: vault,
            digester: digester,
            identifiers: identifiers,
            clock: clock
        )
    }

    /// The same store, clock and names, with something else in the place of a port.
    func replacing(
        digester: any NumberDigester = PlainNumberDigester(),
        vault: (any CodeVault)? = nil
    ) throws -> AuditScene {
        try AuditScene(store, clock: clock, digester: digester, identifiers: identifiers, vault: vault)
    }

    @discardableResult
    func request(_ phone: String = StoreScene.phone) async throws(PhoneFailure) -> Verification {
        try await useCase.requestCode(for: phone, context: context)
    }

    @discardableResult
    func check(_ code: String, _ id: Verification.ID) async throws(PhoneFailure) -> Verification {
        try await useCase.check(code, for: .id(id), context: context)
    }

    func trail() async throws -> [AuditEntry] {
        try await store.entries(AuditQuery(limit: 1000)).entries
    }

    /// The entry that something done N seconds after the start leaves.
    func entry(
        _ seconds: Int64,
        _ action: AuditEntry.Action,
        _ id: Verification.ID?,
        address: ClientAddress? = address,
        verdict: GuardVerdict.Action? = nil,
        reasons: [GuardVerdict.Reason] = [],
        measure: GuardMeasure? = nil
    ) -> AuditEntry {
        AuditEntry(
            at: StoreScene.start + .seconds(seconds),
            action: action,
            owner: context.owner,
            address: address,
            verificationID: id,
            maskedNumber: "+82 10-****-5678",
            numberDigest: NumberDigest(rawValue: "test:+821012345678"),
            prefixDigest: verdict == nil ? nil : NumberDigest(rawValue: "test:+82101234"),
            region: .korea,
            verdict: verdict,
            reasons: reasons,
            measure: measure
        )
    }

    /// What the guard judged by where all messages of a country went to one prefix.
    static func measure(_ sent: Int, _ approved: Int, _ budget: Int = 20) -> GuardMeasure {
        GuardMeasure(
            prefix: .init(sent: sent, approved: approved, budget: budget),
            country: .init(sent: sent, approved: approved, budget: 500)
        )
    }

    /// Whether this failed because a port did.
    func isUnavailable(_ work: () async throws -> Void) async throws -> Bool {
        do {
            try await work()
            return false
        } catch PhoneFailure.unavailable {
            return true
        }
    }
}
