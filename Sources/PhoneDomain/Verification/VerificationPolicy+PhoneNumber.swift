extension VerificationPolicy {
    /// The number that this text says, if the policy lets a code be sent to it.
    ///
    /// - Parameters:
    ///   - text: what a person wrote.
    ///   - region: whose plan a number in national form is read by.
    ///   - plans: the plans that say which numbers there are.
    ///   - isSafe: whether its country does not matter (``SafeNumber``).
    /// - Throws: ``PhoneFailure/invalidPhoneNumber(_:)``, ``PhoneFailure/kindNotAccepted(_:)`` or
    ///   ``PhoneFailure/regionNotAllowed(_:)``.
    public func phoneNumber(
        in text: String,
        region: Region,
        plans: NumberingPlans = .builtIn,
        isSafe: Bool = false
    ) throws(PhoneFailure) -> PhoneNumber {
        let number: PhoneNumber
        do {
            number = try PhoneNumber(parsing: text, region: region, plans: plans)
        } catch .unsupportedCallingCode {
            throw .regionNotAllowed(nil)
        } catch {
            throw .invalidPhoneNumber(error)
        }
        guard isSafe || allowedRegions.contains(number.region) else { throw .regionNotAllowed(number.region) }
        guard acceptedKinds.contains(number.kind) else { throw .kindNotAccepted(number.kind) }
        // Some German landlines.
        guard number.isDialledFromAbroad else { throw .invalidPhoneNumber(.tooLong) }
        return number
    }
}
