/// Why a text is no phone number. None of the cases carries the text, so that an error can be logged.
public enum PhoneNumberError: Error, Hashable, Sendable {
    /// There are no digits.
    case empty
    /// There is something that has no place in a phone number: a letter, an emoji, a plus sign in the middle.
    case notANumber
    /// It begins like a number, and has more digits than that number can have; or the text is absurdly long.
    case tooLong
    /// It begins like a number, and ends too early.
    case tooShort
    /// No numbering plan is known for the region the number is to be read in.
    case unknownRegion(Region)
    /// No numbering plan is known for this calling code, such as `1` (digits only).
    case unsupportedCallingCode(String)
    /// The calling code is known, and its plan has no such number.
    case noSuchNumber

    /// A stable name for programs.
    public var code: String { reason.rawValue }

    /// The case without what it bears.
    public var reason: Reason {
        switch self {
        case .empty: .empty
        case .notANumber: .notANumber
        case .tooLong: .tooLong
        case .tooShort: .tooShort
        case .unknownRegion: .unknownRegion
        case .unsupportedCallingCode: .unsupportedCallingCode
        case .noSuchNumber: .noSuchNumber
        }
    }

    /// The stable names of all cases. The raw values are the wire's.
    public enum Reason: String, Sendable, CaseIterable {
        /// There are no digits.
        case empty
        /// There is something that has no place in a phone number.
        case notANumber = "not_a_number"
        /// There are more digits than the number can have.
        case tooLong = "too_long"
        /// There are fewer digits than the number must have.
        case tooShort = "too_short"
        /// No numbering plan is known for the region.
        case unknownRegion = "unknown_region"
        /// No numbering plan is known for the calling code.
        case unsupportedCallingCode = "unsupported_calling_code"
        /// The plan has no such number.
        case noSuchNumber = "no_such_number"
    }

    /// One English sentence that says what to do.
    public var detail: String {
        switch self {
        case .empty: "Enter a phone number."
        case .notANumber:
            "Use digits only; spaces, hyphens, dots, slashes, brackets and a leading + may stand among them."
        case .tooLong: "Remove the digits that are too many."
        case .tooShort: "Add the missing digits."
        case .unknownRegion(let region):
            "Write the number with + and its calling code; region \(region) is not supported."
        case .unsupportedCallingCode(let code):
            "Use a number of another country; numbers of +\(code) are not supported."
        case .noSuchNumber: "Check the first digits; no number begins with them."
        }
    }
}
