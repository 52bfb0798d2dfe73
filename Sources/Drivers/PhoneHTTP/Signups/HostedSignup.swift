public import PhoneAccounts
public import PhoneDomain
public import PhoneNumbers
public import PhoneSignup
public import PhoneViewModel

/// The guided signup as a service: it is stored between two requests. Each call restores its view model, passes it what
/// the person did, saves what that changed, and returns what there is to see.
public struct HostedSignup: Sendable {
    /// What there is to see of a signup, however the call went.
    public struct Answer: Sendable {
        public let signup: Signup
        public let state: PhoneViewState
        /// Why the call failed.
        public let failure: PhoneFailure?
        /// The verification of the number in the phone field.
        public let verification: Verification?
        /// What the person is to send, if the verification waits for a message from them.
        public let instruction: InboundInstruction?
        /// The account, even if the person had signed up before the call.
        public let signedUp: SignedUp?
        /// What the person is to accept, where the operator asks for that.
        public let consent: ConsentPolicy?
    }

    public let useCase: VerificationUseCase
    public let accounts: AccountUseCase
    public let tokens: any TokenVault
    public let clock: any WallClock
    public let ttl: Duration
    private let store: any SignupStore
    private let identifiers: any IdentifierSource
    private let limits: LimitPolicy

    /// - Parameter limits: how many signups an address may begin, and how much they may have stored.
    public init(
        useCase: VerificationUseCase,
        accounts: AccountUseCase,
        store: any SignupStore,
        tokens: any TokenVault,
        identifiers: any IdentifierSource,
        clock: any WallClock,
        ttl: Duration,
        limits: LimitPolicy
    ) {
        (self.useCase, self.accounts, self.store, self.tokens) = (useCase, accounts, store, tokens)
        (self.identifiers, self.clock, self.ttl, self.limits) = (identifiers, clock, ttl, limits)
    }

    /// A new signup, and the token that only its client has.
    ///
    /// - Parameters:
    ///   - known: of the browser that it is for. If another of its requests has just begun the signup, that one stays.
    ///   - consentVersion: of the rules that the person has accepted.
    public func begin(
        _ region: Region,
        _ language: LanguageTag,
        from address: ClientAddress?,
        as known: (id: Signup.ID, token: SecretToken)? = nil,
        consentVersion: String? = nil,
        labels: Labels = .none
    ) async throws(PhoneFailure) -> (Signup, SecretToken) {
        try await available {
            let now = clock.now()
            let token = try known?.token ?? tokens.makeToken(prefix: "sgt_")
            let signup = Signup(
                id: try known?.id ?? identifiers.makeIdentifier(),
                tokenDigest: try tokens.digest(of: token),
                region: region,
                language: language,
                createdAt: now,
                expiresAt: now + ttl,
                phoneText: "",
                verificationID: nil,
                consentVersion: consentVersion,
                labels: labels
            )
            try await store.begin(BeginSignup(signup, from: address, limits: limits))
            return (signup, token)
        }
    }

    /// - Throws: ``PhoneFailure/signupNotFound`` if there is none or it has expired.
    public func signup(_ id: Signup.ID?) async throws(PhoneFailure) -> Signup {
        guard let id, let signup = try await available({ try await store.signup(id) }), clock.now() < signup.expiresAt
        else { throw .signupNotFound }
        return signup
    }

    /// The signup, for a client that has its token.
    ///
    /// - Throws: the same for a signup that never was, an expired one and a wrong token.
    public func signup(_ id: Signup.ID?, for token: SecretToken) async throws(PhoneFailure) -> Signup {
        let signup = try await signup(id)
        guard try available({ try tokens.matches(token, digest: signup.tokenDigest) }) else {
            throw .signupNotFound
        }
        return signup
    }

    /// Each text is nil if its field was not edited. That of the code field is judged and not saved.
    public func edit(
        _ signup: Signup,
        phoneText: String?,
        codeText: String?,
        from address: ClientAddress?
    ) async throws(PhoneFailure) -> Answer {
        var signup = signup
        if let phoneText {
            let text = useCase.format(phoneText, region: signup.region)
            signup = try await save(signup.id, from: address) { $0.phoneText = text }
        }
        return try await show(signup, codeText: codeText ?? "", from: address)
    }

    /// Reads national numbers as those of this region from now on, and records which rules the person has accepted;
    /// nil changes nothing of that.
    public func move(
        _ signup: Signup,
        to region: Region,
        consentVersion: String?,
        from address: ClientAddress?
    ) async throws(PhoneFailure) -> Signup {
        guard region != signup.region || consentVersion.map({ $0 != signup.consentVersion }) ?? false else {
            return signup
        }
        return try await save(signup.id, from: address) { saved in
            saved.region = region
            if let consentVersion { saved.consentVersion = consentVersion }
        }
    }

    /// Has a code sent, for a proof if the guard has asked for one; or none, where a token proves the number. The
    /// signup is saved in the transaction that does so, without its earlier verification being read. After signing up
    /// another one would replace the one that proves it.
    public func send(
        _ signup: Signup,
        phoneText: String?,
        by channel: Channel? = nil,
        proof: ChallengeProof? = nil,
        numberProof: NumberProof? = nil,
        challenges: ChallengeSupport = .automatic,
        signals: ClientSignals = ClientSignals(),
        from address: ClientAddress?
    ) async throws(PhoneFailure) -> Answer {
        guard !signup.isComplete else { return try await show(signup, from: address, after: .verificationClosed) }
        var context = signup.context(from: address)
        let shownText = phoneText.map { useCase.format($0, region: signup.region) }
        (context.challenges, context.signals) = (challenges, signals)
        var options = VerificationOptions(proof: proof, numberProof: numberProof)
        (options.phoneText, options.labels) = (shownText, signup.labels)
        let own = ServerPhoneUseCase(useCase, context: context, options: options)
        let viewModel = PhoneViewModel(useCase: own, phoneText: phoneText ?? signup.phoneText, channel: channel)
        let state = await PhoneViewSession(viewModel).tapSend()
        let failure = own.results.failure
        if failure == nil, state.sentCode != nil { return try answer(signup, state, own.results) }
        let saved = try await save(signup.id, from: address) { saved in
            if let shownText, !saved.isComplete { saved.phoneText = shownText }
        }
        return try await show(saved, from: address, after: failure ?? Self.cancelled)
    }

    /// Checks the code, and opens a session whose first tokens ``AccountUseCase/tokens(of:by:)`` has.
    ///
    /// - Parameter consentVersion: of the rules that the person accepts now; another than the one in force is none.
    public func signUp(
        _ signup: Signup,
        _ token: SecretToken,
        codeText: String,
        consentVersion: String? = nil,
        userAgent: String?,
        from address: ClientAddress?
    ) async throws(PhoneFailure) -> Answer {
        var signup = signup
        if let consentVersion, consentVersion == accounts.consent?.version {
            signup = try await move(signup, to: signup.region, consentVersion: consentVersion, from: address)
        }
        var options = CheckOptions(decision: signup.decision)
        if let id = signup.verificationID {
            options.opening = try accounts.opening(of: id, by: token, userAgent: userAgent)
        }
        let (session, own, _) = try await restore(signup, options, from: address)
        session.changeCodeText(codeText)
        let state = await session.tapSignUp()
        let results = own.results
        if state.signedUp != nil || results.failure?.verification != nil { return try answer(signup, state, results) }
        // The view model refuses by itself where no code was sent.
        let failure = results.failure ?? (state.failure == nil ? Self.cancelled : .verificationNotFound)
        // Another request may have changed the verification since it was read.
        return try await show(signup, codeText: codeText, from: address, after: failure)
    }

    /// A tap ends without success and without failure only if the request was cancelled.
    private static let cancelled = PhoneFailure.unavailable(cause: "the request was given up")
}

/// Decisions about a number whose account has not been used for long (``AccountPolicy/Recycling/ask``).
extension HostedSignup {
    public func decide(
        _ decision: DormantDecision,
        _ signup: Signup,
        by owner: Owner,
        from address: ClientAddress?
    ) async throws(PhoneFailure) -> Signup {
        let approval = try await approval(of: signup)
        let id = approval.id
        // Repeating a decision writes no audit entry: a client with the signup's token could write any number of them.
        if signup.decision != decision {
            try await accounts.recordDecision(decision, on: approval, by: owner, from: address)
        }
        let saved = try await save(signup.id, from: address) { saved in
            guard !saved.isComplete, saved.verificationID == id else { return }
            saved.decision = decision
        }
        // Meanwhile another request may have signed the person up, or requested another code.
        guard !saved.isComplete, saved.verificationID == id else { throw .verificationClosed }
        return saved
    }

    public func dormantAccount(of signup: Signup) async throws(PhoneFailure) -> Account? {
        try await accounts.dormantAccount(of: approval(of: signup).phoneNumber)
    }

    private func approval(of signup: Signup) async throws(PhoneFailure) -> Verification {
        guard let id = signup.verificationID else { throw .verificationNotApproved }
        let verification = try await useCase.verification(id, owner: signup.owner)
        switch verification.status(at: clock.now()) {
        case .approved where verification.consumedBy == nil: return verification
        case .pending: throw .verificationNotApproved
        case .expired: throw .codeExpired
        case .approved, .canceled, .failed, .maxAttemptsReached: throw .verificationClosed
        }
    }
}

/// Restoring, showing and saving.
extension HostedSignup {
    /// - Parameter failure: why the call failed after which the signup is shown.
    public func show(
        _ signup: Signup,
        codeText: String = "",
        from address: ClientAddress?,
        after failure: PhoneFailure? = nil
    ) async throws(PhoneFailure) -> Answer {
        let (session, own, signedUp) = try await restore(signup, from: address)
        let state = session.changeCodeText(codeText)
        return try answer(signup, state, own.results, signedUp: signedUp, failure: failure)
    }

    private func answer(
        _ signup: Signup,
        _ state: PhoneViewState,
        _ results: ServerPhoneUseCase.Results,
        signedUp: SignedUp? = nil,
        failure: PhoneFailure? = nil
    ) throws(PhoneFailure) -> Answer {
        let verification = state.sentCode.flatMap { results[$0] }
        return Answer(
            signup: signup,
            state: state,
            failure: failure ?? results.failure,
            verification: verification,
            instruction: try verification.flatMap { verification throws(PhoneFailure) in
                try useCase.instruction(for: verification)
            },
            signedUp: signedUp ?? results.signedUp,
            consent: accounts.consent
        )
    }

    /// The signup's view model with its use case, and the account if the person has signed up.
    private func restore(
        _ signup: Signup,
        _ options: CheckOptions = CheckOptions(),
        from address: ClientAddress?
    ) async throws(PhoneFailure) -> (PhoneViewSession, ServerPhoneUseCase, SignedUp?) {
        let own = ServerPhoneUseCase(useCase, context: signup.context(from: address), checkOptions: options)
        guard let id = signup.verificationID else { return (session(signup, own, nil), own, nil) }
        do {
            let verification = try await useCase.verification(id, owner: signup.owner)
            let signedUp = try await useCase.signedUp(with: verification)
            return (session(signup, own, own.sentCode(of: verification)), own, signedUp)
        } catch .verificationNotFound {
            // Purged, as all are in the end: the signup continues without.
            return (session(signup, own, nil), own, nil)
        }
    }

    private func session(_ signup: Signup, _ useCase: ServerPhoneUseCase, _ sentCode: SentCode?) -> PhoneViewSession {
        PhoneViewSession(PhoneViewModel(useCase: useCase, phoneText: signup.phoneText, sentCode: sentCode))
    }

    /// Saves what a call has changed, and nothing else, since another may be in progress.
    ///
    /// - Returns: the signup as it is now.
    /// - Throws: ``PhoneFailure/rateLimited(policies:retryAt:)`` if it changes too often.
    private func save(
        _ id: Signup.ID,
        from address: ClientAddress?,
        _ change: @escaping @Sendable (inout Signup) -> Void
    ) async throws(PhoneFailure) -> Signup {
        let limits = limits.changes(by: .signup(id), from: address, at: clock.now())
        guard let saved = try await available({ try await store.update(id, within: limits, change) }) else {
            throw .signupNotFound
        }
        return saved
    }
}
