import CoreEncodings
import PhoneAccounts
import PhoneAdministration
import PhoneDomain
import PhoneNumbers
import PhoneService
import PhoneSignup
import PhoneStore

/// What people do with their passkeys.
struct PasskeyUseCase: Sendable {
    /// What happens to the passkeys of an account that has got another number. Raw values are what operators write.
    enum NumberChangePolicy: String, CaseIterable {
        /// They are of no more use.
        case end
        /// The person is asked, once they have signed in by a code to the new number.
        case ask
    }

    let service: DockService
    let site: RelyingParty
    let policy: NumberChangePolicy
    /// How long a passkey may go unused.
    let unused: Duration
    /// How long after signing in a passkey can be added.
    let freshProof: Duration

    private var store: any SQLStore { service.store }
    private var now: Timestamp { service.clock.now() }

    /// How long a challenge may be answered: the time that a page gives the person, and some for the network.
    static let challengeLife: Duration = .seconds(300)

    // MARK: - Challenges

    /// A text that is base64url of 54 bytes: the moment, 128 bits that are no other challenge's, and a tag by which we
    /// know it again, so that none is stored before it was used.
    ///
    /// - Parameter subject: nil for a sign-in, which is anybody's.
    private func makeChallenge(for subject: Session.ID?) throws -> String {
        let moment = UInt64(bitPattern: now.milliseconds).paddedHexadecimal
        let head = moment + (try service.identifiers.makeRandomText())
        let tags = try service.deriver.derive(.keyChallenge, from: [head, subject?.description ?? "", site.id])
        return head + tags[0].prefix(24)
    }

    /// The mark that it was used, once it has been.
    private func use(_ challenge: String, for subject: Session.ID?) throws -> UsedProof {
        let head = String(challenge.prefix(48))
        guard challenge.utf8.count == 72, let milliseconds = UInt64(head.prefix(16), radix: 16),
            try service.deriver.isDerived(
                String(challenge.dropFirst(48)),
                .keyChallenge,
                from: [head, subject?.description ?? "", site.id]
            )
        else { throw CeremonyFault.challenge }
        let end = Timestamp(milliseconds: Int64(bitPattern: milliseconds)) + Self.challengeLife
        guard now < end else { throw CeremonyFault.challenge }
        return UsedProof(key: "key " + head, expiresAt: end)
    }

    // MARK: - Registration

    /// Who has stolen a session must not be able to stay by a key of their own. One of before a change of number has
    /// proven another number than the account has now.
    func mayRegister(_ signedIn: SignedIn) -> Bool {
        let provenAt = signedIn.session.createdAt
        return signedIn.account.phoneNumberSince <= provenAt && now < provenAt + freshProof
    }

    /// PublicKeyCredentialCreationOptionsJSON (WebAuthn Level 3, section 5.1.8).
    func creationOptions(for signedIn: SignedIn) async throws -> JSON {
        // A device must be able to replace one that has ended.
        let keys = try await passkeys(of: signedIn).map(\.passkey)
        let number = signedIn.account.phoneNumber?.internationalFormat ?? ""
        return [
            "rp": ["id": .string(site.id), "name": .string(site.id)],
            "user": [
                "id": .string(signedIn.account.id.bytes.base64URL), "name": .string(number),
                "displayName": .string(number),
            ],
            "challenge": .string(try makeChallenge(for: signedIn.session.id)),
            "pubKeyCredParams": .array(
                CredentialKey.Algorithm.allCases.map { ["type": "public-key", "alg": .integer($0.identifier)] }
            ),
            "timeout": .integer(Self.challengeLife.components.seconds * 1000),
            "excludeCredentials": .array(keys.map(\.descriptor)),
            "authenticatorSelection": [
                "residentKey": "required", "requireResidentKey": true, "userVerification": "required",
            ],
            "attestation": "none",
        ]
    }

    func register(
        _ credential: JSON,
        name: PasskeyName,
        for signedIn: SignedIn,
        from address: ClientAddress?
    ) async throws -> Passkey {
        guard mayRegister(signedIn) else { throw PhoneFailure.proofTooOld }
        let registration = try Registration(credential, at: site)
        let used = try use(registration.challenge, for: signedIn.session.id)
        try await service.accounts.countChange(of: signedIn.session.id, from: address)
        let new = Passkey(registration, of: signedIn.account.id, name: name, at: now)
        let entry = try entry(.addSignInKey, signedIn, address)
        return try await store.transact { [now] session -> Result<Passkey, any Error> in
            // Locked: of many at once each finds those before it.
            var found: Account?
            let ids = [new.accountID.value]
            try session.forEach(Account.select(), in: Account.table, where: "id", isAnyOf: ids, locking: true) {
                found = try Account($0)
            }
            guard let account = found, !account.isDue(at: now), account.suspendedAt == nil, account.phoneNumber != nil
            else { return .failure(PhoneFailure.notSignedIn) }
            guard mayRegister(SignedIn(session: signedIn.session, account: account)) else {
                return .failure(PhoneFailure.proofTooOld)
            }
            guard try session.all(UsedProof.self, "WHERE key = \(used.key)").isEmpty else {
                return .failure(CeremonyFault.used)
            }
            guard try session.all(Passkey.self, "WHERE id = \(new.key)").isEmpty else {
                return .failure(CeremonyFault.known)
            }
            let others = try session.all(Passkey.self, "WHERE account_id = \(account.id) ORDER BY id")
            let ended = others.filter { policy == .end && !$0.isValid(for: account, unused: unused, at: now) }
            for key in ended { try session.save(key, nil) }
            guard others.count - ended.count < Passkey.most else { return .failure(CeremonyFault.tooMany) }
            var passkey = new
            passkey.confirm(for: account, at: now)
            try session.save(nil, used)
            try session.save(nil, passkey)
            try session.append([entry])
            return .success(passkey)
        }
        .get()
    }

    // MARK: - Sign-in

    /// PublicKeyCredentialRequestOptionsJSON. It lists no keys, which would reveal who has an account: the person chooses
    /// among those that the device has for this site.
    func requestOptions() throws -> JSON {
        [
            "challenge": .string(try makeChallenge(for: nil)),
            "timeout": .integer(Self.challengeLife.components.seconds * 1000),
            "rpId": .string(site.id), "allowCredentials": [], "userVerification": "required",
        ]
    }

    /// Each of an account's keys may sign in as often as this in an hour, since each time an entry of the audit log stays.
    private static func signIns(of account: Account.ID) -> [LimitRule] {
        [RateLimit].hourly(60).map { LimitRule("key-sign-ins", $0, of: account.description) }
    }

    /// Throws ``CeremonyFault``, and ``PhoneFailure/accountSuspended``.
    func signIn(
        by credential: JSON,
        userAgent: String?,
        from address: ClientAddress?
    ) async throws -> IssuedTokens {
        let failures = service.accounts.keySignIns(from: address)
        try await store.take(failures)
        let assertion = try Assertion(credential, at: site)
        let used = try use(assertion.challenge, for: nil)
        guard let found = try await store.find(Passkey.self, assertion.credentialID) else { throw CeremonyFault.ended }
        try assertion.check(found)
        let now = now
        let limits = TakeLimits(rules: Self.signIns(of: found.accountID), now: now)
        let secret = try service.tokens.makeToken(prefix: "key_")
        let opening = try service.accounts.opening(of: found.accountID, by: secret, userAgent: userAgent, from: address)
        let (policy, unused) = (policy, unused)
        let opened = try await store.execute(.change) { records -> Result<SignedIn, any Error> in
            let (proof, key, account) = try records.loading {
                (
                    try records.find(UsedProof.self, used.key), try records.find(Passkey.self, found.key),
                    try records.find(Account.self, found.accountID)
                )
            }
            guard proof == nil else { return .failure(CeremonyFault.used) }
            guard var passkey = key, passkey.publicKey == found.publicKey else { return .failure(CeremonyFault.ended) }
            guard let account, passkey.isValid(for: account, unused: unused, at: now) else {
                if policy == .end { try records.remove(Passkey.self, passkey.key) }
                return .failure(CeremonyFault.ended)
            }
            do throws(CeremonyFault) { try passkey.use(assertion.data, at: now) } catch { return .failure(error) }
            // Here and not before: an answer that is sent again does not count against the account.
            if case .failure(let refusal) = try limits.run(in: records) { return .failure(refusal) }
            switch try opening.run(in: records) {
            case .failure(.notSignedIn): return .failure(CeremonyFault.ended)
            case .failure(let failure): return .failure(failure)
            case .success(let signedIn):
                try records.put(used)
                try records.edit(Passkey.self, passkey.key) { $0 = passkey }
                try failures.returned.run(in: records).get()
                return .success(signedIn)
            }
        }
        .get()
        guard let tokens = try await service.accounts.tokens(of: opened, by: secret) else {
            throw PhoneFailure.notSignedIn
        }
        return tokens
    }

    // MARK: - What there is

    /// In order of creation.
    func passkeys(of account: Account.ID) async throws -> [Passkey] {
        try await store.all(Passkey.self, "WHERE account_id = \(account) ORDER BY created_at, id")
    }

    /// The passkeys that have not ended, or wait for the person's word.
    func passkeys(of signedIn: SignedIn) async throws -> [(passkey: Passkey, isValid: Bool)] {
        let (account, now) = (signedIn.account, now)
        return try await passkeys(of: account.id)
            .map { (passkey: $0, isValid: $0.isValid(for: account, unused: unused, at: now)) }
            .filter { $0.isValid || policy == .ask }
    }

    /// Whether there was one of this ID.
    func remove(_ id: String, of signedIn: SignedIn, from address: ClientAddress?) async throws -> Bool {
        let entry = try entry(.removeSignInKey, signedIn, address)
        return try await change(id, of: signedIn, from: address, entry) { $0 = nil }
    }

    func rename(
        _ id: String,
        _ name: PasskeyName,
        of signedIn: SignedIn,
        from address: ClientAddress?
    ) async throws -> Bool {
        try await change(id, of: signedIn, from: address, nil) { $0?.name = name }
    }

    /// Takes the word of somebody who has just proven the number that the key is still theirs.
    func confirm(_ id: String, of signedIn: SignedIn, from address: ClientAddress?) async throws -> Bool {
        guard policy == .ask, signedIn.session.proof == .code, mayRegister(signedIn) else {
            throw PhoneFailure.proofTooOld
        }
        let entry = try entry(.addSignInKey, signedIn, address)
        return try await change(id, of: signedIn, from: address, entry) { [now] in
            $0?.confirm(for: signedIn.account, at: now)
        }
    }

    /// All that are stored, valid or not, for an operator.
    func keys(of account: Account) async throws -> [SignInKey] {
        let now = now
        return try await passkeys(of: account.id).map { passkey in
            let isValid = passkey.isValid(for: account, unused: unused, at: now)
            return SignInKey(
                id: passkey.credentialID,
                name: passkey.name.description,
                createdAt: passkey.createdAt,
                lastUsedAt: passkey.lastUsedAt,
                state: isValid ? .active : policy == .ask ? .asks : .ended
            )
        }
    }

    /// Nil if the account has no such passkey.
    func remove(_ id: String, of account: Account.ID, by author: Operator) async throws -> Passkey? {
        guard [UInt8](.base64URL, id.utf8) != nil else { return nil }
        let entry = author.entry(.removeSignInKey, account.description, at: now)
        return try await store.execute(.change) { records in
            guard try records.find(Passkey.self, id)?.accountID == account else { return nil }
            return try records.remove(Passkey.self, id, audit: entry)
        }
    }

    private func change(
        _ id: String,
        of signedIn: SignedIn,
        from address: ClientAddress?,
        _ entry: AuditEntry?,
        _ change: @escaping @Sendable (inout Passkey?) -> Void
    ) async throws -> Bool {
        guard [UInt8](.base64URL, id.utf8) != nil,
            try await store.find(Passkey.self, id)?.accountID == signedIn.account.id
        else { return false }
        try await service.accounts.countChange(of: signedIn.session.id, from: address)
        return try await store.execute(.change) { records in
            guard try records.find(Passkey.self, id)?.accountID == signedIn.account.id else { return false }
            try records.edit(Passkey.self, id, change)
            records.append(entry)
            return true
        }
    }

    private func entry(
        _ action: AuditEntry.Action,
        _ signedIn: SignedIn,
        _ address: ClientAddress?
    ) throws -> AuditEntry {
        try Auditor(digester: service.digester, owner: .session(signedIn.session.id), address: address)
            .entry(action, signedIn.account.phoneNumber, nil, at: now)
    }
}

extension Passkey {
    /// PublicKeyCredentialDescriptorJSON.
    fileprivate var descriptor: JSON {
        let transports = transports.split(separator: " ").map { JSON.string(String($0)) }
        return ["type": "public-key", "id": .string(credentialID), "transports": .array(transports)]
    }
}

/// Does what `available(_:)` does, but lets through what is wrong with a response.
func ceremony<Value>(_ work: () async throws -> Value) async throws -> Value {
    do {
        return try await work()
    } catch let fault as CeremonyFault {
        throw fault
    } catch {
        throw PhoneFailure(of: error)
    }
}
