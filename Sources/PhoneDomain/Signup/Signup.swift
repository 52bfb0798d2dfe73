/// A guided signup as it is kept between two requests: what its fields hold and which verification it has begun.
///
/// All else that a client sees of it follows from the numbering plan and from the verification.
public struct Signup: Identified, Hashable, Sendable {
    public static let identifierPrefix = "sgn"

    /// Its name.
    public let id: ID
    /// The digest of its token, by which its holder is known.
    public let tokenDigest: [UInt8]
    /// The region by whose plan a number in national form is read.
    public let region: Region
    /// The language of the message.
    public let language: LanguageTag
    /// When it was begun.
    public let createdAt: Timestamp
    /// When it ends, whatever its state.
    public let expiresAt: Timestamp
    /// What the phone field holds.
    public var phoneText: String
    /// What the code field holds.
    public var codeText: String
    /// The verification that it has begun last, or nil.
    public var verificationID: Verification.ID? {
        // What was decided was decided about another number.
        didSet { if verificationID != oldValue { decision = nil } }
    }
    /// Whether ``verificationID`` is the one that the person was signed up with: nothing takes its place any more.
    public var isComplete: Bool
    /// What was decided about a dormant account of its number, if somebody was asked.
    public var decision: DormantDecision?

    /// A signup as a store kept it.
    public init(
        id: ID,
        tokenDigest: [UInt8],
        region: Region,
        language: LanguageTag,
        createdAt: Timestamp,
        expiresAt: Timestamp,
        phoneText: String,
        codeText: String,
        verificationID: Verification.ID?,
        isComplete: Bool = false,
        decision: DormantDecision? = nil
    ) {
        self.id = id
        self.tokenDigest = tokenDigest
        self.region = region
        self.language = language
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.phoneText = phoneText
        self.codeText = codeText
        self.verificationID = verificationID
        self.isComplete = isComplete
        self.decision = decision
    }

    /// Who asks for what is this signup's.
    public var owner: Owner { .signup(id) }

    /// What is known of the one who asks.
    ///
    /// - Parameter address: from where this request came. It is the request's and is not kept: a person may go on from
    ///   another network.
    public func context(from address: ClientAddress?) -> RequestContext {
        RequestContext(owner: owner, region: region, language: language, address: address, decision: decision)
    }
}
