public import PhoneNumbers

/// What a signup can do with a phone number, for one person: four calls over small values, so that a fake is fifteen
/// lines. `PhoneViewModel` drives it. A server implements it over its rules and its store, an app over HTTP.
public protocol PhoneUseCase: Sendable {
    /// What the phone field shows for a text, and the number in it, if a code could be sent to it. Called for each
    /// edit.
    func phoneText(_ typed: String) -> PhoneText
    /// Whether a text has the form of a code, right or wrong: six digits, unless the use case knows better.
    func isCode(_ codeText: String) -> Bool
    /// Sends a code, or the same code once more if one is in flight.
    func requestCode(_ request: CodeRequest) async throws(SignupFailure) -> SentCode
    /// Checks a code, and creates or finds the account of the number that it proves.
    func signUp(_ codeText: String, for sentCode: SentCode) async throws(SignupFailure) -> SignedUpAccount
}

extension PhoneUseCase {
    public func isCode(_ codeText: String) -> Bool { VerificationCode(typed: codeText)?.digits.utf8.count == 6 }
}

/// The text of a phone field.
public struct PhoneText: Hashable, Sendable {
    /// What the number is read from, as it was typed.
    public let typed: String
    /// What the field shows: the number with its hyphens as far as it is typed, or as it was typed what is no number.
    /// It must never decide where a code goes.
    public let text: String
    /// Nil if no code could be sent to what is in the field.
    public let number: PhoneNumber?

    public init(typed: String, text: String, number: PhoneNumber?) {
        (self.typed, self.text, self.number) = (typed, text, number)
    }

    /// Formats and reads it by the plans of all countries; a number counts if it is one that can receive texts.
    ///
    /// - Parameter region: where numbers without a calling code are at home.
    public init(_ typed: String, region: Region, plans: NumberingPlans = .builtIn) {
        let number = try? PhoneNumber(parsing: typed, region: region, plans: plans)
        let receivesTexts = number.map { [.mobile, .fixedLineOrMobile].contains($0.kind) && $0.isDialledFromAbroad }
        self.init(
            typed: typed,
            text: plans.format(typed, region: region),
            number: receivesTexts == true ? number : nil
        )
    }
}

/// What a tap on "send" asks for.
public struct CodeRequest: Hashable, Sendable {
    public var phone: PhoneText
    /// How the code is to be sent; nil for the order of the number's country.
    public var channel: Channel?

    public init(phone: PhoneText, channel: Channel? = nil) { (self.phone, self.channel) = (phone, channel) }

    /// The number in the phone field. Throws ``SignupFailure/Code/invalidPhoneNumber`` if there is none.
    public var number: PhoneNumber {
        get throws(SignupFailure) {
            guard let number = phone.number else { throw SignupFailure(.invalidPhoneNumber) }
            return number
        }
    }
}

/// A code that is on its way or has arrived.
public struct SentCode: Hashable, Sendable {
    /// The verification's, as the use case that sent it names it.
    public let id: String
    public let number: PhoneNumber
    /// How it was sent; nil if that is unknown.
    public var channel: Channel?
    /// All channels by which it can be sent to this number, the one in use among them.
    public var channels: [Channel]
    /// When it can be sent again, or another one can; limits may refuse it for longer. Nil if that is unknown.
    public var resendableFrom: Timestamp?
    public var expiresAt: Timestamp?
    /// Nil if that is unknown.
    public var checksLeft: Int?
    /// Whether it can still be entered.
    public var isOpen: Bool

    public init(
        id: String,
        number: PhoneNumber,
        channel: Channel? = nil,
        channels: [Channel] = [],
        resendableFrom: Timestamp? = nil,
        expiresAt: Timestamp? = nil,
        checksLeft: Int? = nil,
        isOpen: Bool = true
    ) {
        (self.id, self.number, self.channel, self.channels) = (id, number, channel, channels)
        (self.resendableFrom, self.expiresAt, self.checksLeft, self.isOpen) = (
            resendableFrom, expiresAt, checksLeft, isOpen
        )
    }
}

/// The account of a person who has signed up.
public struct SignedUpAccount: Hashable, Sendable {
    public let id: String
    /// Whether this signup created the account rather than found it.
    public let isNew: Bool

    public init(id: String, isNew: Bool) { (self.id, self.isNew) = (id, isNew) }
}

/// Why a tap failed. The signup can go on.
public struct SignupFailure: Error, Hashable, Sendable {
    /// The reason as HTTP responses have it. A service may have more than are listed here.
    public struct Code: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public init(stringLiteral value: String) { rawValue = value }

        /// No number of its plan, or none that can receive a code.
        public static let invalidPhoneNumber: Code = "invalid_phone_number"
        public static let regionNotAllowed: Code = "region_not_allowed"
        public static let channelUnavailable: Code = "channel_unavailable"
        public static let resendTooSoon: Code = "resend_too_soon"
        public static let maxSendsReached: Code = "max_sends_reached"
        public static let rateLimited: Code = "rate_limited"
        public static let codeIncorrect: Code = "code_incorrect"
        public static let codeExpired: Code = "code_expired"
        public static let maxChecksReached: Code = "max_checks_reached"
        /// No code was sent, or not to this client.
        public static let verificationNotFound: Code = "verification_not_found"
        public static let verificationClosed: Code = "verification_closed"
        /// The text cannot be a code, or a field is missing.
        public static let invalidRequest: Code = "invalid_request"
        public static let unauthorized: Code = "unauthorized"
        /// The service cannot be reached, or its store cannot: try again later.
        public static let unavailable: Code = "unavailable"
    }

    public let code: Code
    /// A sentence for the person, in their language, if the use case has one.
    public var message: String?
    /// When the same request may succeed; nil if waiting does not help or the time is unknown.
    public var retryAt: Timestamp?
    /// The code that was checked, as the refusal left it; nil where nothing of it has changed.
    public var sentCode: SentCode?

    public init(_ code: Code, message: String? = nil, retryAt: Timestamp? = nil, sentCode: SentCode? = nil) {
        (self.code, self.message, self.retryAt, self.sentCode) = (code, message, retryAt, sentCode)
    }
}
