import PhoneDomain

extension Problem {
    /// What the caller is told of a failure at this moment.
    init(_ failure: PhoneFailure, at now: Timestamp) {
        switch failure {
        case .invalidPhoneNumber(let error):
            self.init(.invalidPhoneNumber, error.detail)
            members = [JSON.Member("reason", .string(error.code))]
        case .kindNotAccepted:
            self.init(.invalidPhoneNumber, "A code cannot be sent to this kind of number; use a mobile number.")
            members = [JSON.Member("reason", .string(Self.kindNotAccepted))]
        case .regionNotAllowed(let region):
            self.init(
                .regionNotAllowed,
                "Codes are not sent to numbers of \(region?.description ?? "this country"); use another number."
            )
        case .resendTooSoon(let moment):
            self.init(.resendTooSoon, "This number had a message a moment ago; wait before the next.")
            members = [JSON.Member("next_send_at", .string(moment.description))]
        case .maxSendsReached(let moment):
            self.init(.maxSendsReached, "No sends are left; begin again when this verification has expired.")
            members = [JSON.Member("sends_left", 0), JSON.Member("next_send_at", .string(moment.description))]
        case .rateLimited(let policies, _):
            self.init(.rateLimited, Self.limitDetail(policies))
            members = [JSON.Member("violated_policies", .array(policies.map { .string($0.name) }))]
        case .malformedCode(let length):
            self.init(.invalidRequest, "The code must have \(length) digits.")
        case .codeIncorrect(let checksLeft):
            self.init(.codeIncorrect, "This is not the code that was sent; compare it with the message.")
            members = [JSON.Member("checks_left", .integer(checksLeft))]
        case .codeExpired:
            self.init(.codeExpired, "The time for this code is over; have a new one sent.")
        case .maxChecksReached:
            self.init(.maxChecksReached, "No checks are left; begin again when this verification has expired.")
            members = [JSON.Member("checks_left", 0)]
        case .verificationNotFound:
            self.init(.verificationNotFound, "There is no such verification; have a code sent first.")
        case .verificationClosed:
            self.init(.verificationClosed, "The verification has ended already; begin a new one.")
        case .verificationNotApproved:
            self.init(.invalidRequest, "The number has not been proven yet; check the code first.")
        case .accountDormant:
            self.init(
                .accountDormant,
                "This number has an account that nobody has used for long, and it has to be decided whether it is yours."
            )
        case .numberTaken:
            self.init(.numberTaken, "Another account has this number; use another number, or sign in to that account.")
        case .numberChangeNotFound:
            self.init(.numberChangeNotFound, "There is no such change of number, or it cannot be undone any more.")
        case .invalidMetadata(let fault):
            self = .field("metadata", fault.detail)
        case .notSignedIn:
            self = .notSignedIn
        case .proofTooOld:
            self.init(.reauthenticationRequired, "You signed in too long ago for this; sign in anew.")
        case .unavailable(let cause):
            self = .unavailable(cause: cause)
        }
        if let retryAt = failure.retryAt { self = retryable(after: retryAt - now) }
        if case .rateLimited(let policies, let retryAt) = failure { tell(policies, wait: retryAt - now) }
    }

    /// The reason of a number that is one, and not for codes.
    static let kindNotAccepted = "kind_not_accepted"

    /// One answer for an access token that never was, one whose time is over, and one whose session was ended.
    static let notSignedIn = Problem.unauthorized(
        "This token is not good, or no longer; refresh it, or sign in again.",
        error: "invalid_token"
    )

    private static func limitDetail(_ policies: [QuotaPolicy]) -> String {
        switch policies.first?.name {
        case "guard-block": "Messages to numbers like this one are held back for now; use another number, or wait."
        case "guard-challenge":
            "Messages to numbers like this one go out only for a person that the caller vouches for; wait, or vouch."
        default: "A limit is reached; wait before the next try."
        }
    }
}

extension AccountMetadata.Fault {
    /// What the metadata has to be, behind its name.
    fileprivate var detail: String {
        switch self {
        case .tooLong: "must have no more than \(AccountMetadata.maxByteCount) bytes as JSON, changes and all"
        case .tooDeep: "must not nest deeper than \(AccountMetadata.maxDepth) levels"
        }
    }
}
