import PhoneDomain

extension Timestamp {
    /// The moment as Twilio Verify has it: RFC 3339 in whole seconds. Its libraries take a date with parts of a second for a
    /// mere text.
    var wholeSecondsText: String { description.prefix { $0 != "." } + "Z" }
}
