/// What came of reading digits in one of several ways.
typealias PhoneNumberReading = Result<PhoneNumber, PhoneNumberError>

extension PhoneNumberReading {
    /// This reading if it is a number, else the other. When neither is, the failure that says most: that of the first reading
    /// that got further than "no such number".
    func or(_ other: @autoclosure () -> PhoneNumberReading) -> PhoneNumberReading {
        guard case .failure(let failure) = self else { return self }
        let other = other()
        if case .failure = other, failure != .noSuchNumber { return self }
        return other
    }
}
