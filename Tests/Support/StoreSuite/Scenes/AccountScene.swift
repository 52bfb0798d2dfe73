import PhoneAdministration
import PhoneNumbers
import PhoneSignup
import PhoneStore
import PhoneTestSupport

@testable import PhoneAccounts
@testable import PhoneDomain

/// A store of accounts, as people's devices see it: each proves a number, is signed in, and shows its tokens.
struct AccountScene: Sendable {
    static let address = ClientAddress("203.0.113.7")
    static let anna = "010-1111-1111"
    static let ben = "010-2222-2222"
    static let cho = "010-3333-3333"
    static let dora = "010-5555-5555"

    let store: any SQLStore
    let clock: ManualClock
    let accountPolicy: AccountPolicy
    let sessionPolicy: SessionPolicy
    let tokens = RefreshTokens(deriver: PlainSecretDeriver(), vault: PlainTokenVault())
    let undoTokens = UndoTokens(deriver: PlainSecretDeriver(), vault: PlainTokenVault())
    private let identifiers: CountingIdentifiers
    private let useCase: VerificationUseCase

    /// A device that is signed in.
    struct Device: Sendable {
        let signedUp: SignedUp
        let owner: Owner
        let token: RefreshToken

        var account: Account.ID { signedUp.account.id }
        var session: Session.ID { token.sessionID }
        var signedIn: SignedIn? { signedUp.session.map { SignedIn(session: $0, account: signedUp.account) } }
    }

    /// A change of number that was asked for, and the secret that undoes it.
    struct Change: Sendable {
        let command: ChangeNumber
        let outcome: Result<Account, PhoneFailure>
        let undo: SecretToken
    }

    init(
        _ store: any SQLStore,
        accountPolicy: AccountPolicy = .standard,
        sessionPolicy: SessionPolicy = .standard,
        limits: LimitPolicy = .none,
        testNumber: String? = nil,
        clock: ManualClock = ManualClock(StoreScene.start),
        identifiers: CountingIdentifiers = CountingIdentifiers()
    ) throws {
        self.store = store
        self.clock = clock
        self.accountPolicy = accountPolicy
        self.sessionPolicy = sessionPolicy
        self.identifiers = identifiers
        guard let code = VerificationCode(StoreScene.rightCode) else { throw NoCode() }
        let testNumbers = try testNumber.map { [try PhoneNumber(parsing: $0, region: .korea): code] } ?? [:]
        useCase = try VerificationUseCase.plain(
            over: store,
            code: StoreScene.rightCode,
            policy: .hurried(),
            abusePolicy: AbusePolicy(
                limits: limits,
                trafficGuard: .off,
                testNumbers: TestNumbers(testNumbers, until: StoreScene.start + .seconds(86_400))
            ),
            accountPolicy: accountPolicy,
            identifiers: identifiers,
            clock: clock
        )
    }

    private struct NoCode: Error {}

    /// The same store, clock and names under other rules.
    func replacing(_ accountPolicy: AccountPolicy) throws -> AccountScene {
        try AccountScene(
            store,
            accountPolicy: accountPolicy,
            sessionPolicy: sessionPolicy,
            clock: clock,
            identifiers: identifiers
        )
    }

    var now: Timestamp { clock.now() }

    func advance(by duration: Duration) { clock.advance(by: duration) }

    func number(_ phone: String) throws -> PhoneNumber { try PhoneNumber(parsing: phone, region: .korea) }

    /// Has a code sent.
    func request(_ phone: String, as owner: Owner) async throws(PhoneFailure) -> Verification {
        try await useCase.requestCode(for: phone, context: context(owner))
    }

    /// Proves a number: nothing has been done with the approval yet.
    func prove(_ phone: String, as owner: Owner) async throws(PhoneFailure) -> Verification {
        let begun = try await request(phone, as: owner)
        return try await useCase.check(StoreScene.rightCode, for: .id(begun.id), context: context(owner))
    }

    /// Proves a number as somebody new.
    func prove(_ phone: String) async throws -> Verification {
        try await prove(phone, as: .signup(try identifiers.makeIdentifier()))
    }

    /// Uses an approval and opens a session.
    func signUp(
        _ verification: Verification,
        userAgent: String? = "a phone",
        decision: DormantDecision? = nil
    ) async throws -> Device {
        let first = try firstTokens(of: verification)
        let opening = SessionOpening(
            tokenDigests: try first.map(tokens.digest),
            userAgent: userAgent,
            policy: sessionPolicy
        )
        let signedUp = try await useCase.signUp(
            StoreScene.rightCode,
            for: verification.id,
            CheckOptions(opening: opening, decision: decision),
            context: context(verification.owner)
        )
        return Device(signedUp: signedUp, owner: verification.owner, token: first[0])
    }

    func signUp(_ phone: String, userAgent: String? = "a phone") async throws -> Device {
        try await signUp(try await prove(phone), userAgent: userAgent)
    }

    private func firstTokens(of verification: Verification) throws -> [RefreshToken] {
        try tokens.first(
            of: Session.id(openedBy: verification.id),
            from: SecretToken("secret of " + verification.owner.rawValue)
        )
    }

    func refresh(
        _ token: RefreshToken,
        of client: OAuthClient.ID? = nil,
        limits: LimitPolicy = .none
    ) async throws -> Result<RefreshSession.Answer, PhoneFailure> {
        let command = RefreshSession(
            token: token,
            clientID: client,
            tokens: tokens,
            policy: sessionPolicy,
            auditor: Auditor(
                digester: PlainNumberDigester(),
                owner: .session(token.sessionID),
                address: Self.address
            ),
            now: now,
            limitRules: limits.changes(by: .session(token.sessionID), from: nil)
        )
        return try await result { try await store.refresh(command) }
    }

    /// Refreshes, and gives back the next token.
    func next(after token: RefreshToken) async throws -> RefreshToken {
        try await refresh(token).get().token
    }

    func end(_ selection: EndSessions.Selection, of device: Device) async throws -> Bool {
        try await store.end(
            EndSessions(accountID: device.account, selection: selection, auditor: auditor(device), now: now)
        )
    }

    func update(_ session: Session.ID, to json: String) async throws -> Result<Account, PhoneFailure> {
        try await result {
            try await store.update(session, at: now) { _ in AccountMetadata(json: json) }
        }
    }

    func requestDeletion(_ device: Device) async throws -> Result<Account, PhoneFailure> {
        try await result {
            try await store.requestDeletion(
                RequestDeletion(
                    sessionID: device.session,
                    accountPolicy: accountPolicy,
                    auditor: auditor(device),
                    now: now
                )
            )
        }
    }

    func export(_ id: Account.ID) async throws -> PersonalData? {
        try await store.personalData(of: id) { PlainNumberDigester().digests(of: $0.e164) }
    }

    func delete(_ id: Account.ID) async throws -> Bool {
        try await store.delete(DeleteAccount(id, digester: PlainNumberDigester(), now: now))
    }

    /// Proves a number in a device's session, and has the account take it.
    func change(_ device: Device, to phone: String) async throws -> Change {
        try await change(device, with: try await prove(phone, as: .session(device.session)).id)
    }

    func change(
        _ device: Device,
        with verification: Verification.ID,
        code: String = StoreScene.rightCode,
        from address: ClientAddress? = Self.address
    ) async throws -> Change {
        var context = context(.session(device.session))
        context.address = address
        let id: NumberChange.ID = try identifiers.makeIdentifier()
        let (undo, digest) = try undoTokens.make(for: id)
        let check = try await useCase.check(code, for: verification, context: context, in: { $0 })
        let command = ChangeNumber(
            check: check,
            changeID: id,
            undoDigest: digest,
            messageID: try identifiers.makeIdentifier(),
            language: .korean,
            accountPolicy: accountPolicy
        )
        return Change(command: command, outcome: try await result { try await store.changeNumber(command) }, undo: undo)
    }

    func undo(_ change: Change) async throws -> Result<Account, PhoneFailure> {
        try await result {
            try await store.undo(
                UndoNumberChange(
                    digest: try undoTokens.digest(of: change.undo) ?? [],
                    accountPolicy: accountPolicy,
                    digester: PlainNumberDigester(),
                    address: Self.address,
                    now: now
                )
            )
        }
    }

    /// The number that an account holds, and whether there is such an account: `nil` and `.some(nil)` are not the same.
    func number(of device: Device) async throws -> String?? {
        try await store.account(device.account).map { $0.phoneNumber?.e164 }
    }

    func trail() async throws -> [AuditEntry] {
        try await store.entries(AuditQuery(limit: 1000)).entries.reversed()
    }

    private func auditor(_ device: Device) -> Auditor {
        Auditor(digester: PlainNumberDigester(), owner: .session(device.session), address: Self.address)
    }

    private func context(_ owner: Owner) -> RequestContext {
        RequestContext(owner: owner, region: .korea, language: .korean, address: Self.address)
    }

    /// The entry that something done so long after the start leaves.
    func entry(
        _ action: AuditEntry.Action,
        _ owner: Owner?,
        _ verification: Verification.ID?,
        _ phone: String?,
        after duration: Duration = .zero
    ) throws -> AuditEntry {
        let number = try phone.map(number)
        return AuditEntry(
            at: StoreScene.start + duration,
            action: action,
            owner: owner,
            address: Self.address,
            verificationID: verification,
            maskedNumber: number?.masked,
            numberDigest: number.map { NumberDigest(rawValue: "test:\($0.e164)") },
            region: number?.region
        )
    }
}

/// What a command returned, or why it was refused.
func result<Value>(of work: () async throws -> Value) async throws -> Result<Value, PhoneFailure> {
    do {
        return .success(try await work())
    } catch let failure as PhoneFailure {
        return .failure(failure)
    }
}
