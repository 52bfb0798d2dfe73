public import PhoneDomain

/// Why a tap came to nothing. The signup goes on.
public enum SignupFailure: Hashable, Sendable {
    /// A view model in this process said so; the prompt finds the words.
    case phone(PhoneFailure)
    /// A server said so, in its own words.
    case told(code: String, detail: String, retryAt: Timestamp?)

    /// The stable name that programs act on, as ``PhoneFailure/code``.
    public var code: String {
        switch self {
        case .phone(let failure): failure.code
        case .told(let code, _, _): code
        }
    }

    /// From when the same may succeed, or nil if waiting does not help or nobody knows.
    public var retryAt: Timestamp? {
        switch self {
        case .phone(let failure): failure.retryAt
        case .told(_, _, let retryAt): retryAt
        }
    }

    /// Whether the code that was entered is of no use any more, so that its field is emptied for another.
    var spendsCode: Bool {
        !["invalid_request", "unavailable", "account_dormant"].contains(code)
    }
}
