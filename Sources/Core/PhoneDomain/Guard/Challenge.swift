import PhoneNumbers
public import PhoneSignup

/// What a client is to do before a message goes out that the guard would suppress otherwise.
public struct Challenge: Hashable, Sendable {
    public let work: ProofOfWork
    /// What is asked in place of work; nil where that is.
    public let captcha: Captcha?
    /// Another way for a person whose client cannot compute: to wait. Only the pages offer it.
    public let ticket: WaitTicket?
    /// What the operator's own app can have signed instead; nil where no app is known.
    public let app: AppChallenge?
    /// Whether nothing but that counts.
    public let isForAppsAlone: Bool
}

/// Solves challenges, as long as it takes; nil if there is no solution.
public protocol ChallengeSolver: Sendable {
    func solve(_ work: ProofOfWork) async throws -> WorkSolution?
}

public struct ChallengeOffer: Hashable, Sendable {
    public let challenge: Challenge
    /// Whether a message would be refused without a proof now.
    public let isRequired: Bool
}

/// A proof of work by ALTCHA's protocol, version 1 (https://altcha.org/docs/v2/proof-of-work/): the client tries
/// numbers until one gives the hash. Nothing is stored for one that is asked for.
public struct ProofOfWork: Hashable, Sendable {
    public static let algorithm = "SHA-256"
    /// How long it can be redeemed: enough for a slow phone at the highest difficulty.
    static let life: Duration = .seconds(600)

    /// The SHA-256 of the salt and the number's decimal digits, in hexadecimal.
    public let hash: String
    /// 32 hexadecimal digits and what the challenge is bound to: `?expires=…&for=…&max=…&`. The `&` at the end keeps
    /// anyone from moving digits of the number into the last parameter.
    public let salt: String
    /// The HMAC-SHA-256 of the hash's text, in hexadecimal.
    public let signature: String
    /// The number is from 0 to this: solving takes half as many tries, on average.
    public let maxNumber: Int
    public let expiresAt: Timestamp

    public init(hash: String, salt: String, signature: String, maxNumber: Int, expiresAt: Timestamp) {
        (self.hash, self.salt, self.signature) = (hash, salt, signature)
        (self.maxNumber, self.expiresAt) = (maxNumber, expiresAt)
    }
}

/// A ticket that is worth a message once its time has come, for people without JavaScript. Waiting costs a machine
/// nothing, so limits on network and prefix bound it (``LimitPolicy``).
public struct WaitTicket: Hashable, Sendable {
    /// Seconds since 1970-01-01T00:00:00Z.
    fileprivate let start: Int64
    fileprivate let tag: String

    fileprivate init(start: Int64, tag: String) { (self.start, self.tag) = (start, tag) }

    /// Nil unless the text is that of a ticket, real or forged.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.longest else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == Self.prefix, let start = Int64(parts[1]), start >= 0,
            parts[2].utf8.count == Challenger.tagLength
        else { return nil }
        self.init(start: start, tag: String(parts[2]))
    }

    public var startsAt: Timestamp { Timestamp(seconds: start) }
    public var text: String { "\(Self.prefix).\(start).\(tag)" }
    private static let prefix = "wait"
    private static let longest = 100
}

/// Whether a client can be asked for a proof.
public enum ChallengeSupport: Hashable, Sendable {
    /// It speaks a dialect that has no challenges.
    case none
    /// It is a server, which may solve one, pass it on to its client, or vouch for the person instead.
    case possible
    /// It solves challenges by itself, so that the person notices little: it is asked earlier.
    case automatic
    /// It is a page, which does so too, but perhaps in a browser without JavaScript: that can wait instead.
    case page

    var isAutomatic: Bool { self == .automatic || self == .page }
}

/// What a client sends back.
public enum ChallengeProof: Hashable, Sendable {
    case work(WorkSolution)
    case ticket(WaitTicket)
    /// The token of a captcha.
    case captcha(String)
    case app(AppProof)

    /// The key of its ``UsedProof``; nil where the captcha's provider knows that it was used.
    public var key: String? {
        switch self {
        case .work(let solution): solution.hash
        case .ticket(let ticket): ticket.tag
        case .captcha: nil
        case .app(let proof): proof.nonce
        }
    }
}

/// The solution of a ``ProofOfWork``, as a client sends it: it may be forged.
public struct WorkSolution: Hashable, Sendable {
    public let hash: String
    public let number: Int
    public let salt: String
    public let signature: String
    private static let longestSalt = 256
    /// What JavaScript computes exactly.
    private static let highestNumber = 1 << 53

    /// Nil for what no solution looks like.
    public init?(algorithm: String, hash: String, number: Int, salt: String, signature: String) {
        guard algorithm == ProofOfWork.algorithm, (0..<Self.highestNumber).contains(number), Self.isDigest(hash),
            Self.isDigest(signature), salt.utf8.count <= Self.longestSalt
        else { return nil }
        (self.hash, self.number, self.salt, self.signature) = (hash, number, salt, signature)
    }

    private static func isDigest(_ text: String) -> Bool {
        text.utf8.count == 64 && text.utf8.allSatisfy { $0.lowerCaseHexadecimalValue != nil }
    }
}

/// Why a proof is not accepted.
public enum ProofFault: String, Error, Hashable, Sendable {
    /// The proof is not ours, belongs to another number, or is not solved.
    case invalid
    case expired
    /// The ticket's time has not come.
    case early
    case used
    /// The captcha's provider does not verify tokens at the moment.
    case unavailable
}

/// How hard challenges are, in the highest number of a ``ProofOfWork``.
public struct WorkPolicy: Hashable, Sendable {
    /// 100 to 1,000,000,000. Standard: 200,000, a tenth of a second in a browser at most.
    public let easiest: Int
    /// ``easiest`` to 4,000,000,000. Standard: 500,000,000. On average that is 11 seconds of processor time for
    /// a client with SHA instructions (22.8 million tries a second by OpenSSL's assembler), and 100 in a browser, which
    /// all its processors share.
    public let hardest: Int
    public static let standard = WorkPolicy(unchecked: 200_000, 500_000_000)

    private init(unchecked easiest: Int, _ hardest: Int) { (self.easiest, self.hardest) = (easiest, hardest) }

    /// Throws ``PolicyError`` for a value out of its range.
    public init(easiest: Int = standard.easiest, hardest: Int = standard.hardest) throws(PolicyError) {
        try require((100...1_000_000_000).contains(easiest), "easiest", "100 to 1000000000 tries")
        try require((easiest...4_000_000_000).contains(hardest), "hardest", "easiest to 4000000000 tries")
        self.init(unchecked: easiest, hardest)
    }

    /// Each step doubles the work.
    func work(steps: Int) -> Int {
        var work = easiest
        for _ in 0..<min(max(steps, 0), 62) {
            if work >= hardest / 2 { return hardest }
            work *= 2
        }
        return work
    }

    /// Whether work that was asked for a moment ago is enough now: while it was done the number may have got worse, by
    /// two steps at most.
    static func isEnough(_ work: Int, for required: Int) -> Bool { work >= required / 4 }
}

/// Makes challenges and judges proofs, under the service's keys: what it makes need not be stored.
public struct Challenger: Sendable {
    public let policy: WorkPolicy
    /// How long a ``WaitTicket`` is to be waited for; nil if none are made.
    public let wait: Duration?
    /// What is asked in place of work, if anything.
    let captcha: Captcha?
    /// Whether apps can bring a proof (``AppVerifier``).
    let acceptsApps: Bool
    /// Whether nothing else counts, and every message needs one.
    let requiresApp: Bool
    private let deriver: any SecretDeriver
    private let authenticator: any RequestAuthenticator
    private let identifiers: any IdentifierSource
    /// 132 bits in base64url.
    static let tagLength = 22

    public init(
        policy: WorkPolicy = .standard,
        wait: Duration? = .seconds(60),
        captcha: Captcha? = nil,
        apps: (any AppVerifier)? = nil,
        deriver: any SecretDeriver,
        authenticator: any RequestAuthenticator,
        identifiers: any IdentifierSource
    ) {
        (self.policy, self.wait, self.captcha, self.deriver) = (policy, wait, captcha, deriver)
        (acceptsApps, requiresApp) = (apps != nil, apps?.isRequired ?? false)
        (self.authenticator, self.identifiers) = (authenticator, identifiers)
    }

    /// A challenge that is worth one message to this number. Throws if randomness or cryptography fails.
    func challenge(
        for number: PhoneNumber,
        work: Int,
        _ context: RequestContext,
        at now: Timestamp
    ) throws -> Challenge {
        // Whole seconds, rounded down: the protocol's.
        let expiry = (now + ProofOfWork.life).seconds
        let tag = try self.tag(.proofOfWorkNumber, [number.e164])
        let salt = "\(try identifiers.makeRandomText())?expires=\(expiry)&for=\(tag)&max=\(work)&"
        let key = try keys()[0]
        // The number follows from the salt, by a message that is no hash: nobody without the key can make it.
        let bits = try authenticator.hmacSHA256(of: Array("number \(salt)".utf8), key: key)
        let solution = Int(bits.prefix(7).reduce(0) { $0 << 8 | UInt64($1) } % UInt64(work + 1))
        let hash = try self.hash(salt, solution)
        return Challenge(
            work: ProofOfWork(
                hash: hash,
                salt: salt,
                signature: try authenticator.hmacSHA256(of: Array(hash.utf8), key: key).hexadecimal,
                maxNumber: work,
                expiresAt: Timestamp(seconds: expiry)
            ),
            captcha: captcha,
            ticket: try ticket(for: number, context, at: now),
            app: acceptsApps ? try appChallenge(for: number, at: now) : nil,
            isForAppsAlone: requiresApp
        )
    }

    /// The work that a proof is worth for this number, or why it is worth nothing; whether it was used the store knows.
    func judge(
        _ proof: ChallengeProof,
        for number: PhoneNumber,
        _ context: RequestContext,
        captchaResult: CaptchaResult? = nil,
        at now: Timestamp
    ) throws -> Result<JudgedProof, ProofFault> {
        switch proof {
        case .app(let proof):
            guard acceptsApps, let expiresAt = try expiry(of: proof.nonce, for: number) else {
                return .failure(.invalid)
            }
            guard now < expiresAt else { return .failure(.expired) }
            return switch captchaResult {
            // It is verified before a message goes out for it (``UnansweredQuestion``).
            case .passed, nil: .success(JudgedProof(work: policy.hardest, expiresAt: expiresAt))
            case .failed: .failure(.invalid)
            case .unavailable: .failure(.unavailable)
            }
        case _ where requiresApp: return .failure(.invalid)
        case .captcha:
            guard let captcha else { return .failure(.invalid) }
            let passed = JudgedProof(work: policy.hardest, expiresAt: now)
            return switch captchaResult {
            case .passed, nil: .success(passed)
            case .failed: .failure(.invalid)
            case .unavailable: captcha.outage == .open ? .success(passed) : .failure(.unavailable)
            }
        case .work where captcha.map { !$0.acceptsWork } ?? false: return .failure(.invalid)
        case .work(let solution):
            // The signature says that all of it is ours; so does the hash of the salt, which is signed through it.
            guard try hash(solution.salt, solution.number) == solution.hash,
                try keys().contains(where: {
                    try authenticator.isHMACSHA256(solution.signature, of: Array(solution.hash.utf8), key: $0)
                }),
                let (expiresAt, tag, work) = Self.parameters(of: solution.salt),
                try deriver.isDerived(tag, .proofOfWorkNumber, from: [number.e164])
            else { return .failure(.invalid) }
            return now < expiresAt ? .success(JudgedProof(work: work, expiresAt: expiresAt)) : .failure(.expired)
        case .ticket(let ticket):
            let parts = Self.parts(of: ticket.start, number, context)
            guard wait != nil, try deriver.isDerived(ticket.tag, .waitTicket, from: parts) else {
                return .failure(.invalid)
            }
            let start = Timestamp(seconds: ticket.start)
            if now < start { return .failure(.early) }
            let end = start + ProofOfWork.life
            return now < end ? .success(JudgedProof(work: policy.hardest, expiresAt: end)) : .failure(.expired)
        }
    }

    private func ticket(
        for number: PhoneNumber,
        _ context: RequestContext,
        at now: Timestamp
    ) throws -> WaitTicket? {
        guard let wait, context.challenges == .page else { return nil }
        // Rounded up, so that nobody comes too early.
        let start = (now + wait + .milliseconds(999)).seconds
        return WaitTicket(start: start, tag: try tag(.waitTicket, Self.parts(of: start, number, context)))
    }

    /// The end of its life in hexadecimal, 128 random bits, and a tag by which we know it again.
    private func appChallenge(for number: PhoneNumber, at now: Timestamp) throws -> AppChallenge {
        let expiresAt = now + AppChallenge.life
        let head = UInt64(bitPattern: expiresAt.milliseconds).paddedHexadecimal + (try identifiers.makeRandomText())
        return AppChallenge(nonce: head + (try tag(.appNonce, [head, number.e164])), expiresAt: expiresAt)
    }

    /// Nil unless it was made for this number.
    private func expiry(of nonce: String, for number: PhoneNumber) throws -> Timestamp? {
        guard nonce.utf8.count == 48 + Self.tagLength else { return nil }
        let (head, tag) = (String(nonce.prefix(48)), String(nonce.dropFirst(48)))
        guard let end = UInt64(head.prefix(16), radix: 16),
            try deriver.isDerived(tag, .appNonce, from: [head, number.e164])
        else { return nil }
        return Timestamp(milliseconds: Int64(bitPattern: end))
    }

    private static func parts(of start: Int64, _ number: PhoneNumber, _ context: RequestContext) -> [String] {
        [String(start), number.e164, context.owner.rawValue]
    }

    private func keys() throws -> [[UInt8]] { try deriver.derive(.proofOfWork, from: []).map { Array($0.utf8) } }

    private func tag(_ label: SecretLabel, _ parts: [String]) throws -> String {
        String(try deriver.derive(label, from: parts)[0].prefix(Self.tagLength))
    }

    private func hash(_ salt: String, _ number: Int) throws -> String {
        try authenticator.sha256(of: Array("\(salt)\(number)".utf8)).hexadecimal
    }

    private static func parameters(of salt: String) -> (expiresAt: Timestamp, tag: String, work: Int)? {
        let names = ["expires", "for", "max"]
        guard salt.utf8.last == UInt8(ascii: "&"), let query = salt.split(separator: "?").dropFirst().first else {
            return nil
        }
        let pairs = query.dropLast().split(separator: "&").map { $0.split(separator: "=", maxSplits: 1) }
        guard pairs.count == names.count, zip(pairs, names).allSatisfy({ $0.count == 2 && $0[0] == $1 }),
            let seconds = Int64(pairs[0][1]), let work = Int(pairs[2][1])
        else { return nil }
        return (Timestamp(seconds: seconds), String(pairs[1][1]), work)
    }
}

struct JudgedProof: Hashable, Sendable {
    let work: Int
    let expiresAt: Timestamp
}

/// A proof that a message went out for: it is worth no other one.
public struct UsedProof: Hashable, Sendable {
    /// ``ChallengeProof/key``.
    public let key: String
    /// When it would have expired anyway.
    public let expiresAt: Timestamp
    public init(key: String, expiresAt: Timestamp) { (self.key, self.expiresAt) = (key, expiresAt) }
}

extension Timestamp {
    fileprivate var seconds: Int64 { milliseconds / 1000 }
}
