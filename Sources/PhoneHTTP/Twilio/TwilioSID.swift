/// Names as Twilio has them: two letters that say what is named, and 32 hexadecimal digits in either case.
enum TwilioSID {
    /// Whether this is the name of an account.
    static func isAccount(_ text: some StringProtocol) -> Bool { matches(text, prefix: "AC") }

    /// Whether this is the name of a messaging service.
    static func isMessagingService(_ text: some StringProtocol) -> Bool { matches(text, prefix: "MG") }

    private static func matches(_ text: some StringProtocol, prefix: String) -> Bool {
        text.utf8.count == 34 && text.hasPrefix(prefix)
            && text.utf8.dropFirst(2).allSatisfy(\.isHexadecimalDigit)
    }
}
