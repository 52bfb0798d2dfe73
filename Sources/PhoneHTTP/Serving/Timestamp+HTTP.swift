import PhoneDomain

extension Timestamp {
    /// The moment as `Date` has it (RFC 9110 section 5.6.7), in whole seconds: `Sun, 06 Nov 1994 08:49:37 GMT`.
    var httpDate: String {
        String(rfc2822.prefix { $0 != "+" }) + "GMT"
    }
}
