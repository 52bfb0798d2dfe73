public import PhoneNumbers
public import PhoneSignup

/// A guided signup as it is stored between two requests: the text of the phone field and the verification that it has
/// begun. The code field is its client's: no code is stored with a signup.
///
/// All else that a client sees of it follows from the numbering plan and from the verification.
public struct Signup: Identified, Hashable, Sendable {
    public static let identifierPrefix = "sgn"
    public let id: ID
    /// The digest of the token that authenticates its client.
    public let tokenDigest: [UInt8]
    public var region: Region
    public let language: LanguageTag
    public let createdAt: Timestamp
    /// When it expires, whatever its state.
    public let expiresAt: Timestamp
    public var phoneText: String
    /// The verification that it has begun last.
    public var verificationID: Verification.ID? {
        // The decision was about another number.
        didSet { if verificationID != oldValue { decision = nil } }
    }
    /// Whether the person was signed up with ``verificationID``, which nothing replaces any more.
    public var isComplete: Bool
    public var decision: DormantDecision?
    /// The version of the rules that the person has accepted (``ConsentPolicy/version``).
    public var consentVersion: String?
    /// Those of its verifications as well.
    public let labels: Labels

    public init(
        id: ID,
        tokenDigest: [UInt8],
        region: Region,
        language: LanguageTag,
        createdAt: Timestamp,
        expiresAt: Timestamp,
        phoneText: String,
        verificationID: Verification.ID?,
        isComplete: Bool = false,
        decision: DormantDecision? = nil,
        consentVersion: String? = nil,
        labels: Labels = .none
    ) {
        (self.id, self.tokenDigest, self.region, self.language) = (id, tokenDigest, region, language)
        (self.createdAt, self.expiresAt, self.phoneText) = (createdAt, expiresAt, phoneText)
        (self.verificationID, self.isComplete, self.decision) = (verificationID, isComplete, decision)
        (self.consentVersion, self.labels) = (consentVersion, labels)
    }

    public var owner: Owner { .signup(id) }

    /// The address is the request's and is not stored: a person may go on from another network.
    public func context(from address: ClientAddress?) -> RequestContext {
        RequestContext(owner: owner, region: region, language: language, address: address)
    }
}

/// Begins a guided signup, unless its address has begun too many.
public struct BeginSignup: Command {
    public struct State: Sendable {
        public var limits: LimitLedger
        public var signup: Signup?
        public init(limits: LimitLedger, signup: Signup?) { (self.limits, self.signup) = (limits, signup) }
    }

    public let signup: Signup
    public let limitRules: [LimitRule]

    /// No limit applies where the address is unknown.
    public init(_ signup: Signup, from address: ClientAddress?, limits: LimitPolicy) {
        self.signup = signup
        limitRules = limits.signups(from: address)
    }

    public func apply(to state: inout State) -> Result<Void, PhoneFailure> {
        // A browser's form that is sent twice begins one signup.
        if state.signup != nil { return .success(()) }
        if let refusal = state.limits.tryTake(at: signup.createdAt) { return .failure(refusal) }
        state.signup = signup
        return .success(())
    }
}
