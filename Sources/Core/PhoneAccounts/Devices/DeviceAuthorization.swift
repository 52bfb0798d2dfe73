import CoreEncodings
public import PhoneDomain
public import PhoneSignup

/// A sign-in on a device that has no browser, such as a terminal or a television, which a person approves in the browser
/// of another (RFC 8628). It lasts for minutes.
///
/// Neither of its codes is stored: of the person's, which is short, there is a digest that needs the service's key, and
/// of the device's a plain one.
public struct DeviceAuthorization: Hashable, Sendable {
    /// How long the codes are valid: enough to find the phone.
    public static let lifetime: Duration = .seconds(600)
    /// How long a device waits between two questions, and how much longer each time that it did not (section 3.5).
    public static let standardInterval: Duration = .seconds(5)

    public enum Status: String, Sendable, CaseIterable {
        case pending, approved, denied
        /// The device has its tokens.
        case used
    }

    /// The keyed digest of ``UserCode``.
    public let key: String
    public let deviceDigest: [UInt8]
    public let grant: ClientGrant
    /// Where it was asked for, and by which program, for the person to compare.
    public let address: ClientAddress?
    public let userAgent: String?
    public let createdAt: Timestamp
    public let expiresAt: Timestamp
    /// The session that the device gets.
    public let openedSessionID: Session.ID
    public private(set) var interval: Duration
    public private(set) var askedAt: Timestamp?
    public private(set) var status: Status
    /// The browser's, in which the person has approved or refused it.
    public private(set) var sessionID: Session.ID?

    public init(
        key: String,
        deviceDigest: [UInt8],
        grant: ClientGrant,
        address: ClientAddress?,
        userAgent: String?,
        createdAt: Timestamp,
        expiresAt: Timestamp,
        openedSessionID: Session.ID,
        interval: Duration = standardInterval,
        askedAt: Timestamp? = nil,
        status: Status = .pending,
        sessionID: Session.ID? = nil
    ) {
        (self.key, self.deviceDigest, self.grant, self.address) = (key, deviceDigest, grant, address)
        (self.userAgent, self.createdAt, self.expiresAt) = (userAgent, createdAt, expiresAt)
        (self.openedSessionID, self.interval, self.askedAt) = (openedSessionID, interval, askedAt)
        (self.status, self.sessionID) = (status, sessionID)
    }

    func isPending(at now: Timestamp) -> Bool { status == .pending && now < expiresAt }

    mutating func decide(_ isApproved: Bool, in session: Session.ID) {
        status = isApproved ? .approved : .denied
        sessionID = session
    }

    /// Whether it was approved in this session, or else refused; nil if nothing was decided there.
    func decision(in session: Session.ID) -> Bool? { sessionID == session ? status != .denied : nil }

    /// Returns whether the device has waited as long as it should.
    mutating func ask(at now: Timestamp) -> Bool {
        let isInTime = askedAt.map { now >= $0 + interval || now < $0 } ?? true
        if !isInTime { interval = min(interval + Self.standardInterval, Self.lifetime) }
        askedAt = now
        return isInTime
    }

    mutating func use() { status = .used }

    /// The key in the text of a device's code, `dc_`, the key, an underscore and a random part; nil for a text of another
    /// form.
    static func key(in code: SecretToken) -> String? {
        let text = code.text.utf8
        guard text.count <= 200, text.starts(with: prefix.utf8), text.count > prefix.utf8.count + 44 else { return nil }
        let key = text.dropFirst(prefix.utf8.count).prefix(43)
        return [UInt8](.base64URL, key).map { _ in String(decoding: key, as: UTF8.self) }
    }

    static let prefix = "dc_"
}

/// What the device shows and the person types: eight letters without vowels, so that they form no word (RFC 8628 section
/// 6.1), which are 25.6 billion.
public struct UserCode: Hashable, Sendable, CustomStringConvertible {
    private static let letters = Array("BCDFGHJKLMNPQRSTVWXZ".utf8)
    private static let length = 8
    /// The letters alone.
    let text: String

    /// With a hyphen in the middle.
    public var description: String { "\(text.prefix(4))-\(text.suffix(4))" }

    /// Nil unless the text has these letters, in any case, with whatever hyphens and spaces.
    public init?(typed: String) {
        guard typed.utf8.count <= 64 else { return nil }
        let separators = Array(" -.\t\u{A0}\u{2010}\u{2011}\u{2013}\u{2212}\u{3000}\u{30FC}\u{FF0D}".unicodeScalars)
        let bytes = typed.unicodeScalars.filter { !separators.contains($0) }.map { scalar in
            // Full-width letters, as keyboards for East Asia give them, differ by a fixed distance.
            let value = (0xFF21...0xFF5A).contains(scalar.value) ? scalar.value - 0xFEE0 : scalar.value
            return value < 128 ? UInt8(value) & ((0x61...0x7A).contains(value) ? 0xDF : 0xFF) : 0
        }
        guard bytes.count == Self.length, bytes.allSatisfy(Self.letters.contains) else { return nil }
        text = String(decoding: bytes, as: UTF8.self)
    }

    /// - Parameter bits: 64 random ones, of which the remainder is as good as even.
    init(randomBits bits: UInt64) {
        var (bits, letters) = (bits, [UInt8]())
        for _ in 0..<Self.length {
            letters.append(Self.letters[Int(bits % 20)])
            bits /= 20
        }
        text = String(decoding: letters, as: UTF8.self)
    }
}

/// What a device is given to begin with.
public struct StartedDevice: Sendable {
    public let code: SecretToken
    public let userCode: UserCode
    public let interval: Duration
    public let expiresIn: Duration
}

/// A person's answer about a device.
public struct DecideDevice: Command {
    public let key: String
    let isApproved: Bool
    /// The browser's.
    let sessionID: Session.ID
    public let now: Timestamp
    public let limits: TakeLimits

    /// Nothing is decided twice: a second tap, or the other answer afterwards, gets what was decided first in this session.
    ///
    /// - Returns: whether it is approved.
    public func apply(to device: inout DeviceAuthorization?) -> Result<Bool, PhoneFailure> {
        guard var decided = device else { return .failure(.notSignedIn) }
        if let earlier = decided.decision(in: sessionID) { return .success(earlier) }
        guard decided.isPending(at: now) else { return .failure(.notSignedIn) }
        decided.decide(isApproved, in: sessionID)
        device = decided
        return .success(isApproved)
    }
}

/// A device's question whether it may sign in, and the opening of its session when it may.
public struct AskForDevice: Command {
    public struct State: Sendable {
        public var device: DeviceAuthorization?
        /// The session and the account of the person who has approved it.
        public let signedIn: SignedIn?
        /// The session that the device has got. If the command sets it to nil it must be deleted.
        public var opened: Session?
        public var account: Account?
        public var audit: AuditEntry?

        public init(device: DeviceAuthorization?, signedIn: SignedIn?, opened: Session?, account: Account?) {
            (self.device, self.signedIn, self.opened, self.account) = (device, signedIn, opened, account)
        }
    }

    public enum Answer: Sendable {
        case tokens(SignedIn, RefreshToken)
        case pending, slowDown, denied, expired
    }

    public let key: String
    let secret: SecretToken
    let clientID: OAuthClient.ID
    let vault: any TokenVault
    let tokens: RefreshTokens
    let policy: SessionPolicy
    let auditor: Auditor
    public let now: Timestamp

    /// A code that was used already ends the session that it has opened, since somebody has a copy of it (as
    /// ``ExchangeCode``).
    public func apply(to state: inout State) throws -> Result<Answer, PhoneFailure> {
        guard var device = state.device, try vault.matches(secret, digest: device.deviceDigest),
            device.grant.clientID == clientID
        else { return .failure(.notSignedIn) }
        switch device.status {
        case .used:
            if let opened = state.opened, let account = state.account, opened.belongs(to: account) {
                state.opened = nil
                state.audit = try auditor.entry(.reuse, account.phoneNumber, nil, at: now)
            }
            return .failure(.notSignedIn)
        case _ where now >= device.expiresAt: return .success(.expired)
        case .denied: return .success(.denied)
        case .pending:
            let isInTime = device.ask(at: now)
            state.device = device
            return .success(isInTime ? .pending : .slowDown)
        case .approved: break
        }
        guard let signedIn = state.signedIn, signedIn.session.id == device.sessionID, signedIn.holds(at: now),
            let token = try tokens.first(of: device.openedSessionID, from: secret).first
        else { return .success(.denied) }
        device.use()
        let session = signedIn.clientSession(
            device.openedSessionID,
            of: device.grant,
            userAgent: device.userAgent,
            tokenDigest: try tokens.digest(of: token),
            policy: policy,
            at: now
        )
        state.account?.recordActivity(in: session, at: now)
        (state.device, state.opened) = (device, session)
        return .success(.tokens(SignedIn(session: session, account: state.account ?? signedIn.account), token))
    }
}

extension AccountUseCase {
    /// Begins a device's sign-in for a client that may ask so. Throws ``PhoneFailure/rateLimited(policies:retryAt:)``
    /// beyond what an address may begin.
    public func startDevice(
        of client: OAuthClient,
        _ scopes: Set<OpenIDScope>,
        userAgent: String?,
        from address: ClientAddress?
    ) async throws(PhoneFailure) -> StartedDevice {
        try await available {
            let now = clock.now()
            let userCode = UserCode(randomBits: try identifiers.makeRandomBits().0)
            let key = try deriver.derive(.userCode, from: [userCode.text])[0]
            let code = try vault.makeToken(prefix: DeviceAuthorization.prefix + key + "_")
            let device = DeviceAuthorization(
                key: key,
                deviceDigest: try vault.digest(of: code),
                grant: ClientGrant(clientID: client.id, scopes: scopes),
                address: address,
                userAgent: SessionOpening(tokenDigests: [], userAgent: userAgent, policy: sessionPolicy).userAgent,
                createdAt: now,
                expiresAt: now + DeviceAuthorization.lifetime,
                openedSessionID: try identifiers.makeIdentifier()
            )
            try await store.insert(device, within: TakeLimits(rules: limits.deviceStarts(from: address), now: now))
            return StartedDevice(
                code: code,
                userCode: userCode,
                interval: device.interval,
                expiresIn: DeviceAuthorization.lifetime
            )
        }
    }

    /// The sign-in that waits for a person with this code, and its client; nil if there is none. Each try counts, right or
    /// wrong. Throws ``PhoneFailure/rateLimited(policies:retryAt:)``.
    public func device(
        with code: UserCode?,
        from address: ClientAddress?
    ) async throws(PhoneFailure) -> (DeviceAuthorization, OAuthClient)? {
        try await available {
            let stored = try await storedDevice(with: code, from: address)
            return stored.flatMap { $0.0.isPending(at: clock.now()) ? $0 : nil }
        }
    }

    /// That with this code, whether it waits or was decided.
    private func storedDevice(
        with code: UserCode?,
        from address: ClientAddress?
    ) async throws -> (DeviceAuthorization, OAuthClient)? {
        try await store.take(TakeLimits(rules: limits.deviceTries(from: address), now: clock.now()))
        guard let code else { return nil }
        for key in try deriver.derive(.userCode, from: [code.text]) {
            guard let device = try await store.device(key),
                let client = try await clients.client(device.grant.clientID), client.profile.signsInDevices
            else { continue }
            return (device, client)
        }
        return nil
    }

    /// Approves the device with this code as the person who is signed in in the browser, or refuses it. What they have
    /// decided before stays. Throws ``PhoneFailure/notSignedIn`` if no device waits with this code.
    ///
    /// - Returns: whether it is approved.
    public func decide(
        _ code: UserCode?,
        isApproved: Bool,
        by signedIn: SignedIn,
        from address: ClientAddress?
    ) async throws(PhoneFailure) -> Bool {
        try await available {
            guard let (device, _) = try await storedDevice(with: code, from: address) else {
                throw PhoneFailure.notSignedIn
            }
            return try await store.decide(
                DecideDevice(
                    key: device.key,
                    isApproved: isApproved,
                    sessionID: signedIn.session.id,
                    now: clock.now(),
                    limits: limits(of: signedIn.session.id, address)
                )
            )
        }
    }

    /// What a device gets for its code; nil instead of tokens where it has to wait or to give up. Throws
    /// ``PhoneFailure/notSignedIn`` for a code that is none of the client's.
    public func ask(
        with code: SecretToken,
        of client: OAuthClient,
        from address: ClientAddress?
    ) async throws(PhoneFailure) -> (answer: AskForDevice.Answer, tokens: IssuedTokens?, idToken: SecretToken?) {
        guard let key = DeviceAuthorization.key(in: code) else { throw .notSignedIn }
        return try await available {
            let answer = try await store.ask(
                AskForDevice(
                    key: key,
                    secret: code,
                    clientID: client.id,
                    vault: vault,
                    tokens: tokens,
                    policy: sessionPolicy,
                    auditor: Auditor(digester: digester, owner: .local, address: address),
                    now: clock.now()
                )
            )
            guard case .tokens(let signedIn, let token) = answer else { return (answer, nil, nil) }
            let (issued, idToken) = try await issue(token, to: signedIn, nonce: nil, of: client)
            return (answer, issued, idToken)
        }
    }
}
