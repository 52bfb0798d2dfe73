import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneStore
import PhoneTestSupport

/// A store behind the use case, with a clock that the test moves and a code that it knows.
struct StoreScene: Sendable {
    /// 2026-01-01T00:00:00Z, when every scene begins.
    static let start = Timestamp(seconds: 1_767_225_600)
    static let alice = Owner.operator("scene alice")
    static let bob = Owner.operator("scene bob")
    static let phone = "010-1234-5678"
    static let rightCode = "123456"
    static let wrongCode = "654321"

    let store: any SQLStore
    let policy: VerificationPolicy
    let abusePolicy: AbusePolicy
    private let clock: ManualClock
    private let vault: any CodeVault
    private let identifiers: CountingIdentifiers
    let useCase: VerificationUseCase

    init(
        store: any SQLStore,
        policy: VerificationPolicy = .standard,
        abusePolicy: AbusePolicy = .none,
        clock: ManualClock = ManualClock(start),
        vault: (any CodeVault)? = nil,
        identifiers: CountingIdentifiers = CountingIdentifiers()
    ) throws {
        self.store = store
        self.policy = policy
        self.abusePolicy = abusePolicy
        self.clock = clock
        self.identifiers = identifiers
        self.vault = try vault ?? FixedCodeVault(digits: Self.rightCode)
        useCase = try VerificationUseCase.plain(
            over: store,
            policy: policy,
            abusePolicy: abusePolicy,
            vault: self.vault,
            identifiers: identifiers,
            clock: clock
        )
    }

    /// The same store with another vault.
    func replacing(vault: any CodeVault) throws -> StoreScene {
        try StoreScene(store: store, policy: policy, abusePolicy: abusePolicy, clock: clock, vault: vault)
    }

    /// The scene as it is, over another store.
    func moved(to store: any SQLStore) throws -> StoreScene {
        try StoreScene(
            store: store,
            policy: policy,
            abusePolicy: abusePolicy,
            clock: clock,
            vault: vault,
            identifiers: identifiers
        )
    }

    /// The same store, clock and identifiers, as people's devices see them.
    func people() throws -> AccountScene { try AccountScene(store, clock: clock, identifiers: identifiers) }

    var now: Timestamp { clock.now() }

    func advance(by duration: Duration) {
        clock.advance(by: duration)
    }

    /// Begins a verification or has its code sent again, whichever it is.
    @discardableResult
    func request(
        _ phone: String = phone,
        as owner: Owner = alice,
        from address: ClientAddress? = nil
    ) async throws(PhoneFailure) -> Verification {
        try await useCase.requestCode(for: phone, context: context(owner, from: address))
    }

    func begin(
        _ phone: String = phone,
        as owner: Owner = alice,
        language: LanguageTag = .korean
    ) async throws -> Result<BeginVerification.Answer, PhoneFailure> {
        try await result { try await useCase.begin(phone, context: context(owner, language)) }
    }

    /// Requests a code for a guided signup.
    ///
    /// - Parameter phoneText: what was typed into its phone field with the request.
    func send(
        to phone: String = phone,
        for id: Signup.ID,
        phoneText: String?
    ) async throws -> Result<BeginVerification.Answer, PhoneFailure> {
        var options = VerificationOptions()
        options.phoneText = phoneText
        return try await result { try await useCase.begin(phone, options, context: context(.signup(id))) }
    }

    /// What ``begin(_:as:language:)`` does for a process that claims the message, for a minute.
    func beginClaimed(
        _ phone: String = phone
    ) async throws -> (result: Result<BeginVerification.Answer, PhoneFailure>, claim: OutboxClaim?) {
        let queued = AsyncStream<OutboxClaim?>.makeStream()
        let useCase = try VerificationUseCase.plain(
            over: store,
            policy: policy,
            abusePolicy: abusePolicy,
            vault: vault,
            identifiers: identifiers,
            clock: clock,
            messageLease: { .seconds(60) },
            messageQueued: { queued.continuation.yield($0) }
        )
        let begun = try await result { try await useCase.begin(phone, context: context(Self.alice)) }
        queued.continuation.finish()
        var claims = queued.stream.makeAsyncIterator()
        return (begun, await claims.next() ?? nil)
    }

    @discardableResult
    func check(
        _ code: String,
        _ id: Verification.ID,
        as owner: Owner = alice,
        from address: ClientAddress? = nil
    ) async throws(PhoneFailure) -> Verification {
        try await useCase.check(code, for: .id(id), context: context(owner, from: address))
    }

    /// Why a check of this code was refused, or nil if it was not.
    func refusal(
        of code: String,
        _ id: Verification.ID,
        as owner: Owner = alice,
        from address: ClientAddress? = nil
    ) async throws -> PhoneFailure? { try await refusal { try await check(code, id, as: owner, from: address) } }

    @discardableResult
    func cancel(_ id: Verification.ID, as owner: Owner = alice) async throws(PhoneFailure) -> Verification {
        try await useCase.cancel(id, owner: owner)
    }

    @discardableResult
    func signUp(
        _ id: Verification.ID,
        code: String = rightCode,
        as owner: Owner = alice,
        from address: ClientAddress? = nil
    ) async throws(PhoneFailure) -> SignedUp {
        try await useCase.signUp(code, for: id, context: context(owner, from: address))
    }

    /// Requests a code and gives it back, so that the number is proven.
    func prove(_ phone: String = phone, as owner: Owner = alice) async throws(PhoneFailure) -> Verification {
        try await check(Self.rightCode, try await request(phone, as: owner).id, as: owner)
    }

    /// Why this was refused, or nil if it was not.
    func refusal<Value>(_ work: () async throws -> Value) async throws -> PhoneFailure? {
        try await result(of: work).refusal
    }

    /// Takes every message that is due, for a minute.
    func claim(limit: Int = 1000) async throws -> [OutboxMessage] {
        try await store.claim(limit: limit, at: now, until: now + .seconds(60)).map(\.message)
    }

    func settle(_ message: OutboxMessage, _ result: DeliveryResult) async throws -> Bool {
        try await store.settle(
            SettleMessage(id: message.id, attempt: message.attempts, result: result, now: now)
        )
    }

    func context(
        _ owner: Owner,
        _ language: LanguageTag = .korean,
        from address: ClientAddress? = nil
    ) -> RequestContext {
        RequestContext(owner: owner, region: .korea, language: language, address: address)
    }
}

extension Verification {
    /// One that was put into a store past every rule.
    static func stored(
        _ id: ID,
        of number: PhoneNumber,
        owner: Owner = StoreScene.alice,
        channel: Channel = .sms,
        at moment: Timestamp,
        living life: Duration = longestLife,
        acceptedAt: Timestamp? = nil,
        status: VerificationStatus = .pending,
        fallbacks: [Channel] = []
    ) -> Verification {
        Verification(
            id: id,
            phoneNumber: number,
            owner: owner,
            channel: channel,
            language: .korean,
            code: SealedCode(keyID: "test", mac: [1], ciphertext: [2]),
            createdAt: moment,
            expiresAt: moment + life,
            acceptedAt: acceptedAt,
            nextSendAt: moment,
            sendsLeft: 4,
            checksLeft: 5,
            recordedStatus: status,
            updatedAt: moment,
            consumedBy: nil,
            fallbacks: fallbacks
        )
    }
}

extension VerificationPolicy {
    /// The standard policy without a wait between messages.
    static func hurried(
        maxChecks: Int = 5,
        sendsPerDay: Int = 100,
        maxConsecutiveFailures: Int = 100
    ) throws(PolicyError) -> VerificationPolicy {
        try VerificationPolicy(
            maxChecks: maxChecks,
            resendCooldowns: [.zero],
            maxSendsPerNumberPerDay: sendsPerDay,
            maxConsecutiveFailures: maxConsecutiveFailures
        )
    }
}
