public import PhoneDomain

/// What is to be said of a text as a phone number.
public struct NumberReport: Sendable {
    /// A line of the report.
    public enum Field: Sendable, CaseIterable {
        /// The text as it was given.
        case input
        /// What a phone field shows for it.
        case formatted
        /// Whether it is a number of its plan.
        case isValid
        /// What the number is for.
        case kind
        /// Whose number it is.
        case region
        /// The number as it is written at home.
        case national
        /// The number as it is written abroad.
        case international
        /// The number as the world dials it.
        case e164
        /// Whether a code can be sent to it, or why not.
        case receivesCode
    }

    /// The text.
    public let input: String
    /// What a phone field shows for it.
    public let formatted: String
    /// The number that it says, or why it is none.
    public let number: Result<PhoneNumber, PhoneNumberError>
    /// Why no code is sent to it, or nil if one can be.
    public let refusal: PhoneFailure?

    /// A report on a text.
    ///
    /// - Parameters:
    ///   - text: what may be a number.
    ///   - region: where a number without a calling code is at home.
    ///   - plans: the plans that say which numbers there are.
    ///   - judge: the number that a text says if a code can be sent to it, as ``PhoneUseCase`` judges.
    public init(
        _ text: String,
        region: Region,
        plans: NumberingPlans = .builtIn,
        judge: (String, Region) throws(PhoneFailure) -> PhoneNumber
    ) {
        input = text
        formatted = plans.format(text, region: region)
        number = Result { () throws(PhoneNumberError) in
            try PhoneNumber(parsing: text, region: region, plans: plans)
        }
        do throws(PhoneFailure) {
            _ = try judge(text, region)
            refusal = nil
        } catch {
            refusal = error
        }
    }

    /// How the command ends: failed unless the text is a number of its plan.
    public var exitStatus: ExitStatus {
        if case .success = number { .done } else { .failed }
    }
}
